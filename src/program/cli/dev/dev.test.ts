/** `gatehouse dev` as users run it: real processes, real sockets, real files. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { call, Gatehouse, listServedAssets, temporary, writeAssets } from '../testing.ts';

function counterModule(version: string): string {
  return `
    import { DurableObject, env as ambient } from 'cloudflare:workers';
    import { Env } from './types';
    export class Counter extends DurableObject<Env> {
      async hit() {
        const hits = ((await this.ctx.storage.get<number>('hits')) ?? 0) + 1;
        await this.ctx.storage.put('hits', hits);
        return { hits, version: '${version}', greeting: this.env.GREETING };
      }
      async fetch() { return new Response('held'); }
      async alarm() { await this.ctx.storage.put('rang', '${version}'); }
      async ring(delay: number) { await this.ctx.storage.setAlarm(Date.now() + delay); }
      async rang() { return { rang: await this.ctx.storage.get('rang') }; }
    }
    export default {
      async fetch(request: Request, env: Env): Promise<Response> {
        const stub = env.COUNTERS.getByName('only');
        const { pathname } = new URL(request.url);
        if (pathname.includes('.')) return new Response('no asset');
        if (pathname === '/ring') { await stub.ring(200); return Response.json({}); }
        if (pathname === '/rang') return Response.json(await stub.rang());
        if (pathname === '/kv') return Response.json(await env.CACHE.get('x'));
        if (pathname === '/same') return Response.json(ambient.GREETING === env.GREETING);
        return Response.json(await stub.hit());
      },
    };`;
}

const counterProject = {
  'types.ts': 'export interface Env { COUNTERS: any; GREETING: string; CACHE: any }',
  'index.ts': counterModule('one'),
  'wrangler.jsonc': `{
    "name": "counter", "main": "./index.ts", // the module
    "durable_objects": { "bindings": [{ "name": "COUNTERS", "class_name": "Counter" }] },
    "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Counter"] }],
    "vectorize": [{ "binding": "CACHE", "index_name": "1" }],
    "vars": { "GREETING": "hi" },
    "assets": { "directory": "dist" },
  }`,
};

function createCounterProject(t: TestContext): string {
  const directory = temporary(t, counterProject);
  writeAssets(join(directory, 'dist'));
  return directory;
}

test('gatehouse dev runs a Worker, serves no file that Wrangler would not upload, reloads it, and keeps the old code when the new one is broken', async (t) => {
  const directory = createCounterProject(t);
  const dev = new Gatehouse(t, 'dev', directory);
  await dev.says(/vectorize is out of scope/);
  const url = await dev.url();
  assert.deepEqual(await call(url), { hits: 1, version: 'one', greeting: 'hi' });
  assert.equal(await call(`${url}/same`), true);
  assert.match(await call(`${url}/kv`), /env.CACHE comes from vectorize, which is out of scope/);
  await call(`${url}/ring`);
  assert.deepEqual(await listServedAssets(url), ['seen.txt']);

  writeFileSync(join(directory, 'index.ts'), counterModule('two'));
  await dev.says(/reloaded/);
  assert.deepEqual(await call(url), { hits: 2, version: 'two', greeting: 'hi' });

  writeFileSync(join(directory, 'index.ts'), 'export default {');
  await dev.says(/the code from before this change keeps running/);
  assert.deepEqual(await call(url), { hits: 3, version: 'two', greeting: 'hi' });

  writeFileSync(join(directory, 'index.ts'), 'export default {}');
  await dev.says(/does not export the class Counter, which the binding COUNTERS in .*wrangler.jsonc names/);
  assert.deepEqual(await call(url), { hits: 4, version: 'two', greeting: 'hi' });

  writeFileSync(join(directory, 'index.ts'), counterModule('three'));
  await dev.says(/reloaded/);
  assert.deepEqual(await call(url), { hits: 5, version: 'three', greeting: 'hi' });
  // The alarm was set under the first version.
  for (let rang; rang === undefined;) ({ rang } = await call(`${url}/rang`));
  assert.equal(await dev.end('SIGTERM'), 0);
});

test('gatehouse dev keeps what was acknowledged through kill -9', async (t) => {
  const directory = createCounterProject(t);
  const first = new Gatehouse(t, 'dev', directory, '--no-watch');
  const url = await first.url();
  for (let hits = 1; hits <= 5; hits++) assert.equal((await call(url)).hits, hits);
  await first.end('SIGKILL');
  const second = new Gatehouse(t, 'dev', directory, '--no-watch');
  assert.equal((await call(await second.url())).hits, 6);
});

test('gatehouse dev runs a bare module and writes the ready file', async (t) => {
  const directory = temporary(t, {
    'worker.js': `
      import { DurableObject, WorkerEntrypoint } from 'cloudflare:workers';
      export class Box extends DurableObject { size() { return this.ctx.storage.sql.databaseSize >= 0; } }
      export default class extends WorkerEntrypoint {
        async fetch(request) {
          if (request.method === 'POST') throw new Error('shown in development');
          return Response.json(await this.env.Box.getByName('a').size());
        }
      }`,
  });
  const args = ['dev', join(directory, 'worker.js'), '--persist-to', join(directory, 'state')];
  const readyFile = join(directory, 'ready.json');
  const dev = new Gatehouse(t, ...args, '--ready-file', readyFile);
  const url = await dev.url();
  assert.deepEqual(JSON.parse(readFileSync(readyFile, 'utf8')), { url });
  assert.equal(await call(url), true);
  assert.match(await call(url, 'POST'), /^Error: shown in development\n {4}at .*worker.js/);
  const again = new Gatehouse(
    t,
    'dev',
    join(directory, 'worker.js'),
    '--persist-to',
    join(directory, 'state'),
  );
  await assert.rejects(again.url(), /it ended after saying:\ngatehouse: /);
});

test('gatehouse dev lets a Worker and its objects pass streams and requests on', async (t) => {
  const origin = createServer((incoming, outgoing) => void incoming.pipe(outgoing));
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  t.after(() => origin.close());
  const { port } = origin.address() as AddressInfo;
  const directory = temporary(t, {
    'worker.js': `
      import { DurableObject } from 'cloudflare:workers';
      const origin = 'http://127.0.0.1:${port}/';
      export class Box extends DurableObject {
        async pass() { return (await fetch(origin, { method: 'POST', body: new Blob(['object']).stream() })).text(); }
      }
      export default {
        async fetch(request, env) {
          if (request.headers.has('x-init')) return fetch(origin, request);
          if (request.headers.has('x-new')) return fetch(new Request(origin, request));
          const { method, body } = request;
          const answer = await fetch(origin, { method, body });
          return new Response([await answer.text(), await env.Box.getByName('a').pass()].join(' '));
        },
      };`,
  });
  const dev = new Gatehouse(t, 'dev', join(directory, 'worker.js'), '--no-watch');
  const url = await dev.url();
  const send = async (headers: Record<string, string>): Promise<string> =>
    (await fetch(url, { method: 'POST', body: 'sent', headers })).text();
  assert.equal(await send({}), 'sent object');
  assert.equal(await send({ 'x-init': '1' }), 'sent');
  assert.equal(await send({ 'x-new': '1' }), 'sent');
});

test('gatehouse dev runs a package as npm init writes it, and says which flags it does not know', async (t) => {
  const directory = temporary(t, {
    'package.json': '{ "name": "fresh", "version": "1.0.0", "main": "index.js", "type": "commonjs" }',
    'index.js': `
      import { DurableObject } from 'cloudflare:workers';
      import { greet } from './greet.js';
      export class Room extends DurableObject {
        async leave() {
          await this.ctx.storage.setAlarm(Date.now() + 3_600_000);
          await this.ctx.storage.deleteAll();
          return greet(await this.ctx.storage.getAlarm());
        }
        alarm() {}
      }
      export default {
        fetch: async (request, env) => request.url.endsWith('/other')
          ? Response.json(await (await env.OTHER.fetch(request)).text())
          : Response.json(await env.ROOMS.getByName('a').leave()),
        scheduled: ({ cron }) => console.error('fired', cron),
      };`,
    'greet.js': 'export const greet = (alarm) => ({ alarm });',
    'other.js': "export default { fetch: () => new Response('from beside') };",
    'wrangler.toml': `
      name = "fresh"
      main = "index.js"
      compatibility_date = "2026-01-01"
      compatibility_flags = ["delete_all_deletes_alarm", "nodejs_compt"]
      services = [{ binding = "OTHER", service = "other" }]
      [[durable_objects.bindings]]
      name = "ROOMS"
      class_name = "Room"
      [[migrations]]
      tag = "v1"
      new_sqlite_classes = ["Room"]`,
  });
  const dev = new Gatehouse(t, 'dev', directory, '--no-watch', '--worker', join(directory, 'other.js'));
  await dev.says(
    /wrangler.toml: compatibility_flags: the flag nodejs_compt is not known .* did you mean nodejs_compat\?/,
  );
  const url = await dev.url();
  assert.deepEqual(await call(url), { alarm: null });
  assert.equal(await call(`${url}/other`), 'from beside');
  await fetch(`${url}/cdn-cgi/handler/scheduled?cron=0+0+*+*+*`);
  await dev.says(/fired 0 0 \* \* \*/);
});

