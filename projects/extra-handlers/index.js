/** `queue()` and `scheduled()` of service bindings, which say what became of them. */
import { WorkerEntrypoint } from 'cloudflare:workers';

const seen = [];

async function tell(ask) {
  try {
    return await ask();
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

export class Entry extends WorkerEntrypoint {
  queue(batch) {
    batch.messages[0].ack();
    batch.messages[1].retry({ delaySeconds: 3 });
  }

  scheduled(controller) {
    seen.push([controller.cron, controller.scheduledTime]);
    controller.noRetry();
  }
}

const message = (id, body) => ({ id, body, timestamp: new Date(5), attempts: 1 });

const questions = {
  '/queue': async (env) => [
    await env.SELF.queue('jobs', [message('a', { x: 1 })]),
    await env.SELF.queue('all', [message('a', 1)]),
    await env.SELF.queue('later', [message('a', 1)]),
    await env.SELF.queue('fails', [message('a', 1)]),
    await env.ENTRY.queue('jobs', [message('a', 1), message('b', 2)]),
    await tell(() => env.SELF.queue('jobs', [{ id: 'a' }])),
    await tell(() => env.SELF.queue('jobs')),
    seen.splice(0),
  ],
  '/scheduled': async (env) => [
    await env.ENTRY.scheduled({ cron: '* * * * *', scheduledTime: new Date(1000) }),
    await env.SELF.scheduled({ cron: 'plain', scheduledTime: new Date(5) }),
    await env.SELF.scheduled({ cron: 'fails', scheduledTime: new Date(5) }),
    seen.splice(0),
  ],
};

export default {
  fetch: async (request, env) => Response.json(await questions[new URL(request.url).pathname](env)),
  queue(batch) {
    seen.push([batch.queue, batch.messages.map(({ id, body, attempts }) => [id, body, attempts])]);
    if (batch.queue === 'all') batch.ackAll();
    if (batch.queue === 'later') batch.retryAll({ delaySeconds: 5 });
    if (batch.queue === 'fails') throw new Error('as asked');
  },
  scheduled({ cron }) {
    seen.push(cron);
    if (cron === 'fails') throw new Error('as asked');
  },
};
