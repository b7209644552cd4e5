/** Handlers other than `fetch` over service bindings, and unsupported parts of the platform that explain themselves. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createProject, startWorker } from '../testing.ts';

const module = `
import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
const tell = async (ask) => { try { return (await ask()) ?? null } catch (error) { return error.name + ': ' + error.message } };
const bytes = (text) => new TextEncoder().encode(text);
export class Echo extends WorkerEntrypoint {
  async connect(socket) {
    const writer = socket.writable.getWriter();
    await writer.write(bytes(this.ctx.props.name + ' at ' + (await socket.opened).localAddress + ': '));
    writer.releaseLock();
    await socket.readable.pipeTo(socket.writable);
  }
  queue(batch) { batch.messages[0].ack(); batch.messages[1].retry({ delaySeconds: 3 }); return batch.messages.map(({ body }) => body); }
  scheduled(controller) { controller.noRetry(); this.env.SEEN.push([controller.cron, controller.scheduledTime]); }
}
export class Fails extends WorkerEntrypoint {
  async connect(socket) { await socket.writable.getWriter().write(bytes('first')); throw new Error('lost on the way'); }
  alarm() {} queue() { throw new Error('cannot queue'); }
}
export class Waits extends WorkerEntrypoint {
  async connect(socket) { for await (const _ of socket.readable); this.env.SEEN.push('the caller has closed'); }
}
export class Room extends DurableObject {
  async ask() {
    const socket = this.env.ECHO.connect('room:1');
    await this.ctx.storage.put('a', 1);
    return await talk(socket, 'object');
  }
  async box() { return await tell(() => this.ctx.container.start()); }
  async facets() { return [typeof this.ctx.facets, await tell(() => this.ctx.facets.get('a'))]; }
}
export class Boxed extends Room {}
async function talk(socket, text) {
  const answer = new Response(socket.readable).text();
  const writer = socket.writable.getWriter();
  await writer.write(bytes(text)); await writer.close();
  return [await answer, await tell(() => socket.closed)];
}
const message = (id, body) => ({ id, body, timestamp: new Date(5), attempts: 1 });
  export default {
  queue(batch, env) { env.SEEN.push([batch.queue, batch.messages.map(({ body }) => body)]); if (batch.queue === 'later') batch.retryAll({ delaySeconds: 5 }); else batch.ackAll(); },
  tail(value) { return 'tail ' + value; },
  async fetch(request, env, ctx) {
    env.SEEN = (globalThis.seen ??= []);
    const table = {
      '/connect': async () => [await talk(env.ECHO.connect('host:1'), 'hello'), await talk(env.ECHO.connect({ hostname: '::1', port: 2 }), ''), await env.ROOM.getByName('a').ask()],
      '/refused': async () => Promise.all([env.SELF.connect('a:1').opened, env.ECHO.connect('a:1', { secureTransport: 'on' }).opened, env.NOBODY.connect('a:1').opened, (async () => env.ECHO.connect('a'))(), (async () => env.ECHO.connect())()].map((asked) => tell(() => asked))),
      '/fails': async () => { const socket = env.FAILS.connect('a:1'); return [await new Response(socket.readable).text(), await tell(() => socket.closed)]; },
      '/close': async () => { const socket = env.WAITS.connect('a:1'); await socket.opened; await socket.close(); while (env.SEEN.length === 0) await scheduler.wait(1); return env.SEEN.pop(); },
      '/methods': async () => [await env.SELF.tail(1), await tell(() => env.ECHO.queue({ messages: [{ ack() {} }, { retry() {} }] })), await tell(() => env.FAILS.alarm())],
      '/queue': async () => [await env.SELF.queue('jobs', [message('a', { x: 1 })]), await env.SELF.queue('later', []), await env.ECHO.queue('jobs', [message('a', 1), message('b', 2)]), await env.FAILS.queue('jobs', []), await tell(() => env.SELF.queue('jobs', [{ id: 'a' }])), env.SEEN.splice(0)],
      '/scheduled': async () => [await env.ECHO.scheduled({ cron: '* * * * *', scheduledTime: new Date(1000) }), await env.SELF.scheduled(), env.SEEN.splice(0)],
      '/absent': async () => { const copy = { ...env }; return [typeof copy.AI, await tell(() => copy.AI.run('m')), await tell(() => env.BROWSER.fetch('http://a')), await tell(() => env.VECTORS.query([])), await tell(() => env.HYPERDRIVE.connectionString), await env.ROOM.getByName('a').box(), await env.BOXED.getByName('a').box(), ...(await env.ROOM.getByName('a').facets()), await tell(() => ctx.mapVirtualHost(env.SELF, 80)), await tell(() => ctx.abort(new RangeError('enough'))), ctx.tracing.enterSpan('a', () => 'traced')]; },
    };
    return Response.json(await table[new URL(request.url).pathname]());
  },
};`;

const services = ['Echo', 'Fails', 'Waits'].map((entrypoint) => ({
  binding: entrypoint.toUpperCase(),
  service: 'worker',
  entrypoint,
  props: { name: 'echo' },
}));

function project(flags: readonly string[]): Record<string, object | string> {
  return {
    'wrangler.json': {
      name: 'worker',
      main: 'index.js',
      compatibility_date: '2026-11-01',
      compatibility_flags: flags,
      services: [
        ...services,
        { binding: 'SELF', service: 'worker', entrypoint: 'default' },
        { binding: 'NOBODY', service: 'nobody' },
      ],
      durable_objects: {
        bindings: [
          { name: 'ROOM', class_name: 'Room' },
          { name: 'BOXED', class_name: 'Boxed' },
        ],
      },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Room', 'Boxed'] }],
      containers: [{ class_name: 'Boxed', image: './Dockerfile' }],
      ai: { binding: 'AI' },
      browser: { binding: 'BROWSER' },
      vectorize: [{ binding: 'VECTORS', index_name: 'a' }],
      hyperdrive: [{ binding: 'HYPERDRIVE', id: 'a' }],
    },
    'index.js': module,
  };
}

test('connect of a service binding reaches connect() of the entry point, also from an object', async (t) => {
  const { text, said } = await startWorker(t, { path: createProject(t, project([])) });
  const read = async (path: string): Promise<unknown> => JSON.parse(await text(path)) as unknown;
  deepEqual(await read('/connect'), [
    ['echo at host:1: hello', null],
    ['echo at [::1]:2: ', null],
    ['echo at room:1: object', null],
  ]);
  const refused = 'Error: proxy request failed, cannot connect to the specified address';
  deepEqual(await read('/refused'), [
    refused,
    refused,
    refused,
    'TypeError: Specified address is missing port.',
    "TypeError: Failed to execute 'connect' on 'Fetcher': parameter 1 is not of type 'SocketAddress or string'.",
  ]);
  deepEqual(await read('/fails'), ['first', null]);
  equal(said.filter((line) => line === 'Error: lost on the way').length, 1);
  equal(await read('/close'), 'the caller has closed');
  deepEqual(await read('/methods'), [
    'tail 1',
    [null, null],
    "TypeError: 'alarm' is a reserved method and cannot be called over RPC.",
  ]);
  const [seen, ...explained] = (await read('/absent')) as string[];
  equal(seen, 'function');
  const expected = [
    /^Error: env.AI comes from ai, which is out of scope/,
    /^Error: env.BROWSER comes from browser/,
    /^Error: env.VECTORS comes from vectorize/,
    /^Error: env.HYPERDRIVE comes from hyperdrive/,
    /^TypeError: Cannot read properties of undefined \(reading 'start'\)$/,
    /^Error: ctx.container of Boxed comes from containers, which is out of scope/,
    /^function$/,
    /^Error: ctx.facets is not available here/,
    /^Error: ctx.mapVirtualHost\(\) is not available here/,
    /^RangeError: enough$/,
    /^traced$/,
  ];
  equal(explained.length, expected.length);
  for (const [at, pattern] of expected.entries()) match(explained[at]!, pattern);
});

test('queue and scheduled of a service binding call the handlers, with service_binding_extra_handlers', async (t) => {
  const path = createProject(t, project(['service_binding_extra_handlers']));
  const { text, said } = await startWorker(t, { path });
  const nothing = { ackAll: false, retryBatch: { retry: false }, explicitAcks: [], retryMessages: [] };
  deepEqual(JSON.parse(await text('/queue')), [
    { ...nothing, outcome: 'ok', ackAll: true },
    { ...nothing, outcome: 'ok', retryBatch: { retry: true, delaySeconds: 5 } },
    { ...nothing, outcome: 'ok', explicitAcks: ['a'], retryMessages: [{ msgId: 'b', delaySeconds: 3 }] },
    { ...nothing, outcome: 'exception' },
    "TypeError: Incorrect type for the 'timestamp' field on 'ServiceBindingQueueMessage': the provided value is not of type 'date'.",
    [
      ['jobs', [{ x: 1 }]],
      ['later', []],
    ],
  ]);
  deepEqual(JSON.parse(await text('/scheduled')), [
    { outcome: 'ok', noRetry: true },
    { outcome: 'exception', noRetry: false },
    [['* * * * *', 1000]],
  ]);
  deepEqual(
    said.filter((line) => line.includes('Error: ')),
    ['Error: cannot queue', 'TypeError: Handler does not export a scheduled() function.'],
  );
});
