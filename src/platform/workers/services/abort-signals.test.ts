/** Signals of requests to objects, to other Workers and to the network. */
import { deepEqual, equal } from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createProject, startWorker } from '../testing.ts';

const module = `
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
const waiting = async (request) => {
  const { signal } = request;
  // On a busy machine, the caller may have gone before the callee began.
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
  return String(signal.reason);
};
export class Room extends DurableObject {
  async fetch(request) { this.seen = await waiting(request); return new Response('late'); }
  async seenAbort() { while (this.seen === undefined) await scheduler.wait(1); const { seen } = this; this.seen = undefined; return seen; }
  async ask(other) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('from an object')), 5);
    return await report(this.env.ROOM.getByName(other).fetch('http://a/', { signal: controller.signal }));
  }
}
let seenByOther;
export class Other extends WorkerEntrypoint {
  async fetch(request) { seenByOther = waiting(request); await seenByOther; return new Response('late'); }
}
const report = (promise) => promise.then(({ status }) => status, ({ name, message }) => name + ': ' + message);
const abortSoon = (reason) => { const controller = new AbortController(); setTimeout(() => controller.abort(reason), 5); return controller.signal; };
  export default {
  async fetch(request, env) {
    const room = env.ROOM.getByName('a');
    const origin = new URL(request.url).searchParams.get('origin');
    const mine = () => abortSoon(new Error('mine'));
    const answers = {};
    answers.stub = [await report(room.fetch('http://a/', { signal: mine() })), await room.seenAbort()];
    answers.default = [await report(room.fetch('http://a/', { signal: abortSoon() })), await room.seenAbort()];
    answers.timeout = [await report(room.fetch('http://a/', { signal: AbortSignal.timeout(5) })), await room.seenAbort()];
    answers.request = [await report(room.fetch(new Request('http://a/', { signal: mine() }))), await room.seenAbort()];
    answers.service = [await report(env.OTHER.fetch('http://a/', { signal: mine() })), await seenByOther];
    answers.before = [await report(room.fetch('http://a/', { signal: AbortSignal.abort(new Error('before')) }))];
    answers.object = [await room.ask('b'), await env.ROOM.getByName('b').seenAbort()];
    answers.network = [await report(fetch(origin, { signal: mine() }))];
    answers.networkRequest = [await report(fetch(new Request(origin, { signal: AbortSignal.timeout(5) })))];
    return Response.json(answers);
  },
};`;

test('fetch of a stub, of a service binding and of the network ends when its signal aborts, and the callee is told', async (t) => {
  const origin = createServer(() => {}).listen(0, '127.0.0.1');
  t.after(() => {
    origin.closeAllConnections();
    origin.close();
  });
  await once(origin, 'listening');
  const path = createProject(t, {
    'wrangler.json': {
      name: 'worker',
      main: 'index.js',
      compatibility_date: '2026-11-01',
      durable_objects: { bindings: [{ name: 'ROOM', class_name: 'Room' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
      services: [{ binding: 'OTHER', service: 'worker', entrypoint: 'Other' }],
    },
    'index.js': module,
  });
  const { fetch } = await startWorker(t, { path });
  const { port } = origin.address() as AddressInfo;
  const response = await fetch(`/?origin=${encodeURIComponent(`http://127.0.0.1:${port}`)}`);
  equal(response.status, 200);
  const left = 'AbortError: The client has disconnected';
  deepEqual(await response.json(), {
    stub: ['Error: mine', left],
    default: ['AbortError: The operation was aborted', left],
    timeout: ['TimeoutError: The operation was aborted due to timeout', left],
    request: ['Error: mine', 'Error: mine'],
    service: ['Error: mine', left],
    before: ['Error: before'],
    object: ['Error: from an object', left],
    network: ['Error: mine'],
    networkRequest: ['TimeoutError: The operation was aborted due to timeout'],
  });
});
