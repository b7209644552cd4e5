import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
import { format } from './format';

export class Counter extends DurableObject {
  inMemory = 0;

  async increment(by = 1) {
    const value = ((await this.ctx.storage.get('value')) ?? 0) + by;
    await this.ctx.storage.put('value', value);
    this.inMemory += by;
    return value;
  }

  async alarm() {
    await this.ctx.storage.put('value', 0);
  }

  async ask() {
    return await (await fetch('https://outside.example/question')).text();
  }

  fetch() {
    const [client, server] = Object.values(new WebSocketPair());
    this.ctx.acceptWebSocket(server);
    return new Response(null, { status: 101, webSocket: client });
  }

  webSocketMessage(socket, message) {
    socket.send(`${message}, ${this.inMemory}`);
  }
}

export class Greeting extends WorkerEntrypoint {
  greet(name) {
    return `${name} ${this.env.PLACE}`;
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname } = new URL(request.url);
    if (pathname === '/greet') return await env.GREETER.fetch('https://greeter.example/', request);
    if (pathname === '/clock') return await env.CLOCK.fetch('https://clock.example/');
    if (pathname === '/outside') return await fetch('https://outside.example/');
    if (pathname === '/later') ctx.waitUntil(env.NOTES.put('later', 'written'));
    if (pathname === '/job') await env.JOBS.send({ key: 'job' });
    return new Response(format(await env.COUNTERS.getByName(pathname).increment()));
  },
  async queue(batch, env) {
    for (const message of batch.messages) {
      if (message.body.key === 'again') message.retry();
      else {
        await env.NOTES.put(message.body.key, 'done');
        message.ack();
      }
    }
  },
  async scheduled(controller, env) {
    await env.NOTES.put('cron', controller.cron);
  },
};
