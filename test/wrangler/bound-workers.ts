/** A Worker with entry points and objects, and one that is bound to them. */

export const auth = (version: string): string => `
import { DurableObject, RpcTarget, WorkerEntrypoint } from 'cloudflare:workers';
class Session extends RpcTarget {
  constructor(user) { super(); this.user = user; }
  greet(word) { return word + ' ' + this.user; }
}
export class Admin extends WorkerEntrypoint {
  login(user) { return new Session(user); }
  whose() { return [this.ctx.props, this.env.SECRET]; }
  fail() { throw new RangeError('not today'); }
  async ask(stub) { return [await stub.add(10), await (await stub.fetch('http://x/through')).text()]; }
  back(counter) { return counter; }
}
export class Room extends DurableObject {
  async add(by) {
    const count = ((await this.ctx.storage.get('count')) ?? 0) + by;
    await this.ctx.storage.put('count', count);
    return count;
  }
  async fetch(request) {
    if (request.headers.get('upgrade') !== 'websocket')
      return new Response('${version} ' + this.ctx.id.name + ' ' + new URL(request.url).pathname);
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    server.addEventListener('message', ({ data }) => server.send('echo ' + data));
    return new Response(null, { status: 101, webSocket: client });
  }
}
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, 300));
    if (pathname === '/own') return new Response(String(await env.ROOMS.getByName('a').add(0)));
    return new Response('${version} ' + request.method + ' ' + (await request.text()));
  },
};`;

export const shop = `
import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async add(by) { return by * 2; }
  async fetch(request) { return new Response('counter ' + new URL(request.url).pathname); }
  async viaRoom() { return await this.env.ROOMS.getByName('inside').add(3); }
}
const calls = {
  fetch: async ({ AUTH }) => (await AUTH.fetch('http://auth/', { method: 'POST', body: 'hello' })).text(),
  slow: async ({ AUTH }) => (await AUTH.fetch('http://auth/slow')).text(),
  rpc: async ({ ADMIN }) => {
    using session = await ADMIN.login('ann');
    return [await session.greet('hello'), await ADMIN.login('bob').greet('bye'), await ADMIN.whose()];
  },
  fail: ({ ADMIN }) => ADMIN.fail(),
  missing: ({ NONE }) => NONE.anything(),
  room: async ({ ROOMS }) => {
    const room = ROOMS.getByName('a');
    const again = ROOMS.get(ROOMS.idFromString(ROOMS.idFromName('a').toString()));
    return [await room.add(1), await again.add(1), await (await room.fetch('http://x/y')).text()];
  },
  inside: ({ COUNTERS }) => COUNTERS.getByName('c').viaRoom(),
  pass: async ({ ADMIN, COUNTERS, ROOMS }) => {
    const counter = COUNTERS.getByName('mine');
    const back = await ADMIN.back(ROOMS.getByName('passed'));
    return [await ADMIN.ask(counter), await back.add(5), await (await ADMIN.back(counter)).add(7)];
  },
};
export default {
  async fetch(request, env) {
    if (request.headers.get('upgrade') === 'websocket') return env.ROOMS.getByName('socket').fetch(request);
    try {
      return Response.json(await calls[new URL(request.url).pathname.slice(1)](env));
    } catch (error) {
      return Response.json(error.name + ': ' + error.message);
    }
  },
};`;

export const objects = { type: 'durable_object_namespace', name: 'ROOMS', class_name: 'Room' };
export const bindings = [
  { type: 'service', name: 'AUTH', service: 'auth', environment: 'production' },
  { type: 'service', name: 'ADMIN', service: 'auth', entrypoint: 'Admin', props: { by: 'shop' } },
  { type: 'service', name: 'NONE', service: 'auth', entrypoint: 'Nobody' },
  { ...objects, script_name: 'auth' },
  { type: 'durable_object_namespace', name: 'COUNTERS', class_name: 'Counter' },
];
export const migrate = (className: string) => ({
  new_tag: 'v1',
  steps: [{ new_sqlite_classes: [className] }],
});
