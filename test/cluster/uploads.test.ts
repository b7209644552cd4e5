/** Uploaded Workers on several hosts of one cluster: a Worker deployed at one runs on all, with one state. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import type { R2ObjectBody } from '#bindings';
import { joinCluster } from '#cluster';
import { createRuntime, DurableObject, type Runtime } from '#objects';
import { endWith } from '../../src/program/cli/watched/testing.ts';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { openRemoteStores, type StoreIds } from '../server/remote-stores.ts';
import { auth, bindings, migrate, objects, shop } from '../wrangler/bound-workers.ts';
import { type Envelope, UploadSite } from '../wrangler/upload-site.ts';
import { PostgresServer } from './postgres-server.ts';

let postgres: PostgresServer;
before(async () => {
  postgres = await PostgresServer.start();
});
after(() => postgres.stop());

const code = (version: string): string => `
  import { DurableObject } from 'cloudflare:workers';
  export class Counter extends DurableObject {
    async next() {
      const value = ((await this.ctx.storage.get('value')) ?? 0) + 1;
      await this.ctx.storage.put('value', value);
      return value + ' of ${version}';
    }
    async fetch() {
      return new Response(null, { status: 204, headers: { 'x-count': await this.next() } });
    }
  }
  export default {
    async fetch(request, env) {
      const { pathname, searchParams } = new URL(request.url);
      switch (pathname) {
        case '/count': return new Response(await env.COUNTER.getByName('one').next());
        case '/asked': return new Response(request.headers.get('x-count'));
        case '/secret': return new Response(env.SECRET);
        case '/kv/put': return new Response(String(await env.KV.put('key', searchParams.get('value'))));
        case '/kv/get': return new Response(await env.KV.get('key'));
        case '/d1/put': await env.DB.prepare('CREATE TABLE IF NOT EXISTS t (v TEXT)').run();
          return Response.json(await env.DB.prepare('INSERT INTO t VALUES (?)').bind(searchParams.get('value')).run());
        case '/d1/get': return new Response(await env.DB.prepare('SELECT group_concat(v) v FROM t').first('v'));
        case '/r2/put': await env.FILES.put('file', 'x'.repeat(Number(searchParams.get('bytes')))); return new Response('put');
        case '/r2/get': return new Response(String((await (await env.FILES.get('file')).text()).length));
        case '/send': await env.JOBS.send(searchParams.get('value')); return new Response('sent');
        default: return new Response('${version}');
      }
    },
    async scheduled({ scheduledTime }, env) {
      await env.KV.put('cron/' + scheduledTime + '/' + crypto.randomUUID(), '');
    },
    async queue(batch, env) {
      for (const message of batch.messages) await env.KV.put('job', message.body);
    },
  };`;

/** Reads a tail as Wrangler does. */
class TailReader implements AsyncDisposable {
  readonly urls: string[] = [];
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => {
      const { event } = JSON.parse(String(data)) as { event: { request?: { url: string } } };
      if (event.request !== undefined) this.urls.push(event.request.url);
    });
  }

  static async open(url: string): Promise<TailReader> {
    const socket = new WebSocket(url, 'trace-v1');
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
    await promise;
    return new TailReader(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
  }
}

async function startHosts(t: TestContext, url: string, count: number): Promise<UploadSite[]> {
  const hosts: UploadSite[] = [];
  for (let index = 0; index < count; index++)
    hosts.push(
      await UploadSite.start(t, { environment: { GATEHOUSE_CLUSTER: url }, token: hosts[0]?.ready.token }),
    );
  return hosts;
}

