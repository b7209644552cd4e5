/** KV, D1, queues and R2 of the account: the API behind `wrangler kv`, `d1`, `queues` and `r2`, and Workers bound to them. */
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { eventually } from '../eventually.ts';
import { temporary } from '../server/gatehouse.ts';
import { createForm, type Envelope, UploadSite } from './upload-site.ts';

const codeOf = ({ errors }: Envelope): number | undefined => errors[0]?.code;

/** Bodies and responses that are not JSON. */
async function send(
  site: UploadSite,
  route: string,
  {
    body,
    headers = {},
  }: { readonly body?: string | FormData; readonly headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly text: string; readonly headers: Headers }> {
  const [method, path] = route.split(' ') as [string, string];
  const answer = await fetch(
    site.ready.api + path.replace(/^A(?=\/)/, `/accounts/${site.ready.account_id}`),
    {
      method,
      headers: { authorization: `Bearer ${site.ready.token}`, ...headers },
      body: body ?? null,
    },
  );
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const writer = `export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/kv') return Response.json(await env.CACHE.getWithMetadata('a/b c'));
    if (pathname === '/d1') return Response.json((await env.DB.prepare('SELECT count(*) AS n FROM t').first()).n);
    if (pathname === '/r2') return new Response((await env.FILES.get('dir/a b.txt'))?.body ?? 'none');
    await env.CACHE.put('written', 'by the Worker');
    await env.FILES.put('made', 'here');
    await env.JOBS.send({ at: pathname });
    return new Response('sent');
  },
};`;

const reader = `export default {
  async fetch(request, env) { return new Response((await env.SHARED.get('taken')) ?? 'nothing'); },
  async queue(batch, env) {
    await env.SHARED.put('taken', batch.queue + ' ' + JSON.stringify(batch.messages.map(({ body }) => body)));
  },
};`;

test('KV, D1, queues and R2 belong to the account: Workers and the API reach the same, and all of it outlives a restart', async (t) => {
  const directory = temporary(t);
  const site = await UploadSite.start(t, { directory });
  const unknown = await site.deploy('writer', {
    code: writer,
    metadata: { bindings: [{ type: 'kv_namespace', name: 'CACHE', namespace_id: '0'.repeat(32) }] },
  });
  equal(codeOf(unknown), 10041);

  const kv = (await site.call('POST A/storage/kv/namespaces', { title: 'cache' })).result;
  equal(codeOf(await site.call('POST A/storage/kv/namespaces', { title: 'cache' })), 10014);
  const d1 = (await site.call('POST A/d1/database', { name: 'shop' })).result;
  equal(codeOf(await site.call('POST A/d1/database', { name: 'shop' })), 7502);
  equal((await site.call('GET A/d1/database/shop')).result.uuid, d1.uuid);
  equal(codeOf(await site.call('GET A/d1/database/none')), 7404);
  const jobs = JSON.parse(
    (await send(site, 'POST A/queues', { body: JSON.stringify({ queue_name: 'jobs' }) })).text,
  ).result;
  const made = await send(site, 'POST A/r2/buckets', { body: JSON.stringify({ name: 'files' }) });
  equal(made.status, 200, made.text);
  equal(codeOf(await site.call('GET A/r2/buckets/none-such')), 10006);

  const bindings = [
    { type: 'kv_namespace', name: 'CACHE', namespace_id: kv.id },
    { type: 'd1', name: 'DB', id: d1.uuid },
    { type: 'queue', name: 'JOBS', queue_name: 'jobs' },
    { type: 'r2_bucket', name: 'FILES', bucket_name: 'files' },
  ];
  const first = await site.deploy('writer', { code: writer, metadata: { bindings } });
  ok(first.success, JSON.stringify(first.errors));
  const second = await site.deploy('reader', {
    code: reader,
    metadata: { bindings: [{ type: 'kv_namespace', name: 'SHARED', namespace_id: kv.id }] },
  });
  ok(second.success, JSON.stringify(second.errors));

  const values = `A/storage/kv/namespaces/${kv.id}`;
  const form = new FormData();
  form.set('value', 'a value');
  form.set('metadata', '{"x":1}');
  equal((await send(site, `PUT ${values}/values/a%2Fb%20c?expiration_ttl=3600`, { body: form })).status, 200);
  equal((await send(site, `PUT ${values}/values/plain`, { body: 'as it is' })).status, 200);
  equal((await send(site, `PUT ${values}/values/x?expiration_ttl=5`, { body: 'short' })).status, 400);
  for (const wrong of ['x?expiration=99999999999', 'k'.repeat(513)])
    equal((await send(site, `PUT ${values}/values/${wrong}`, { body: 'v' })).status, 400, wrong);
  equal((await send(site, `GET ${values}/values/plain`)).text, 'as it is');
  deepEqual((await site.call(`GET ${values}/metadata/a%2Fb%20c`)).result, { x: 1 });
  equal((await send(site, `GET ${values}/values/none`)).status, 404);
  const bulk = [
    { key: 'k1', value: 'v1', metadata: { m: 1 } },
    { key: 'k2', value: 'djI=', base64: true },
  ];
  const wrong = [
    { key: '..', value: 'v' },
    { key: '\u00e4'.repeat(257), value: 'v' },
    { key: 'm', value: 'v', metadata: 'm'.repeat(1_025) },
    { key: 'e', value: 'v', expiration: 2 ** 40 },
  ];
  equal(codeOf(await site.call(`PUT ${values}/bulk`, wrong)), 10033);
  deepEqual((await site.call(`PUT ${values}/bulk`, [...wrong, { key: 'k3', value: 'v3' }])).result, {
    successful_key_count: 1,
    unsuccessful_keys: wrong.map(({ key }) => key),
  });
  ok((await site.call(`DELETE ${values}/bulk`, ['k3'])).success);
  deepEqual((await site.call(`PUT ${values}/bulk`, bulk)).result, {
    successful_key_count: 2,
    unsuccessful_keys: [],
  });
  deepEqual((await site.call(`POST ${values}/bulk/get`, { keys: ['k2', 'k9'] })).result, {
    values: { k2: { value: 'v2' }, k9: { value: null } },
  });
  const listed = await site.call(`GET ${values}/keys?prefix=k&limit=10`);
  deepEqual(listed.result, [{ name: 'k1', metadata: { m: 1 } }, { name: 'k2' }]);
  ok((await site.call(`DELETE ${values}/bulk`, ['k1', 'k2'])).success);
  await eventually(async () => {
    const { status, body } = await site.ask('writer.workers.example', '/kv');
    return status === 200 && JSON.parse(body).value === 'a value' && JSON.parse(body).metadata.x === 1;
  }, 'the Worker reads what the API wrote');

  const query = (sql: string, params: unknown[] = []): Promise<Envelope> =>
    site.call(`POST A/d1/database/${d1.uuid}/query`, { sql, params });
  ok(
    (await query("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); INSERT INTO t VALUES (1, 'one; still')"))
      .success,
  );
  deepEqual((await query('SELECT * FROM t WHERE a = ?', [1])).result[0].results, [{ a: 1, b: 'one; still' }]);
  equal(codeOf(await query("INSERT INTO t VALUES (2, 'two'); INSERT INTO none VALUES (1)")), 7500);
  equal(await site.read('writer', '/d1'), '1', 'half a call leaves nothing');
  const { bookmark } = (await site.call(`GET A/d1/database/shop/time_travel/bookmark`)).result;

  const sql = "INSERT INTO t VALUES (3, 'three');\nINSERT INTO t VALUES (4, X'00ff');\n";
  const etag = createHash('md5').update(sql).digest('hex');
  const step = (body: object): Promise<Envelope> => site.call(`POST A/d1/database/${d1.uuid}/import`, body);
  const { upload_url: url, filename } = (await step({ action: 'init', etag })).result;
  const uploaded = await fetch(url, { method: 'PUT', body: sql });
  equal(uploaded.headers.get('etag'), `"${etag}"`);
  const ingested = (await step({ action: 'ingest', filename, etag })).result;
  equal(ingested.status, 'complete', JSON.stringify(ingested));
  equal(ingested.result.num_queries, 2);
  equal(codeOf(await step({ action: 'ingest', filename, etag })), 7501, 'a file is run once');
  const exported = (await site.call(`POST A/d1/database/${d1.uuid}/export`, { output_format: 'polling' }))
    .result;
  const dump = await (await fetch(exported.result.signed_url)).text();
  match(dump, /CREATE TABLE t \(a INTEGER PRIMARY KEY, b TEXT\);/);
  match(
    dump,
    /INSERT INTO "t" \("a","b"\) VALUES\(1,'one; still'\);\n.*VALUES\(3,'three'\);\n.*VALUES\(4,X'00FF'\);/s,
  );
  equal((await fetch(exported.result.signed_url)).status, 404);
  const copy = (await site.call('POST A/d1/database', { name: 'copy' })).result;
  ok(
    (await site.call(`POST A/d1/database/${copy.uuid}/query`, { sql: dump })).success,
    'a dump makes the database again',
  );
  equal(await site.read('writer', '/d1'), '3');
  const restored = await site.call(`POST A/d1/database/shop/time_travel/restore?bookmark=${bookmark}`);
  ok(restored.success, JSON.stringify(restored.errors));
  equal(await site.read('writer', '/d1'), '1');

  const objects = 'A/r2/buckets/files/objects';
  const put = await send(site, `PUT ${objects}/dir/a%20b.txt`, {
    body: 'contents',
    headers: { 'content-type': 'text/plain' },
  });
  equal(JSON.parse(put.text).result?.key, 'dir/a b.txt', put.text);
  const got = await send(site, `GET ${objects}/dir/a%20b.txt`);
  deepEqual([got.text, got.headers.get('content-type')], ['contents', 'text/plain']);
  equal(await site.read('writer', '/r2'), 'contents');
  equal(codeOf(await site.call(`DELETE A/r2/buckets/files`)), 10008);

  const consumer = {
    type: 'worker',
    script_name: 'reader',
    settings: { batch_size: 2, max_wait_time_ms: 0 },
  };
  equal(
    codeOf(await site.call(`POST A/queues/${jobs.queue_id}/consumers`, { ...consumer, script_name: 'none' })),
    10007,
  );
  const added = await site.call(`POST A/queues/${jobs.queue_id}/consumers`, consumer);
  ok(added.success, JSON.stringify(added.errors));
  equal(codeOf(await site.call(`POST A/queues/${jobs.queue_id}/consumers`, consumer)), 11004);
  equal(await site.read('writer', '/job'), 'sent');
  await eventually(
    async () => (await site.read('reader')) === 'jobs [{"at":"/job"}]',
    'another Worker consumes',
  );
  equal((await send(site, `GET ${values}/values/written`)).text, 'by the Worker');
  equal((await send(site, `GET ${objects}/made`)).text, 'here');
  const [queue] = (await site.call('GET A/queues?name=jobs')).result;
  deepEqual([queue.producers_total_count, queue.consumers[0].script], [1, 'reader']);
  for (const route of [
    `DELETE ${values}`,
    `DELETE A/d1/database/${d1.uuid}`,
    `DELETE A/queues/${jobs.queue_id}`,
  ])
    equal(codeOf(await site.call(route)), 10904, route);
  const paused = { queue_name: 'jobs', settings: { delivery_paused: true } };
  equal((await send(site, `PATCH A/queues/${jobs.queue_id}`, { body: JSON.stringify(paused) })).status, 200);
  equal(await site.read('writer', '/later'), 'sent');

  await site.server.end('SIGKILL');
  const again = await UploadSite.start(t, { directory });
  equal((await send(again, `GET ${values}/values/written`)).text, 'by the Worker');
  equal(await again.read('writer', '/r2'), 'contents');
  const resumed = { queue_name: 'jobs', settings: { delivery_paused: false } };
  ok((await again.call(`PATCH A/queues/${jobs.queue_id}`, resumed)).success);
  await eventually(
    async () => (await again.read('reader')) === 'jobs [{"at":"/later"}]',
    'what waited is delivered',
  );
  for (const name of ['writer', 'reader']) ok((await again.call(`DELETE W/${name}`)).success);
  deepEqual((await again.call(`GET A/queues/${jobs.queue_id}`)).result.consumers, []);
  for (const route of [`DELETE ${values}`, `DELETE A/d1/database/shop`, `DELETE A/queues/${jobs.queue_id}`])
    ok((await again.call(route)).success, route);
  equal((await again.call('GET A/storage/kv/namespaces')).result.length, 0);
  ok((await again.call('PUT W/later', createForm({ code: reader }))).success);
});
