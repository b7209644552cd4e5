/** `remote: true`: projects of `gatehouse dev` and `gatehouse run` that use stores of an account of `gatehouse serve`. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { createBindings, type KvNamespace, noBindings } from '#bindings';
import { RemoteStores } from '../../src/workers/remote/remote-stores.ts';
import { eventually } from '../eventually.ts';
import { type Envelope, UploadSite } from '../wrangler/upload-site.ts';
import { Gatehouse, temporary } from './gatehouse.ts';

const source = `
import { DurableObject } from 'cloudflare:workers';
export class Room extends DurableObject {
  async use(name) {
    await this.ctx.storage.put('name', name);
    await this.env.KV.put('object', name);
    return [await this.env.KV.get('object'), await this.env.DB.prepare('SELECT count(*) FROM t').raw()];
  }
}
const calls = {
  get: ({ KV }, key) => KV.get(key),
  keep: async ({ KV }) => {
    await KV.put('bytes/ä', new Uint8Array([0, 255]), { metadata: { by: 'dev' }, expirationTtl: 3600 });
    await KV.put('plain', 'käse');
    const { value, metadata } = await KV.getWithMetadata('bytes/ä', 'arrayBuffer');
    await KV.put('gone', 'x');
    await KV.delete('gone');
    const { keys } = await KV.list({ prefix: 'bytes' });
    const first = await KV.list({ limit: 1 });
    const rest = await KV.list({ cursor: first.cursor });
    return {
      bytes: [...new Uint8Array(value)], metadata, gone: await KV.get('gone'),
      many: [...(await KV.getWithMetadata(['plain', 'none'])).entries()],
      listed: keys.map(({ name, metadata }) => [name, metadata]),
      pages: [first.keys.length, first.list_complete, rest.keys.map(({ name }) => name), rest.list_complete],
    };
  },
  short: ({ KV }) => KV.put('k', 'v', { expirationTtl: 5 }),
  sql: async ({ DB }) => {
    await DB.exec('CREATE TABLE t (a INTEGER PRIMARY KEY, b BLOB)');
    const insert = DB.prepare('INSERT INTO t VALUES (?, ?)');
    await DB.batch([insert.bind(1, 'one'), insert.bind(2, new Uint8Array([7, 8]))]);
    const session = DB.withSession();
    const twice = await session.prepare('SELECT a, a FROM t ORDER BY a').raw({ columnNames: true });
    return { twice, rows: (await DB.prepare('SELECT * FROM t WHERE a > ?').bind(1).all()).results, hasBookmark: session.getBookmark() !== null };
  },
  broken: ({ DB }) => DB.exec('INSERT INTO t VALUES (3, 1)\\nINSERT INTO none VALUES (1)'),
  object: ({ ROOMS }, name) => ROOMS.getByName(name).use(name),
  wrong: ({ WRONG }) => WRONG.get('key'),
  bucket: ({ FILES }) => FILES.get('key'),
  queue: async ({ JOBS }) => {
    await JOBS.send({ n: 1 });
    await JOBS.sendBatch([{ body: 'text', contentType: 'text' }, { body: new Uint8Array([9]), contentType: 'bytes' }]);
    return (await JOBS.metrics()).backlogCount;
  },
  cloned: ({ JOBS }) => JOBS.send(1, { contentType: 'v8' }),
  nowhere: ({ NOWHERE }) => NOWHERE.send(1),
  seen: (env) => [JSON.stringify(env), JSON.stringify(process.env), Object.keys(env)],
  direct: (_env, url) => fetch(url).then(({ status }) => status),
};
export default {
  async fetch(request, env) {
    const [call, argument] = await request.json();
    try {
      return Response.json((await calls[call](env, argument)) ?? null);
    } catch (error) {
      return Response.json(String(error.cause ?? error));
    }
  },
};`;

interface Stores {
  readonly kv: string;
  readonly d1: string;
}

function writeProject(directory: string, { kv, d1 }: Stores): void {
  const config = {
    name: 'shop',
    main: 'index.mjs',
    compatibility_date: '2026-11-01',
    compatibility_flags: ['nodejs_compat'],
    durable_objects: { bindings: [{ name: 'ROOMS', class_name: 'Room' }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: ['Room'] }],
    kv_namespaces: [
      { binding: 'KV', id: kv, remote: true },
      { binding: 'WRONG', id: 'f'.repeat(32), remote: true },
    ],
    d1_databases: [{ binding: 'DB', database_name: 'shop', database_id: d1, remote: true }],
    r2_buckets: [{ binding: 'FILES', bucket_name: 'files', remote: true }],
    queues: {
      producers: [
        { binding: 'JOBS', queue: 'jobs', remote: true },
        { binding: 'NOWHERE', queue: 'nowhere', remote: true },
      ],
    },
  };
  writeFileSync(join(directory, 'wrangler.json'), JSON.stringify(config));
  writeFileSync(join(directory, 'index.mjs'), source);
}

interface Program {
  readonly server: Gatehouse;
  ask(...call: readonly unknown[]): Promise<unknown>;
}

async function start(
  t: TestContext,
  command: 'dev' | 'run',
  stores: Stores,
  environment: Readonly<Record<string, string>>,
): Promise<Program> {
  const directory = temporary(t);
  writeProject(directory, stores);
  const place =
    command === 'dev'
      ? ['--hosts', '2', '--dashboard-port', 'off']
      : ['--data', 'data', '--object-hosts', '2'];
  const args = ['.', '--port', '0', '--ready-file', 'ready.json', ...place];
  const server = new Gatehouse(t, { command, directory, args, environment });
  const file = join(directory, 'ready.json');
  await eventually(() => existsSync(file), `gatehouse ${command} is ready`);
  const { url } = JSON.parse(readFileSync(file, 'utf8')) as { url: string };
  return {
    server,
    async ask(...call) {
      const response = await fetch(url, { method: 'POST', body: JSON.stringify(call) });
      return await response.json();
    },
  };
}

function openKv(environment: Readonly<Record<string, string>>, id: string): KvNamespace {
  const remote = new RemoteStores(environment);
  const declared = { ...noBindings, kvNamespaces: [{ name: 'KV', id, isRemote: true as const }] };
  const namespaceOf = (): never => ok(false, 'nothing is kept here') as never;
  const openRemote = remote.open.bind(remote);
  return createBindings(declared, { namespaceOf, openRemote, queueContentType: 'json' })['KV'] as KvNamespace;
}

test('a project uses KV, D1 and queues of an account by id, and says what it cannot reach', async (t) => {
  const site = await UploadSite.start(t);
  const { api, token = '', account_id: account } = site.ready;
  const environment = { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token };
  const { result: namespace } = await site.call('POST A/storage/kv/namespaces', { title: 'cache' });
  const { result: database } = await site.call('POST A/d1/database', { name: 'shop' });
  const { result: queue } = await site.call('POST A/queues', { queue_name: 'jobs' });
  const stores = { kv: namespace.id as string, d1: database.uuid as string };
  const values = `A/storage/kv/namespaces/${stores.kv}`;
  const readValue = async (key: string): Promise<unknown> =>
    (await site.call(`POST ${values}/bulk/get`, { keys: [key] })).result.values[key].value;
  const query = (sql: string): Promise<Envelope> =>
    site.call(`POST A/d1/database/${stores.d1}/query`, { sql });

  const dev = await start(t, 'dev', stores, environment);
  await site.call(`PUT ${values}/bulk`, [{ key: 'api', value: 'written by the API' }]);
  equal(await dev.ask('get', 'api'), 'written by the API');
  equal(await dev.ask('get', 'none'), null);
  deepEqual(await dev.ask('keep'), {
    bytes: [0, 255],
    metadata: { by: 'dev' },
    gone: null,
    many: [
      ['plain', { value: 'käse', metadata: null }],
      ['none', null],
    ],
    listed: [['bytes/ä', { by: 'dev' }]],
    pages: [1, false, ['bytes/ä', 'plain'], true],
  });
  equal(await readValue('plain'), 'käse');
  match(String(await dev.ask('short')), /^Error: KV PUT failed: 400 Invalid expiration_ttl of 5/);
  deepEqual(await dev.ask('sql'), {
    twice: [
      ['a', 'a'],
      [1, 1],
      [2, 2],
    ],
    rows: [{ a: 2, b: [7, 8] }],
    hasBookmark: true,
  });
  match(
    String(await dev.ask('broken')),
    /Error in line 2: INSERT INTO none VALUES \(1\): no such table: none/,
  );
  deepEqual(
    (await query('SELECT count(*) AS n FROM t')).result[0].results,
    [{ n: 2 }],
    'half a call leaves nothing',
  );
  deepEqual(await dev.ask('object', 'a room'), ['a room', [[2]]]);
  equal(await readValue('object'), 'a room');

  match(
    String(await dev.ask('wrong')),
    /WRONG \(remote: true\): the KV namespace f{32} of http.* was not found: correct its id/,
  );
  match(
    String(await dev.ask('bucket')),
    /FILES \(remote: true\): the bucket files of the account cannot be used from here/,
  );
  equal(await dev.ask('queue'), 3);
  match(String(await dev.ask('cloned')), /content type v8 cannot be sent to a queue with remote: true/);
  match(String(await dev.ask('nowhere')), /NOWHERE \(remote: true\): the account has no queue nowhere/);
  const refused = await site.call(`POST A/queues/${queue.queue_id}/messages`, {
    body: 1,
    content_type: 'text',
  });
  equal(refused.errors[0]?.code, 11901);
  const taker = `export default {
    fetch: async (request, env) => Response.json(await env.KV.get('taken')),
    queue: ({ messages }, env) =>
      env.KV.put('taken', JSON.stringify(messages.map(({ body }) => (body instanceof ArrayBuffer ? [...new Uint8Array(body)] : body)))),
  };`;
  const bindings = [{ type: 'kv_namespace', name: 'KV', namespace_id: stores.kv }];
  ok((await site.deploy('taker', { code: taker, metadata: { bindings } })).success);
  const consumer = { type: 'worker', script_name: 'taker', settings: { batch_size: 3 } };
  ok((await site.call(`POST A/queues/${queue.queue_id}/consumers`, consumer)).success);
  await eventually(
    async () => (await dev.ask('get', 'taken')) === '[{"n":1},"text",[9]]',
    'a Worker of the server takes what the project has sent',
  );
  match(dev.server.stderr, /FILES \(remote: true\)/);
  ok(!JSON.stringify(await dev.ask('seen')).includes(token), 'code of the Worker does not see the token');

  // Nobody else gets to the server this way: private addresses stay closed to the code itself.
  const run = await start(t, 'run', stores, environment);
  equal(await run.ask('get', 'plain'), 'käse');
  deepEqual(await run.ask('object', 'of run'), ['of run', [[2]]]);
  equal(await dev.ask('get', 'object'), 'of run');
  match(String(await run.ask('direct', api)), /private address/);
  for (const { server } of [dev, run])
    ok(!(server.stdout + server.stderr).includes(token), 'no log has the token');

  const open = (env: Readonly<Record<string, string>>): KvNamespace => openKv(env, stores.kv);
  await rejects(open({}).get('key'), /KV \(remote: true\): no server is named: set CLOUDFLARE_API_BASE_URL/);
  await rejects(open({ CLOUDFLARE_BASE_URL: 'nowhere' }).get('key'), /CLOUDFLARE_BASE_URL must be a URL/);
  await rejects(open({ CLOUDFLARE_BASE_URL: api }).get('key'), /there are no credentials for http/);
  const wrongToken = { ...environment, CLOUDFLARE_API_TOKEN: 'x'.repeat(40) };
  for (const extra of [{}, { CLOUDFLARE_ACCOUNT_ID: account }])
    await rejects(open({ ...wrongToken, ...extra }).get('key'), (error: Error) => {
      match(error.message, /CLOUDFLARE_API_TOKEN may not use the KV namespace .* "Workers KV Storage Write"/);
      ok(!error.message.includes('xxxx'), 'an error does not repeat the token');
      return true;
    });
  await rejects(
    open({ ...environment, CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1/client/v4' }).put('key', 'x'),
    /KV \(remote: true\): http:\/\/127\.0\.0\.1:1\/client\/v4 does not answer/,
  );
});

test('a value that a server is too busy for is sent again, whole', async (t) => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    const isBusy = bodies.length === 1;
    response.writeHead(isBusy ? 429 : 200, { 'content-type': 'application/json' });
    const errors = isBusy ? [{ code: 971, message: 'slower' }] : [];
    response.end(JSON.stringify({ success: !isBusy, result: null, errors, messages: [] }));
  });
  t.after(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const kv = openKv(
    {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'a',
    },
    'n',
  );
  await kv.put('key', 'the value');
  deepEqual(bodies, ['the value', 'the value']);
});
