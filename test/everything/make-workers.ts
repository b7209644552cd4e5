/**
 * Everything that Workers store: the stores of the account with data in each, a Worker with objects of both kinds of
 * storage, alarms, secrets, routes, versions and assets, and a Worker of the configuration with a running workflow.
 */
import { createHash } from 'node:crypto';
import { ok } from 'node:assert/strict';
import { createForm } from '../wrangler/upload-site.ts';
import type { Made, Maker } from './maker.ts';

/** The data that the Worker writes for `/make`, and returns for `/read`. */
const holder = `
import { DurableObject } from 'cloudflare:workers';
export class Ledger extends DurableObject {
  alarm() {}
  async make() {
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT, bytes BLOB)');
    for (let id = 1; id <= 20; id++)
      this.ctx.storage.sql.exec('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)', id, 'row ' + id, new Uint8Array([id, 0, 255]));
    await this.ctx.storage.put('map', new Map([['date', new Date(86400000)], ['big', 12345678901234567890n]]));
    await this.ctx.storage.setAlarm(4102444800000);
  }
  async read() {
    const rows = this.ctx.storage.sql.exec('SELECT id, text, hex(bytes) AS bytes FROM rows ORDER BY id').toArray();
    const map = await this.ctx.storage.get('map');
    return { rows, date: map.get('date').toISOString(), big: String(map.get('big')), alarm: await this.ctx.storage.getAlarm() };
  }
}
export class Plain extends DurableObject {
  alarm() {}
  async make() {
    for (let n = 0; n < 20; n++) await this.ctx.storage.put('key ' + n, { n, at: new Date(n) });
    await this.ctx.storage.setAlarm(4102444800000);
  }
  async read() {
    return { values: [...await this.ctx.storage.list()], alarm: await this.ctx.storage.getAlarm() };
  }
}
const objects = ({ LEDGER, PLAIN }) => [LEDGER.getByName('books'), LEDGER.getByName('more'), PLAIN.getByName('values')];
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/make') {
      for (const object of objects(env)) await object.make();
      await env.FILES.put('by/worker', 'written by the Worker', { customMetadata: { by: 'worker' }, httpMetadata: { contentType: 'text/plain' } });
      await env.CACHE.put('by-worker', 'kept', { metadata: { by: 'worker' } });
      await env.DB.prepare('CREATE TABLE made (n INTEGER, text TEXT)').run();
      await env.DB.batch(Array.from({ length: 47 }, (_, n) => env.DB.prepare('INSERT INTO made VALUES (?, ?)').bind(n, 'row ' + n)));
      for (let n = 0; n < 12; n++) await env.JOBS.send({ n });
      return new Response('made');
    }
    const file = await env.FILES.get('by/worker');
    return Response.json({
      objects: await Promise.all(objects(env).map((object) => object.read())),
      file: [await file.text(), file.customMetadata, file.httpMetadata, file.etag],
      value: await env.CACHE.getWithMetadata('by-worker'),
      rows: (await env.DB.prepare('SELECT * FROM made ORDER BY n').all()).results,
      secret: env.SECRET,
      asset: await (await env.ASSETS.fetch('http://assets/kept.txt')).text(),
    });
  },
  scheduled() {},
  queue() {},
};`;

export async function makeStores(maker: Maker): Promise<Record<string, string>> {
  const kv = await maker.do('kv.create', {}, { title: 'cache' });
  const namespace_id = kv.id;
  await maker.do('kv.writeValue', { namespace_id, key_name: 'one' }, 'a value', '?expiration=2147483000');
  await maker.do(
    'kv.writeBulk',
    { namespace_id },
    Array.from({ length: 30 }, (_, n) => ({ key: `bulk:${n}`, value: `value ${n}` })),
  );
  const database = await maker.do('d1.create', {}, { name: 'rows' });
  const database_id = database.uuid;
  await maker.do(
    'd1.query',
    { database_id },
    { sql: "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, x'00ff'), (2.5, NULL)" },
  );
  const queue = await maker.do('queues.create', {}, { queue_name: 'jobs' });
  const queue_id = queue.queue_id;
  await maker.do('queues.edit', { queue_id }, { settings: { delivery_paused: true } });
  await maker.do('queues.send', { queue_id }, { body: { kept: true }, content_type: 'json' });
  await maker.do(
    'queues.sendBatch',
    { queue_id },
    { messages: [{ body: 'a' }, { body: 'b', delay_seconds: 3600 }] },
  );
  await maker.do('r2.create', {}, { name: 'files' });
  const bucket = { bucket_name: 'files' };
  const rules = [{ id: 'kept', allowed: { origins: ['https://a.example'], methods: ['GET'] } }];
  await maker.do('r2.setCors', bucket, { rules });
  await maker.do('r2.setLifecycle', bucket, { rules: [{ id: 'old', enabled: true }] });
  await maker.do('r2.writeObject', { ...bucket, object_key: 'dir/small.txt' }, 'a small object');
  await maker.do('r2.writeObject', { ...bucket, object_key: 'large' }, Buffer.alloc(1_500_000, 'large '));
  const upload = { key: 'unfinished', http: {}, custom: {}, storageClass: 'Standard' };
  const begun = await maker.do('r2Calls.beginUpload', bucket, upload);
  const part = { key: 'unfinished', upload: begun.upload, number: 1 };
  await maker.do(
    'r2Calls.uploadPart',
    bucket,
    Buffer.from(`${JSON.stringify(part)}\n${'part '.repeat(20_000)}`),
  );
  return { namespace_id, key_name: 'one', database_id, queue_id, ...bucket, object_key: 'large' };
}

