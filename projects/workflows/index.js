/** Steps that are undone, and instances that are created and deleted in batches. */
import { WorkflowEntrypoint } from 'cloudflare:workers';

const once = { retries: { limit: 0, delay: 1 } };

async function tell(ask) {
  try {
    return (await ask()) ?? null;
  } catch (error) {
    return error.message;
  }
}

/** Notes what a rollback function is told, where every process sees it; `two` fails once. */
const createUndo = (kept, id) => (limit) => ({
  rollback: async ({ ctx, error, output, stepName }) => {
    const said = (await kept.get(id, 'json')) ?? [];
    said.push([ctx.step, ctx.attempt, error.message, output, stepName]);
    await kept.put(id, JSON.stringify(said));
    if (ctx.step.name === 'two' && said.filter(([step]) => step.name === 'two').length === 1)
      throw new Error('not yet');
  },
  rollbackConfig: { retries: { limit, delay: 5 } },
});

const refuse = async () => {
  throw new Error('three fails');
};

export class Flow extends WorkflowEntrypoint {
  async run({ payload, instanceId }, step) {
    const undo = createUndo(this.env.SAID, instanceId);
    await step.do('one', async () => 1, undo(1));
    await step.do('two', async () => 2, undo(payload.undoLimit ?? 1));
    if (payload.options !== undefined) await step.do('bad', async () => 1, payload.options);
    if (payload.waits) await step.sleep('long', '1 hour');
    if (payload.caught) return await step.do('caught', once, refuse, undo(1)).catch(() => 'fine');
    if (payload.outside) throw new Error('outside of steps');
    await step.do('three', once, refuse, undo(1));
    return undefined;
  }
}

async function finish(env, instance) {
  for (;;) {
    await scheduler.wait(20);
    const { status, error, output } = await instance.status();
    if (['errored', 'complete', 'terminated'].includes(status))
      return { status, error: error?.message, output, said: await env.SAID.get(instance.id, 'json') };
  }
}

const run = async (env, params) => await finish(env, await env.FLOW.create({ params }));

const questions = {
  '/fails': (env) => run(env, {}),
  '/outside': (env) => run(env, { outside: true }),
  '/caught': (env) => run(env, { caught: true }),
  '/stays': (env) => run(env, { undoLimit: 0 }),
  '/options': async (env) => [await run(env, { options: 5 }), await run(env, { options: { rollback: 5 } })],
  '/terminate': async (env) => {
    const instance = await env.FLOW.create({ params: { waits: true } });
    await scheduler.wait(500);
    await instance.terminate({ rollback: true });
    return await finish(env, instance);
  },
  '/batch': async (env) => {
    const told = async (batch) => {
      const { created, errors } = await env.FLOW.createBatch(batch);
      return [created.length, errors];
    };
    return [
      await told({ count: 2, params: { waits: true } }),
      await told({ instances: [{ id: 'a', params: { waits: true } }, { id: 'a' }] }),
      await told({ instances: [{ id: 'a' }] }),
      await tell(() => told({})),
      await tell(() => told({ count: 0 })),
      await tell(() => told({ count: 101 })),
      await env.FLOW.deleteBatch(['a', 'none', 'a']),
      await tell(() => env.FLOW.deleteBatch([])),
      await tell(() => env.FLOW.get('a')),
    ];
  },
  '/delete': async (env) => {
    const instance = await env.FLOW.create({ id: 'b', params: { waits: true } });
    await scheduler.wait(300);
    return [
      await tell(() => instance.delete()),
      await tell(() => instance.status()),
      await tell(() => instance.delete()),
    ];
  },
};

export default {
  fetch: async (request, env) => Response.json(await questions[new URL(request.url).pathname](env)),
};
