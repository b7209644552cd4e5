/** `remote: true`: projects of `gatehouse dev` and `gatehouse run` that use stores of an account of `gatehouse serve`. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import type { KvNamespace } from '#bindings';
import { eventually } from '../eventually.ts';
import { type Envelope, UploadSite } from '../wrangler/upload-site.ts';
import { Gatehouse, temporary } from './gatehouse.ts';
import { openRemoteStores, type StoreIds } from './remote-stores.ts';

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
  bucket: async ({ FILES }) => {
    const sha256 = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('käse'));
    const put = await FILES.put('a/ä b', 'käse', {
      sha256, storageClass: 'InfrequentAccess',
      httpMetadata: { contentType: 'text/x', cacheExpiry: new Date(86_400_000) }, customMetadata: { by: 'dev' },
    });
    const head = await FILES.head('a/ä b');
    const ranged = await FILES.get('a/ä b', { range: { offset: 1, length: 2 } });
    const suffix = await FILES.get('a/ä b', { range: new Headers({ range: 'bytes=-2' }) });
    const unmet = await FILES.get('a/ä b', { onlyIf: { etagDoesNotMatch: put.etag } });
    const notPut = await FILES.put('a/ä b', 'other', { onlyIf: new Headers({ 'if-none-match': '*' }) });
    for (const key of ['a/2', 'b', 'c']) await FILES.put(key, key);
    const folded = await FILES.list({ delimiter: '/', include: ['customMetadata'] });
    const first = await FILES.list({ limit: 1, include: ['customMetadata'] });
    const rest = await FILES.list({ cursor: first.cursor, startAfter: 'a/2' });
    await FILES.delete(['b', 'c', 'none']);
    return {
      head: { ...head, checksums: head.checksums.toJSON() }, same: put.version === head.version,
      ranged: [await ranged.text(), ranged.range], suffix: await suffix.text(), unmet: [unmet.size, 'body' in unmet], notPut,
      none: [await FILES.get('none'), await FILES.head('none')],
      folded: [folded.objects.map(({ key }) => key), folded.delimitedPrefixes],
      pages: [first.objects.map(({ key, customMetadata }) => [key, customMetadata]), first.truncated, rest.objects.length, rest.truncated],
      left: (await FILES.list()).objects.map(({ key }) => key),
    };
  },
  stream: async ({ FILES }) => {
    const chunk = new Uint8Array(65_536).fill(7);
    let left = 40;
    await FILES.put('long', new ReadableStream({ pull: (to) => (left-- > 0 ? to.enqueue(chunk) : to.close()) }));
    const found = await FILES.get('long');
    let length = 0;
    for await (const each of found.body) length += each.length;
    const upload = await FILES.createMultipartUpload('parts', { customMetadata: { in: 'parts' } });
    const sizes = [5 * 1024 * 1024, 3];
    const parts = [];
    for (const [at, size] of sizes.entries())
      parts.push(await FILES.resumeMultipartUpload('parts', upload.uploadId).uploadPart(at + 1, new Uint8Array(size)));
    const whole = await upload.complete(parts);
    const aborted = await FILES.createMultipartUpload('parts');
    await aborted.abort();
    const refused = await aborted.uploadPart(1, 'x').catch(String);
    return [length, whole.size, (await FILES.head('parts')).customMetadata, refused];
  },
  badDigest: ({ FILES }) => FILES.put('bad', 'x', { md5: '0'.repeat(32) }),
  badRange: ({ FILES }) => FILES.get('a/ä b', { range: { offset: 100 } }),
  badKey: ({ FILES }) => FILES.get('k'.repeat(1025)),
  badStream: ({ FILES }) =>
    FILES.put('bad', new ReadableStream({ pull() { throw new Error('the source has failed'); } })),
  noBucket: ({ NO_FILES }) => NO_FILES.head('key'),
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

function writeProject(directory: string, { kv, d1 }: StoreIds): void {
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
    r2_buckets: [
      { binding: 'FILES', bucket_name: 'files', remote: true },
      { binding: 'NO_FILES', bucket_name: 'no-files', remote: true },
    ],
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
  stores: StoreIds,
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

test('a project uses KV, D1, queues and R2 of an account by id, and says what it cannot reach', async (t) => {
  const site = await UploadSite.start(t);
  const { api, token = '', account_id: account } = site.ready;
  const environment = { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token };
  const { result: namespace } = await site.call('POST A/storage/kv/namespaces', { title: 'cache' });
  const { result: database } = await site.call('POST A/d1/database', { name: 'shop' });
  ok((await site.call('POST A/r2/buckets', { name: 'files' })).success);
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
  await checkBucket(site, dev);
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
  ok(!JSON.stringify(await dev.ask('seen')).includes(token), 'code of the Worker does not see the token');

  // No other code reaches the server this way: private addresses stay blocked for the code itself.
  const run = await start(t, 'run', stores, environment);
  equal(await run.ask('get', 'plain'), 'käse');
  deepEqual(await run.ask('object', 'of run'), ['of run', [[2]]]);
  deepEqual(await run.ask('stream'), await dev.ask('stream'));
  equal(await dev.ask('get', 'object'), 'of run');
  match(String(await run.ask('direct', api)), /private address/);
  for (const { server } of [dev, run])
    ok(!(server.stdout + server.stderr).includes(token), 'no log has the token');

  const open = (env: Readonly<Record<string, string>>): KvNamespace => openRemoteStores(env, stores).KV;
  await rejects(open({}).get('key'), /KV \(remote: true\): no server given: set CLOUDFLARE_API_BASE_URL/);
  await rejects(open({ CLOUDFLARE_BASE_URL: 'nowhere' }).get('key'), /CLOUDFLARE_BASE_URL must be a URL/);
  await rejects(open({ CLOUDFLARE_BASE_URL: api }).get('key'), /there are no credentials for http/);
  const wrongToken = { ...environment, CLOUDFLARE_API_TOKEN: 'x'.repeat(40) };
  for (const extra of [{}, { CLOUDFLARE_ACCOUNT_ID: account }])
    await rejects(open({ ...wrongToken, ...extra }).get('key'), (error: Error) => {
      match(error.message, /CLOUDFLARE_API_TOKEN may not use the KV namespace .* "Workers KV Storage Write"/);
      ok(!error.message.includes('xxxx'), 'an error does not repeat the token');
      return true;
    });
  await checkPermissions(site, stores);
  await rejects(
    open({ ...environment, CLOUDFLARE_API_BASE_URL: 'http://127.0.0.1:1/client/v4' }).put('key', 'x'),
    /KV \(remote: true\): http:\/\/127\.0\.0\.1:1\/client\/v4 does not answer/,
  );
});

/** A token that may read KV: everything else says which permission it lacks. */
async function checkPermissions(site: UploadSite, stores: StoreIds): Promise<void> {
  const { api, account_id: account } = site.ready;
  const { result: groups } = await site.call('GET /user/tokens/permission_groups');
  const group = groups.find(({ name }: { name: string }) => name === 'Workers KV Storage Read');
  const resources = { [`com.cloudflare.api.account.${account}`]: '*' };
  const { result: token } = await site.call('POST /user/tokens', {
    name: 'reads KV',
    policies: [{ effect: 'allow', resources, permission_groups: [{ id: group.id }] }],
  });
  const environment = { CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token.value as string };
  const { KV, DB, FILES, JOBS } = openRemoteStores(
    { ...environment, CLOUDFLARE_ACCOUNT_ID: account },
    stores,
  );
  equal(await KV.get('plain'), 'käse');
  const refusals: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['Workers KV Storage Write', () => KV.put('plain', 'other')],
    ['D1 Write', () => DB.prepare('SELECT 1').all()],
    ['Workers R2 Storage Write', () => FILES.put('a', 'b')],
    ['Workers R2 Storage Write', () => FILES.get('a')],
    ['Queues Write', () => JOBS.send(1)],
  ];
  for (const [permission, call] of refusals)
    await rejects(call(), ({ message }: Error) => {
      match(
        message,
        new RegExp(`CLOUDFLARE_API_TOKEN may not use .*: give the token the permission "${permission}"`),
      );
      return true;
    });
  equal(await KV.get('plain'), 'käse');
}

