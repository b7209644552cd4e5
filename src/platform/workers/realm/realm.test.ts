/** The global object of a Worker, and the time in which its modules run for the first time. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createProject, startWorker } from '../testing.ts';

const own = { process, console, performance, fetch: globalThis.fetch };

/** Answers with the result of the function `answer`. */
function answering(before: string, answer: string): string {
  return `${before}\nexport default { async fetch(request, env, ctx) { return Response.json(await (${answer})(request, env, ctx)); } };`;
}

test('createWorkerGlobal keeps what a Worker assigns, deletes and freezes from the program and from other Workers', async (t) => {
  const vandal = `
    import imported from 'node:process';
    process.version = 'v99'; process.env.MADE = 'up';
    process.exitCode = 3; process.stderr.write = () => 'silent';
    const before = process;
    globalThis.process = { version: 'mine', env: process.env };
    console = { log: () => 'mine' };
    globalThis.performance = { mark: () => 42 };
    const { fetch: plainFetch } = globalThis;
    globalThis.fetch = async () => new Response('mine');
    globalThis.answer = 42;
    Object.defineProperty(globalThis, 'navigator', { value: 'mine' });
    delete globalThis.caches;
    delete globalThis.Promise;
    globalThis.Promise ??= before.constructor;
    globalThis.Array = undefined;
    Object.freeze(globalThis);
    const isFrozen = Object.isFrozen(globalThis);`;
  const asked = `async () => [process.version, before.version, imported === before, console.log(), performance.mark(),
    await (await fetch('http://nowhere.invalid')).text(), answer, navigator, typeof caches, isFrozen, self === globalThis,
    globalThis.Array === undefined && Array.isArray([]), process.env.MADE, process.env.GREETING]`;
  const config = (name: string): object => ({
    name,
    main: 'index.js',
    compatibility_date: '2026-11-01',
    vars: { GREETING: 'hi' },
    services: [{ binding: 'OTHER', service: 'other' }],
  });
  const first = createProject(t, { 'wrangler.json': config('vandal'), 'index.js': answering(vandal, asked) });
  const other = createProject(t, {
    'wrangler.json': config('other'),
    'index.js': answering(
      '',
      '() => [process.version, typeof console.log, typeof caches, typeof answer, navigator.userAgent, process.env.MADE]',
    ),
  });
  const { fetch, worker } = await startWorker(t, { path: other, workers: [first] });
  const [version, ...rest] = (await (await fetch('/')).json()) as unknown[];
  equal(version, process.version);
  deepEqual(rest, ['function', 'object', 'number', 'Cloudflare-Workers', null]);
  deepEqual({ process, console, performance, fetch: own.fetch }, own);
  equal(process.exitCode, undefined);
  equal(typeof process.stderr.write(''), 'boolean');
  void worker;
  const alone = await startWorker(t, { path: first });
  deepEqual(await (await alone.fetch('/')).json(), [
    ...['mine', 'v99', true, 'mine', 42, 'mine', 42, 'mine', 'undefined', true, true, true, 'up', 'hi'],
  ]);
});

test('createOwnProcess refuses what would end or change the process', async (t) => {
  const path = createProject(t, {
    'index.mjs': answering(
      "import { exit } from 'node:process';",
      `() => [exit, process.exit, process.abort, process.kill, process.chdir, process.send].map((each) => {
        try { return each === undefined ? 'none' : each(0); } catch (error) { return error.message; }
      })`,
    ),
  });
  const { fetch } = await startWorker(t, { path: `${path}/index.mjs` });
  for (const said of (await (await fetch('/')).json()) as string[])
    match(said, /^(none|process\.\w+\(\) is not open to a Worker: )/);
});

test('loadPlan shows env at the top of a module, and what is kept from there works later', async (t) => {
  const path = createProject(t, {
    'wrangler.json': {
      main: 'index.js',
      compatibility_date: '2026-11-01',
      vars: { GREETING: 'hi' },
      kv_namespaces: [{ binding: 'KV', id: 'kv' }],
      durable_objects: { bindings: [{ name: 'ROOM', class_name: 'Room' }] },
      migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
      services: [{ binding: 'SELF', service: 'worker' }],
    },
    'index.js': answering(
      `import { env, DurableObject } from 'cloudflare:workers';
       export class Room extends DurableObject { hello() { return this.env.GREETING; } }
       const { KV, ROOM, GREETING } = env;
       const id = ROOM.idFromName('a');
       const names = Object.keys(env);
       const later = setTimeout;
       const refusals = {};
       const note = (name) => (error) => { refusals[name] = error.message; };
       for (const [name, body] of Object.entries({
         fetch: () => fetch('http://nowhere.invalid'), timer: () => setTimeout(() => {}, 1), uuid: () => crypto.randomUUID(),
         random: () => crypto.getRandomValues(new Uint8Array(1)), stub: () => ROOM.get(id), kv: () => KV.get('a'),
         service: () => env.SELF.fetch('http://a'), wait: () => scheduler.wait(1), interval: () => setInterval(() => {}, 1),
       })) try { Promise.resolve(body()).catch(note(name)); } catch (error) { note(name)(error); }
       const fine = [typeof Math.random(), (await crypto.subtle.digest('SHA-256', new Uint8Array(1))).byteLength];`,
      `async () => {
         await KV.put('a', 'kept');
         await new Promise((resolve) => later(resolve, 1));
         return [GREETING, names, await ROOM.get(id).hello(), await KV.get('a'), fine, refusals, crypto.randomUUID().length];
       }`,
    ),
  });
  const { fetch } = await startWorker(t, { path });
  const [greeting, names, hello, kept, fine, refusals, length] = (await (await fetch('/')).json()) as [
    string,
    string[],
    string,
    string,
    unknown[],
    Record<string, string>,
    number,
  ];
  deepEqual([greeting, hello, kept, fine, length], ['hi', 'hi', 'kept', ['number', 32], 36]);
  deepEqual(names.toSorted(), ['GREETING', 'KV', 'ROOM', 'SELF']);
  deepEqual(Object.keys(refusals).toSorted(), [
    ...['fetch', 'interval', 'kv', 'random', 'service', 'stub', 'timer', 'uuid', 'wait'],
  ]);
  for (const said of Object.values(refusals))
    match(said, /^Disallowed operation called within global scope\. /);
});