export async function makeWorkers(
  maker: Maker,
  ids: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const script = { script_name: 'holder' };
  const jwt = await sendAssets(maker, { '/kept.txt': 'an asset', '/page.html': '<h1>page</h1>' });
  const metadata = {
    bindings: [
      { type: 'durable_object_namespace', name: 'LEDGER', class_name: 'Ledger' },
      { type: 'durable_object_namespace', name: 'PLAIN', class_name: 'Plain' },
      { type: 'kv_namespace', name: 'CACHE', namespace_id: ids['namespace_id'] },
      { type: 'd1', name: 'DB', id: ids['database_id'] },
      { type: 'r2_bucket', name: 'FILES', bucket_name: ids['bucket_name'] },
      { type: 'queue', name: 'JOBS', queue_name: 'jobs' },
      { type: 'secret_text', name: 'SECRET', text: 'hidden' },
      { type: 'assets', name: 'ASSETS' },
    ],
    migrations: { new_tag: 'v1', steps: [{ new_sqlite_classes: ['Ledger'], new_classes: ['Plain'] }] },
    assets: { jwt, config: { run_worker_first: true } },
  };
  await maker.do('workers.upload', script, createForm({ code: holder, metadata }));
  await maker.do('workers.setHost', script, { enabled: true });
  await maker.do('workers.editScriptSettings', script, { tags: ['made'] });
  await maker.do('workers.putSecret', script, { name: 'OTHER', text: 'also hidden', type: 'secret_text' });
  const { id: version_id } = await maker.do(
    'workers.uploadVersion',
    script,
    createForm({
      code: `${holder}\n// second`,
      metadata: { bindings: metadata.bindings, keep_assets: true },
    }),
  );
  await maker.do('workers.deploy', script, {
    strategy: 'percentage',
    versions: [{ version_id, percentage: 100 }],
  });
  await maker.do('workers.setRoutes', script, [{ pattern: 'modern.example/worker/*' }]);
  const route = await maker.do(
    'workerRoutes.create',
    { zone_id: ids['zone_id']! },
    { pattern: 'modern.example/route/*', script: 'holder' },
  );
  await maker.do('workers.setDomains', script, {
    override_scope: true,
    origins: [{ hostname: 'app.modern.example' }],
  });
  await maker.do('workers.setSchedules', script, [{ cron: '0 0 1 1 *' }]);
  await maker.do('workers.create', {}, { name: 'resource', tags: ['one'] });
  const consumer = await maker.do(
    'queues.createConsumer',
    { queue_id: ids['queue_id']! },
    { type: 'worker', script_name: 'holder' },
  );
  const { deployments } = await maker.do('workers.listDeployments', script);
  return {
    ...script,
    version_id,
    deployment_id: deployments[0].id,
    route_id: route.id,
    worker_id: 'holder',
    consumer_id: consumer.consumer_id,
  };
}

/** Sends the files of a session; returns the token that names them. */
async function sendAssets(maker: Maker, files: Readonly<Record<string, string>>): Promise<string> {
  const manifest = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, { hash: hashOf(content), size: content.length }]),
  );
  const session = await maker.do('workers.beginAssets', { script_name: 'holder' }, { manifest });
  let { jwt } = session;
  for (const hash of session.buckets.flat()) {
    const answer = await fetch(
      `${maker.site.api}/accounts/${maker.site.accountId}/workers/assets/upload/${hash}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${session.jwt}` },
        body: Object.values(files).find((content) => hashOf(content) === hash)!,
      },
    );
    const { result } = (await answer.json()) as { readonly result: Made };
    ok(answer.ok);
    jwt = result.jwt ?? jwt;
  }
  return jwt;
}

const hashOf = (content: string): string => createHash('sha256').update(content).digest('hex').slice(0, 32);