test('gatehouse dev examples shows counters, to-do lists, reminders and recovery', async (t) => {
  const examples = fileURLToPath(new URL('../../../../examples', import.meta.url));
  const server = new Gatehouse(t, 'dev', examples, '--no-watch', '--persist-to', temporary(t));
  const url = await server.url();
  assert.ok((await call(`${url}/`)).routes.length > 5);
  assert.deepEqual(await call(`${url}/counter/a/increment?by=2`, 'POST'), { value: 2 });
  assert.deepEqual(await call(`${url}/counter/a`), { value: 2 });
  assert.deepEqual(await call(`${url}/counter/b`), { value: 0 });

  const milk = await call(`${url}/todo/home`, 'POST', { text: 'milk', remindInSeconds: 0 });
  assert.equal(milk.text, 'milk');
  await call(`${url}/todo/home/title`, 'PUT', { title: 'Shopping' });
  for (let reminded = false; !reminded;) [{ reminded }] = (await call(`${url}/todo/home`)).todos;
  const { bookmark } = await call(`${url}/todo/home/bookmark`);
  await call(`${url}/todo/home/${milk.id}`, 'DELETE');
  await call(`${url}/todo/home/title`, 'PUT', { title: 'Empty' });
  const restored = await call(`${url}/todo/home/restore`, 'POST', { bookmark });
  assert.deepEqual([restored.title, restored.todos.length], ['Shopping', 1]);
  const undone = await call(`${url}/todo/home/restore`, 'POST', { bookmark: restored.undo });
  assert.deepEqual([undone.title, undone.todos.length], ['Empty', 0]);

  assert.match((await call(`${url}/todo/home/restore`, 'POST', { bookmark: 'nonsense' })).error, /bookmark/);
  assert.match((await call(`${url}/todo/home/99/done`, 'POST')).error, /no such item/);
  assert.match((await call(`${url}/todo/home`, 'POST', [])).error, /text must be/);
  assert.match((await call(`${url}/nowhere`)).error, /no route GET \/nowhere/);
  assert.equal(await server.end('SIGINT'), 0);
});
