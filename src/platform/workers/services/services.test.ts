/** Several Workers: service bindings, objects of another Worker, `ctx.exports`. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { createProject, type Files, startWorker, writeFiles } from '../testing.ts';

const site = {
  'site/wrangler.json': {
    name: 'site',
    main: 'index.ts',
    services: [
      { binding: 'AUTH', service: 'auth' },
      { binding: 'ADMIN', service: 'auth', entrypoint: 'Admin', props: { role: 'owner' } },
      { binding: 'SELF', service: 'site', entrypoint: 'Greeter' },
      { binding: 'NOBODY', service: 'nobody' },
    ],
    durable_objects: {
      bindings: [
        { name: 'ROOMS', class_name: 'Room' },
        { name: 'SESSIONS', class_name: 'Session', script_name: 'auth' },
      ],
    },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
    vars: { NAME: 'site' },
  },
  'site/index.ts': `
    import { DurableObject, WorkerEntrypoint, RpcTarget, env as ambient, exports } from 'cloudflare:workers';
    export class Greeter extends WorkerEntrypoint {
      greet(name) { return 'hello ' + name + ' from ' + this.env.NAME + ' ' + JSON.stringify(this.ctx.props); }
    }
    export class Room extends DurableObject {
      async ask() {
        return [await this.env.AUTH.check('object'), await this.env.SELF.greet('object'),
          await this.ctx.exports.Greeter({ props: { from: 'object' } }).greet('me'), this.env.NAME];
      }
    }
    export default {
      async fetch(request, env, ctx) {
        const url = new URL(request.url);
        switch (url.pathname) {
          case '/rpc': return Response.json([await env.AUTH.check('a'), await env.AUTH.counter().add(2),
            await env.ADMIN.role(), await env.AUTH.call((text) => text + '!')]);
          case '/fetch': return env.AUTH.fetch(request);
          case '/self': return Response.json([await env.SELF.greet('x'), await ctx.exports.Greeter.greet('y'),
            await exports.Greeter({ props: { p: 1 } }).greet('z'), ambient.NAME]);
          case '/loop': return ctx.exports.default.fetch('http://site/name');
          case '/name': return new Response(env.NAME);
          case '/object': return Response.json(await env.ROOMS.getByName('r').ask());
          case '/session': return Response.json(await env.SESSIONS.getByName('s').visit());
          case '/nobody': return env.NOBODY.fetch(request);
          case '/nobody-rpc': return new Response(await env.NOBODY.x().catch((error) => error.message));
          case '/errors': return Response.json([await env.AUTH.fail().catch((error) => error.name + ': ' + error.message),
            await env.AUTH.fetch('http://auth/throw').catch((error) => error.message),
            await env.AUTH.scheduled().catch((error) => error.message), await env.AUTH.none().catch((error) => error.message)]);
        }
      },
    };`,
};

const auth = {
  'auth/wrangler.toml': `
    name = "auth"
    main = "main.js"
    vars = { NAME = "auth" }
    [[durable_objects.bindings]]
    name = "OWN"
    class_name = "Session"
    [[migrations]]
    tag = "v1"
    new_sqlite_classes = ["Session"]`,
  'auth/main.js': `
    import { DurableObject, RpcTarget, WorkerEntrypoint, env as ambient } from 'cloudflare:workers';
    class Counter extends RpcTarget { #n = 0; add(n) { return (this.#n += n); } }
    export class Session extends DurableObject {
      async visit() {
        const visits = ((await this.ctx.storage.get('visits')) ?? 0) + 1;
        await this.ctx.storage.put('visits', visits);
        return [visits, this.env.NAME, ambient.NAME, Object.keys(this.ctx.exports).sort().join()];
      }
    }
    export class Admin extends WorkerEntrypoint { role() { return this.ctx.props.role; } }
    export default class extends WorkerEntrypoint {
      check(user) { return user + ' is known to ' + this.env.NAME + '/' + ambient.NAME; }
      counter() { return new Counter(); }
      call(callback) { return callback('called'); }
      fail() { throw new RangeError('refused'); }
      async fetch(request) {
        if (new URL(request.url).pathname === '/throw') throw new Error('thrown by auth');
        return new Response(request.method + ' ' + new URL(request.url).pathname + ' at ' + this.env.NAME);
      }
    };`,
};

test('service bindings call other Workers and their own, by fetch and by methods', async (t) => {
  const directory = createProject(t, { ...site, ...auth });
  const { said, fetch, text } = await startWorker(t, {
    path: `${directory}/site`,
    workers: [`${directory}/auth`],
  });
  deepEqual(said, [
    'env.NOBODY calls the Worker "nobody", which is not running here: start it too, with --worker and its path',
  ]);
  deepEqual(JSON.parse(await text('/rpc')), ['a is known to auth/auth', 2, 'owner', 'called!']);
  equal(await text('/fetch'), 'GET /fetch at auth');
  deepEqual(JSON.parse(await text('/self')), [
    'hello x from site {}',
    'hello y from site {}',
    'hello z from site {"p":1}',
    'site',
  ]);
  equal(await text('/loop'), 'site');
  deepEqual(JSON.parse(await text('/object')), [
    'object is known to auth/auth',
    'hello object from site {}',
    'hello me from site {"from":"object"}',
    'site',
  ]);
  deepEqual(JSON.parse(await text('/session')), [1, 'auth', 'auth', 'Admin,Session,default']);
  const absent = await fetch('/nobody');
  equal(absent.status, 503);
  equal(await absent.text(), 'Worker "nobody" not found. Make sure it is running locally.');
  match(await text('/nobody-rpc'), /Worker "nobody" not found/);
  deepEqual(JSON.parse(await text('/errors')), [
    'RangeError: refused',
    'thrown by auth',
    'The RPC receiver does not implement the method "scheduled".',
    'The RPC receiver does not implement the method "none".',
  ]);
});

test('a class keeps its objects when another Worker takes it over', async (t) => {
  const directory = createProject(t, { ...site, ...auth });
  const options = { path: `${directory}/site`, workers: [`${directory}/auth`] };
  const { worker, said, text } = await startWorker(t, options);
  equal(JSON.parse(await text('/session'))[0], 1);
  writeFiles(directory, {
    'site/wrangler.json': {
      ...site['site/wrangler.json'],
      durable_objects: {
        bindings: [
          { name: 'ROOMS', class_name: 'Room' },
          { name: 'SESSIONS', class_name: 'Visits' },
        ],
      },
      migrations: [
        { tag: 'v1', new_sqlite_classes: ['Room'] },
        { tag: 'v2', transferred_classes: [{ from: 'Session', from_script: 'auth', to: 'Visits' }] },
      ],
    },
    'site/index.ts': `${site['site/index.ts']}
      export class Visits extends DurableObject {
        async visit() { return [((await this.ctx.storage.get('visits')) ?? 0) + 1, this.env.NAME]; }
      }`,
  });
  await worker.reload();
  match(said.join('\n'), /have moved from auth to site: add "script_name": "site" to the binding OWN/);
  equal(JSON.parse(await text('/session'))[0], 2);
  const moved = (className: string): object => ({
    'auth/wrangler.toml': auth['auth/wrangler.toml'].replace(
      'class_name = "Session"',
      `script_name = "site"\nclass_name = "${className}"`,
    ),
  });
  writeFiles(directory, moved('Nothing') as Files);
  await worker.reload();
  match(
    said.join('\n'),
    /the Worker "site" has no objects of the class Nothing, which the binding OWN of "auth" names/,
  );
  equal(JSON.parse(await text('/session'))[0], 3);
  writeFiles(directory, moved('Visits') as Files);
  await worker.reload();
  equal(said.at(-1), 'reloaded', said.join('\n'));
  deepEqual(JSON.parse(await text('/session')), [4, 'site']);
});

test('ServiceEntry calls functions of a plain default export with one argument, env and ctx', async (t) => {
  const path = createProject(t, {
    'wrangler.json': {
      name: 'worker',
      main: 'index.js',
      compatibility_date: '2026-11-01',
      vars: { NAME: 'worker' },
      services: [{ binding: 'SELF', service: 'worker' }],
    },
    'index.js': `export default {
      greeting: 'hello',
      greet(name, env, ctx) { return [this.greeting, name, env.NAME, typeof ctx.waitUntil]; },
      async fetch(request, env) {
        const { SELF } = env;
        const failed = async (call) => await call().then(() => 'called', (error) => error.message);
        return Response.json([await SELF.greet('a'), await SELF.greeting, await failed(() => SELF.greet()),
          await failed(() => SELF.greet(1, 2)), await failed(() => SELF.none(1))]);
      },
    };`,
  });
  const { fetch } = await startWorker(t, { path });
  const [greeted, greeting, none, two, missing] = (await (await fetch('/')).json()) as string[];
  deepEqual([greeted, greeting], [['hello', 'a', 'worker', 'function'], 'hello']);
  for (const said of [none, two])
    match(said!, /^Attempted to call RPC function "greet" with the wrong number of arguments\./);
  equal(missing, 'The RPC receiver does not implement the method "none".');
});