test('what is deployed at one host of a cluster runs at all, with its secrets, objects and stores', async (t) => {
  const url = await postgres.createDatabase();
  const database = new URL(url).pathname.slice(1);
  const [first, second] = (await startHosts(t, url, 2)) as [UploadSite, UploadSite];
  const { result: kv } = await first.call('POST A/storage/kv/namespaces', { title: 'values' });
  const { result: d1 } = await second.call('POST A/d1/database', { name: 'rows' });
  equal((await first.call('POST A/r2/buckets', { name: 'files' })).status, 200);
  const { result: queue } = await second.call('POST A/queues', { queue_name: 'jobs' });
  const metadata = {
    bindings: [
      { type: 'durable_object_namespace', name: 'COUNTER', class_name: 'Counter' },
      { type: 'kv_namespace', name: 'KV', namespace_id: kv.id },
      { type: 'd1', name: 'DB', id: d1.uuid },
      { type: 'r2_bucket', name: 'FILES', bucket_name: 'files' },
      { type: 'queue', name: 'JOBS', queue_name: 'jobs' },
    ],
  };
  const migrations = { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Counter'] }] };
  const uploaded = await first.deploy('shop', { code: code('one'), metadata: { ...metadata, migrations } });
  ok(uploaded.success, JSON.stringify(uploaded.errors));
  const hosts = [first, second];
  for (const host of hosts) await eventually(async () => (await host.read('shop')) === 'one');

  // From here on, one of the hosts calls it each minute.
  ok((await second.call('PUT W/shop/schedules', [{ cron: '* * * * *' }])).success);

  // An object is the same, whichever host is asked.
  equal(await first.read('shop', '/count'), '1 of one');
  equal(await second.read('shop', '/count'), '2 of one');

  // A rule that asks an object reaches the same one, whichever host has it.
  const zone = first.ready.zones.find(({ plan }) => plan === 'enterprise')!;
  const configure = async (path: string, body: unknown): Promise<void> =>
    equal((await first.call(`PUT /zones/${zone.id}/${path}`, body)).status, 200);
  const route = { pattern: `${zone.name}/*`, script: 'shop' };
  equal((await first.call(`POST /zones/${zone.id}/workers/routes`, route)).status, 200);
  const object = { worker: 'shop', class_name: 'Counter', name: { value: 'asked' } };
  const asking = { object, timeout_ms: 10_000, default_action: 'block', copy_headers: ['x-count'] };
  const asks = { action: 'ask', expression: 'http.request.uri.path eq "/asked"', action_parameters: asking };
  await configure('rulesets/phases/gatehouse_ask/entrypoint', { rules: [asks] });
  const readCount = async (host: UploadSite): Promise<number> => {
    const { status, body } = await host.ask(zone.name, '/asked');
    return status === 200 ? Number.parseInt(body, 10) || 0 : 0;
  };
  for (const host of hosts) await eventually(async () => (await readCount(host)) > 0, 'the rule is in force');
  const counts: number[] = [];
  for (const host of [first, second, first, second]) counts.push(await readCount(host));
  deepEqual(
    counts,
    [0, 1, 2, 3].map((more) => counts[0]! + more),
  );

  const secret = await second.call('PUT W/shop/secrets', {
    name: 'SECRET',
    text: 'known',
    type: 'secret_text',
  });
  ok(secret.success, JSON.stringify(secret.errors));
  for (const host of hosts) equal(await host.read('shop', '/secret'), 'known');
  equal(await first.read('shop', '/count'), '3 of one');

  await first.read('shop', '/kv/put?value=seen');
  equal(await second.read('shop', '/kv/get'), 'seen');
  await second.read('shop', '/d1/put?value=row');
  equal(await first.read('shop', '/d1/get'), 'row');
  await first.read('shop', '/r2/put?bytes=1500000');
  equal(await second.read('shop', '/r2/get'), '1500000');
  equal(
    (await second.call(`POST A/queues/${queue.queue_id}/consumers`, { type: 'worker', script_name: 'shop' }))
      .status,
    200,
  );
  await first.read('shop', '/send?value=done');
  await eventually(
    async () =>
      (await second.call(`GET A/storage/kv/namespaces/${kv.id}/keys?prefix=job`)).result.length === 1,
  );

  // Of two deployments at the same time at two hosts, one is refused and has changed nothing: the objects stay with one version.
  const counter = metadata.bindings.slice(0, 1);
  const twin = (text: string) => ({ code: code(text), metadata: { bindings: counter } });
  ok(
    (await first.deploy('twin', { code: code('before'), metadata: { bindings: counter, migrations } }))
      .success,
  );
  for (const host of hosts) await eventually(async () => (await host.read('twin')) === 'before');
  equal(await first.read('twin', '/count'), '1 of before');
  const refusals: (number | undefined)[] = [];
  await eventually(async () => {
    const answers = await Promise.all(hosts.map((host, index) => host.deploy('twin', twin(`of ${index}`))));
    refusals.push(...answers.flatMap(({ errors }) => errors.map((error) => error.code)));
    const winner = answers.findIndex(({ success }) => success);
    if (refusals.length === 0) return false;
    for (const host of hosts) await eventually(async () => (await host.read('twin')) === `of ${winner}`);
    equal(await first.read('twin', '/count'), `2 of of ${winner}`);
    equal(await second.read('twin', '/count'), `3 of of ${winner}`);
    return true;
  }, 'both begin before one is done');
  deepEqual(refusals, [10035]);

  // Static assets are sent to one host, and served by all.
  const page = '<h1>of all</h1>';
  const hash = createHash('md5').update(page).digest('hex');
  const manifest = { '/index.html': { hash, size: page.length } };
  const { result: session } = await first.call('POST W/pages/assets-upload-session', { manifest });
  const sent = await fetch(
    `${first.ready.api}/accounts/${first.ready.account_id}/workers/assets/upload/${hash}`,
    { method: 'POST', headers: { authorization: `Bearer ${session.jwt}` }, body: page },
  );
  const { result: complete } = (await sent.json()) as { result: { jwt: string } };
  const pages = await first.deploy('pages', {
    code: "export default { fetch: () => new Response('code') };",
    metadata: { assets: { jwt: complete.jwt, config: { _headers: '/*\n  x-from: rules\n' } } },
  });
  ok(pages.success, JSON.stringify(pages.errors));
  for (const host of hosts) {
    await eventually(async () => (await host.read('pages')) === page, 'each host has the files');
    equal((await host.ask('pages.workers.example')).headers['x-from'], 'rules');
  }

  await checkServices(first, second);
  await checkRemoteStores(hosts, { kv: kv.id, d1: d1.uuid });

  // Another version takes over the objects, and so does a rollback.
  const changed = await second.deploy('shop', { code: code('two'), metadata });
  ok(changed.success, JSON.stringify(changed.errors));
  equal(await first.read('shop'), 'two');
  equal(await first.read('shop', '/count'), '4 of two');
  equal(await second.read('shop', '/count'), '5 of two');
  const { result: versions } = await first.call('GET W/shop/versions');
  const back = await first.call('POST W/shop/deployments?force=true', {
    strategy: 'percentage',
    versions: [{ version_id: versions.items.at(-2).id, percentage: 100 }],
  });
  ok(back.success, JSON.stringify(back.errors));
  equal(await second.read('shop', '/count'), '6 of one');

  // A tail sees what happens at every host.
  const { result: tail } = await first.call('POST W/shop/tails', { filters: [] });
  await using reader = await TailReader.open(tail.url);
  await eventually(async () => {
    await second.read('shop', '/from-the-other-host');
    return reader.urls.some((url) => url.includes('/from-the-other-host'));
  });

  // Objects that another Worker takes over are its own at every host, and no longer those of the first.
  const counted = { bindings: metadata.bindings.slice(0, 1) };
  ok((await first.deploy('lender', { code: code('lender'), metadata: { ...counted, migrations } })).success);
  await eventually(async () => (await second.read('lender')) === 'lender');
  equal(await second.read('lender', '/count'), '1 of lender');
  const steps = [{ transferred_classes: [{ from: 'Counter', from_script: 'lender', to: 'Counter' }] }];
  const heir = { code: code('heir'), metadata: { ...counted, migrations: { new_tag: 'v1', steps } } };
  const taken = await second.deploy('heir', heir);
  ok(taken.success, JSON.stringify(taken.errors));
  for (const host of hosts) await eventually(async () => (await host.read('heir')) === 'heir');
  equal(await first.read('heir', '/count'), '2 of heir');
  equal(await second.read('heir', '/count'), '3 of heir');
  for (const [index, host] of hosts.entries()) {
    equal(await host.read('lender'), 'lender');
    equal(await host.read('lender', '/count'), `${4 + index} of heir`, 'it reaches them where they are');
  }
  for (const name of ['heir', 'lender']) equal((await first.call(`DELETE W/${name}`)).status, 200);

  // After a host is killed during a deployment, the old or the new version is in force, and the other host continues.
  const { result: known } = await second.call('GET W/shop/versions');
  const half = first.deploy('shop', { code: code('three'), metadata }).catch(() => undefined);
  first.server.process.kill('SIGKILL');
  await Promise.all([half, first.server.exited]);
  let answer = '';
  await eventually(async () => {
    answer = await second.read('shop', '/count').catch(() => '');
    return /^7 of (?:one|three)$/.test(answer);
  }, 'the other host runs the version that counts');
  let asked = 0;
  await eventually(async () => (asked = await readCount(second)) > 0, 'the rule asks the object');
  equal(asked, counts[3]! + 1);
  const { deployments } = (await second.call('GET W/shop/deployments')).result;
  const { result: listed } = await second.call('GET W/shop/versions');
  const { number } = listed.items.find(
    ({ id }: { id: string }) => id === deployments[0].versions[0].version_id,
  );
  equal(answer, number > known.items.length ? '7 of three' : '7 of one');

  // Its Workers call each other, and the objects that the other host had count on.
  let called: unknown;
  await eventually(async () => {
    called = await read(second, 'room').catch(() => undefined);
    return Array.isArray(called);
  }, 'Workers reach objects of another Worker');
  const [before, last, path] = called as [number, number, string];
  deepEqual([before >= 9, last - before, path], [true, 1, 'two a /y']);
  equal(await read(second, 'fetch'), 'two POST hello');

  // The remaining host continues with the crons; no minute was called twice.
  const listCalls = async (): Promise<string[]> =>
    (await second.call(`GET A/storage/kv/namespaces/${kv.id}/keys?prefix=cron/`)).result.map(
      ({ name }: { name: string }) => name.split('/')[1]!,
    );
  await eventually(async () => (await listCalls()).length > 0, 'the Worker is called when it is time');
  const minutes = await listCalls();
  equal(new Set(minutes).size, minutes.length, minutes.join(' '));

  const { result: service } = await second.call('GET A/workers/services/shop');
  equal((await second.call('DELETE W/shop')).status, 200);
  deepEqual(
    await postgres.execute(
      `SELECT nspname FROM pg_namespace WHERE nspname = 'gatehouse_worker_${service.default_environment.script.tag}'`,
      database,
    ),
    [],
    /.*could not remove the objects of a Worker.*/.exec(second.server.stderr)?.[0] ?? 'its schema is gone',
  );
});

/** The response of the bound Worker to one of its calls. */
async function read(host: UploadSite, call: string): Promise<unknown> {
  return JSON.parse(await host.read('caller', `/${call}`));
}

/** Service bindings and objects of another Worker, asked at either host, through a deployment at the other one. */
async function checkServices(first: UploadSite, second: UploadSite): Promise<void> {
  const own = [objects, { type: 'secret_text', name: 'SECRET', text: 'of auth' }];
  const deployAuth = (host: UploadSite, version: string, migrations: object = {}): Promise<Envelope> =>
    host.deploy('auth', { code: auth(version), metadata: { bindings: own, ...migrations } });
  ok((await deployAuth(second, 'one', { migrations: migrate('Room') })).success);
  const metadata = { bindings, migrations: migrate('Counter') };
  const deployed = await first.deploy('caller', { code: shop, metadata });
  ok(deployed.success, JSON.stringify(deployed.errors));
  let count = 0;
  for (const host of [first, second]) {
    const isServed = async (): Promise<boolean> =>
      (await host.ask('caller.workers.example', '/fetch')).status === 200;
    await eventually(isServed, 'each host has both Workers');
    equal(await read(host, 'fetch'), 'one POST hello');
    deepEqual(await read(host, 'rpc'), ['hello ann', 'bye bob', [{ by: 'shop' }, 'of auth']]);
    equal(await read(host, 'fail'), 'RangeError: not today');
    deepEqual(await read(host, 'room'), [++count, ++count, 'one a /y'], 'the objects are one');
    equal(await host.read('auth', '/own'), String(count));
    equal(await read(host, 'inside'), 1.5 * count, 'objects reach objects of the other Worker');
    deepEqual(await read(host, 'pass'), [[20, 'counter /through'], 2.5 * count, 14]);
  }
  ok((await deployAuth(first, 'two')).success);
  for (const host of [first, second]) {
    await eventually(
      async () => (await read(host, 'fetch')) === 'two POST hello',
      'each host calls the new version',
    );
    deepEqual(await read(host, 'room'), [++count, ++count, 'two a /y']);
  }
}

/** Stores that a remote program uses by `remote: true`: it reads at one host what it wrote at the other. */
async function checkRemoteStores(hosts: readonly UploadSite[], ids: StoreIds): Promise<void> {
  const [one, other] = hosts.map(({ ready: { api, token = '' } }) =>
    openRemoteStores({ CLOUDFLARE_API_BASE_URL: api, CLOUDFLARE_API_TOKEN: token }, ids),
  ) as [ReturnType<typeof openRemoteStores>, ReturnType<typeof openRemoteStores>];
  await one.KV.put('remote', 'kept', { metadata: { by: 'one' } });
  const { value, metadata } = (await other.KV.getWithMetadata('remote')) as {
    readonly value: unknown;
    readonly metadata: unknown;
  };
  deepEqual([value, metadata], ['kept', { by: 'one' }]);
  await other.DB.prepare("INSERT INTO t VALUES ('remote')").all();
  const { results } = (await one.DB.prepare('SELECT v FROM t ORDER BY rowid').all()) as { results: unknown };
  deepEqual(results, [{ v: 'row' }, { v: 'remote' }]);
  const upload = await one.FILES.createMultipartUpload('remote', { customMetadata: { by: 'parts' } });
  const part = await other.FILES.resumeMultipartUpload('remote', upload.uploadId).uploadPart(1, 'part');
  await one.FILES.resumeMultipartUpload('remote', upload.uploadId).complete([part]);
  const found = (await other.FILES.get('remote')) as R2ObjectBody;
  deepEqual([await found.text(), found.customMetadata], ['part', { by: 'parts' }]);
  await other.JOBS.send('sent from afar');
  await eventually(async () => (await one.KV.get('job')) === 'sent from afar', 'the consumer takes it');
}

class Counter extends DurableObject {
  async next(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }
}

test('joinCluster with a code waits for hosts of another, which do not come back', async (t) => {
  const url = await postgres.createDatabase();
  const open = async (code: string, waitMs: number): Promise<Runtime> => {
    const cluster = await joinCluster({ url, schema: 'gatehouse_worker_1', code, waitMs, listen: {} });
    const classes = { Counter: { class: Counter } };
    const runtime = await createRuntime({ cluster, directory: temporary(t), classes, log() {} });
    endWith(t, () => runtime.close());
    return runtime;
  };
  const old = await open('one', 2_000);
  equal(await old.namespace('Counter').getByName('a').next(), 1);
  // The first is not notified of the other: it notices that it cannot renew its lease.
  const next = await open('two', 60_000);
  equal(await next.namespace('Counter').getByName('a').next(), 2);
  await rejects(async () => await old.namespace('Counter').getByName('a').next());
  equal(await next.namespace('Counter').getByName('a').next(), 3);
});
