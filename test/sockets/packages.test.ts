/** Programs written with packages from npm, which are installed as they are. */
import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { newWebSocketRpcSession } from 'capnweb';
import { WebSocket } from 'ws';
import { startSite } from './site.ts';

const chat = `
import { routePartykitRequest, Server } from 'partyserver';
export class Chat extends Server {
  static options = { hibernate: true };
  onStart() { this.startedWith = [...this.getConnections()].length; }
  onConnect(connection, { request }) {
    connection.setState({ name: new URL(request.url).searchParams.get('name'), said: 0 });
    connection.send('welcome to ' + this.name);
    this.broadcast(connection.state.name + ' joined', [connection.id]);
  }
  onMessage(connection, message) {
    if (message === '/started') return connection.send('started with ' + this.startedWith);
    if (message === '/bytes') return connection.send(new Uint8Array([1, 2, 3]));
    connection.setState((state) => ({ ...state, said: state.said + 1 }));
    const { name, said } = connection.state;
    this.broadcast(name + ' said ' + message + ' (' + said + ')');
  }
  onClose(connection, code, reason) { this.broadcast(connection.state.name + ' left: ' + code + ' ' + reason); }
  getConnectionTags(connection, { request }) { return [new URL(request.url).searchParams.get('name')]; }
  onRequest() { return Response.json([...this.getConnections()].map(({ state, tags }) => [state.name, tags.length])); }
}
export default {
  async fetch(request, env) {
    return (await routePartykitRequest(request, env)) ?? new Response('not found', { status: 404 });
  },
};`;

test('partyserver: a chat with hibernation', async (t) => {
  const site = await startSite(t, chat, { className: 'Chat' });
  const room = '/parties/rooms/lobby';
  const ann = await site.connect(`${room}?name=ann`).opened();
  equal(await ann.next(), 'welcome to lobby');
  const bob = await site.connect(`${room}?name=bob`).opened();
  equal(await bob.next(), 'welcome to lobby');
  equal(await ann.next(), 'bob joined');
  bob.send('hello');
  deepEqual([await ann.next(), await bob.next()], Array(2).fill('bob said hello (1)'));
  equal(await ann.ask('/started'), 'started with 0');

  await site.clock.advance(11_000);
  equal(site.worker.runtime.stats().objectsAwake.get('Chat'), 0);
  bob.send('still here');
  deepEqual([await ann.next(), await bob.next()], Array(2).fill('bob said still here (2)'));
  equal(await ann.ask('/started'), 'started with 2');
  deepEqual(await ann.ask('/bytes'), Buffer.from([1, 2, 3]));
  deepEqual(JSON.parse(await site.text(room)), [
    ['bob', 2],
    ['ann', 2],
  ]);

  await site.clock.advance(11_000);
  bob.socket.close(4000, 'good night');
  equal((await bob.closed)[0], 4000);
  equal(await ann.next(), 'bob left: 4000 good night');
});

const capabilities = `
import { DurableObject } from 'cloudflare:workers';
import { newWorkersRpcResponse, RpcTarget } from 'capnweb';
class Counter extends RpcTarget {
  #value = 0;
  add(n) { return (this.#value += n); }
}
class Api extends RpcTarget {
  #storage;
  constructor(storage) { super(); this.#storage = storage; }
  counter() { return new Counter(); }
  async remember(key, value) { await this.#storage.put(key, value); }
  async recall(key) { return this.#storage.get(key); }
  async callBack(callback) { return (await callback('from the object')) + '!'; }
  fail() { throw new RangeError('as asked'); }
}
export class Room extends DurableObject {
  fetch(request) { return newWorkersRpcResponse(request, new Api(this.ctx.storage)); }
}
export default { fetch: (request, env) => env.ROOMS.getByName('a').fetch(request) };`;

interface CounterApi {
  add(n: number): number;
}

interface ObjectApi {
  counter(): CounterApi;
  remember(key: string, value: unknown): void;
  recall(key: string): unknown;
  callBack(callback: (text: string) => string): string;
  fail(): string;
}

test('capnweb: calls over a WebSocket', async (t) => {
  const site = await startSite(t, capabilities);
  const socket = new WebSocket(site.url.replace('http', 'ws')) as unknown as globalThis.WebSocket;
  using api = newWebSocketRpcSession<ObjectApi>(socket);
  const counter = api.counter();
  // Sent before the counter is known.
  equal(await counter.add(2), 2);
  equal(await counter.add(3), 5);
  await api.remember('key', { deep: [1, new Date(5)] });
  deepEqual(await api.recall('key'), { deep: [1, new Date(5)] });
  equal(await api.callBack((text) => text.toUpperCase()), 'FROM THE OBJECT!');
  await rejects(async () => await api.fail(), { name: 'RangeError', message: 'as asked' });
});