async function checkBucket(site: UploadSite, dev: Program): Promise<void> {
  const { head, ...seen } = (await dev.ask('bucket')) as Record<string, any>;
  const { version, uploaded, checksums, ...told } = head;
  match(version, /^[0-9a-f]{32}$/);
  ok(Date.parse(uploaded) > 0);
  equal(checksums.sha256.length, 64);
  deepEqual(told, {
    key: 'a/ä b',
    size: 5,
    etag: checksums.md5,
    httpEtag: `"${checksums.md5}"`,
    httpMetadata: { contentType: 'text/x', cacheExpiry: '1970-01-02T00:00:00.000Z' },
    customMetadata: { by: 'dev' },
    range: { offset: 0, length: 5 },
    storageClass: 'InfrequentAccess',
  });
  deepEqual(seen, {
    same: true,
    ranged: ['ä', { offset: 1, length: 2 }],
    suffix: 'se',
    unmet: [5, false],
    notPut: null,
    none: [null, null],
    folded: [['b', 'c'], ['a/']],
    pages: [[['a/2', {}]], true, 3, false],
    left: ['a/2', 'a/ä b'],
  });
  const long = 40 * 65_536;
  const refused = 'Error: uploadPart: The specified multipart upload does not exist. (10024)';
  deepEqual(await dev.ask('stream'), [long, 5 * 1024 * 1024 + 3, { in: 'parts' }, refused]);
  match(
    String(await dev.ask('badDigest')),
    /^Error: put: The MD5 checksum you specified did not match.*\(10037\)$/s,
  );
  match(String(await dev.ask('badRange')), /^Error: get: The requested range is not satisfiable \(10039\)$/);
  match(String(await dev.ask('badKey')), /^Error: get: The specified object name is not valid\. \(10020\)$/);
  match(String(await dev.ask('badStream')), /the source has failed/);
  match(
    String(await dev.ask('noBucket')),
    /NO_FILES \(remote: true\): the bucket no-files of http.* was not found/,
  );
  const bucket = `${site.ready.api}/accounts/${site.ready.account_id}/r2/buckets/files`;
  const headers = { authorization: `Bearer ${site.ready.token}` };
  equal(await (await fetch(`${bucket}/objects/a/%C3%A4%20b`, { headers })).text(), 'käse');
  const refuse = async (call: string, body: string): Promise<unknown> => {
    const type = call === 'get' ? 'application/json' : 'application/octet-stream';
    const init = { method: 'POST', headers: { ...headers, 'content-type': type }, body };
    const answer = (await (await fetch(`${bucket}/calls/${call}`, init)).json()) as Envelope;
    return answer.errors.map(({ code, message }) => `${code} ${message}`).join();
  };
  match(String(await refuse('get', '{"key":"a","range":{"offset":-1}}')), /range\/offset|offset/);
  match(String(await refuse('put', 'no line')), /^10020 .*must follow a line of JSON/);
  match(String(await refuse('put', '{"key":\nx')), /^10020 .*is not JSON/);
  match(String(await refuse('put', '{"key":"a"}\nx')), /required/);
  match(String(await refuse('upload_part', '{"key":"a","upload":"u","number":0}\nx')), /number|between/);
  equal((await site.call('POST A/r2/buckets/files/calls/head', { key: 'a' })).result.object, null);
}

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
  const { KV: kv } = openRemoteStores(
    {
      CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${port}/client/v4`,
      CLOUDFLARE_API_TOKEN: 'token',
      CLOUDFLARE_ACCOUNT_ID: 'a',
    },
    { kv: 'n', d1: '' },
  );
  await kv.put('key', 'the value');
  deepEqual(bodies, ['the value', 'the value']);
});
