/** Uploads of Workers, and calls about them, as released SDKs and providers send them, against a server. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import Cloudflare, { toFile } from 'cloudflare';
import { domain, UploadSite } from '../wrangler/upload-site.ts';

const greeting = (text: string): string => `export default { fetch: () => new Response('${text}') };`;
const classic = `addEventListener('fetch', (event) => event.respondWith(new Response('classic ' + TEXT)));`;

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: string;
}

function writeForm(boundary: string, parts: readonly Part[]): string {
  const written = parts.map(({ name, filename, type, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = type === undefined ? '' : `\r\nContent-Type: ${type}`;
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}${head}\r\n\r\n${content}\r\n`;
  });
  return `${written.join('')}--${boundary}--\r\n`;
}

const esm = 'application/javascript+module';

async function put(site: UploadSite, name: string, type: string, body: string) {
  const path = `/accounts/${site.ready.account_id}/workers/scripts/${name}`;
  const answer = await fetch(site.ready.api + path, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.ready.token}`, 'content-type': type },
    body,
  });
  const { result, errors } = (await answer.json()) as { result: unknown; errors: readonly unknown[] };
  deepEqual([answer.status, errors], [200, []], name);
  await site.call(`POST W/${name}/subdomain`, { enabled: true });
  return result;
}

test('workers.upload takes the forms of the SDKs for Python and Go, and a script by itself', async (t) => {
  const site = await UploadSite.start(t);
  const form = 'multipart/form-data; boundary=b';
  const metadata = (more: object): Part => ({ name: 'metadata', content: JSON.stringify(more) });
  // Python 5.9 and cloudflare-go 7: a module is known by its file name.
  const files: Part[] = [
    {
      name: 'files',
      filename: 'w.js',
      type: esm,
      content: `import text from './text.txt'; ${greeting("' + text + '")}`,
    },
    { name: 'files', filename: 'text.txt', type: 'text/plain', content: 'python' },
  ];
  await put(site, 'python', form, writeForm('b', [...files, metadata({ main_module: 'w.js' })]));
  equal(await site.read('python'), 'python');
  // cloudflare-go 0.117 writes each field of its type.
  const go = {
    main_module: 'worker.mjs',
    bindings: [],
    tags: null,
    compatibility_date: '',
    compatibility_flags: null,
    unheard_of: null,
  };
  const part = { name: 'worker.mjs', filename: 'worker.mjs', type: esm, content: greeting('go') };
  await put(site, 'go', form, writeForm('b', [metadata(go), part]));
  equal(await site.read('go'), 'go');
  // A file with another name than its part: the part's name counts, as it is that of the main module.
  const own = { name: 'index.js', filename: 'built.js', type: esm, content: greeting('own') };
  await put(site, 'own', form, writeForm('b', [metadata({ main_module: 'index.js' }), own]));
  equal(await site.read('own'), 'own');
  await put(site, 'raw', 'application/javascript', classic.replace('TEXT', "'raw'"));
  equal(await site.read('raw'), 'classic raw');
});

test('workers.upload takes the form that the SDK for TypeScript sends as a script', async (t) => {
  const site = await UploadSite.start(t);
  const client = new Cloudflare({ apiToken: site.ready.token, baseURL: site.ready.api, maxRetries: 0 });
  const account_id = site.ready.account_id;
  const code = 'export default { fetch: (request, { ONE, TWO }) => Response.json([ONE, TWO]) };';
  const bindings = [
    { type: 'plain_text', name: 'ONE', text: 'true' },
    { type: 'plain_text', name: 'TWO', text: '2' },
  ];
  await client.workers.scripts.update('typescript', {
    account_id,
    metadata: { main_module: 'w.js', compatibility_flags: ['nodejs_compat'], bindings },
    files: [await toFile(Buffer.from(code), 'w.js', { type: esm })],
  } as never);
  await site.call('POST W/typescript/subdomain', { enabled: true });
  equal(await site.read('typescript'), '["true","2"]');
  const settings = await site.call('GET W/typescript/settings');
  deepEqual([settings.result.bindings, settings.result.compatibility_flags], [bindings, ['nodejs_compat']]);
});

test('workers.listBindings answers what cloudflare-go 0.x cannot miss, and getBindingContent what is bound', async (t) => {
  const site = await UploadSite.start(t);
  const { result: database } = await site.call('POST A/d1/database', { name: 'kept' });
  await put(site, 'served', 'application/javascript', classic.replace('TEXT', "''"));
  const parts: Part[] = [
    {
      name: 'metadata',
      content: JSON.stringify({
        body_part: 'script',
        bindings: [
          { type: 'd1', name: 'DB', id: database.uuid },
          { type: 'service', name: 'SERVED', service: 'served' },
          { type: 'text_blob', name: 'TEXT', part: 'text' },
        ],
      }),
    },
    { name: 'script', type: 'application/javascript', content: classic },
    { name: 'text', type: 'text/plain', content: 'a text' },
  ];
  await put(site, 'bound', 'multipart/form-data; boundary=b', writeForm('b', parts));
  const { result } = await site.call('GET W/bound/bindings');
  deepEqual(result, [
    { type: 'd1', name: 'DB', id: database.uuid, database_id: database.uuid },
    { type: 'service', name: 'SERVED', service: 'served', environment: 'production' },
    { type: 'text_blob', name: 'TEXT', part: 'text' },
  ]);
  const path = `/accounts/${site.ready.account_id}/workers/scripts/bound/bindings`;
  const content = await fetch(`${site.ready.api}${path}/TEXT/content`, {
    headers: { authorization: `Bearer ${site.ready.token}` },
  });
  equal(await content.text(), 'a text');
  equal((await site.call('GET W/bound/bindings/DB/content')).errors[0]!.code, 10913);
});

test('an upload says what of it does nothing here, and what drops data does not throw', async (t) => {
  const site = await UploadSite.start(t);
  const code = `export default {
    async fetch(request, env) {
      env.NUMBERS.writeDataPoint({ doubles: [1] });
      await env.STREAM.send([{ a: 1 }]).then(() => {});
      try { await env.MAIL.send(); } catch (error) { return new Response(error.message); }
    },
  };`;
  const metadata = {
    bindings: [
      { type: 'analytics_engine', name: 'NUMBERS', dataset: 'numbers' },
      { type: 'pipelines', name: 'STREAM', pipeline: 'stream' },
      { type: 'send_email', name: 'MAIL' },
    ],
    limits: { cpu_ms: 50 },
    tail_consumers: [{ service: 'listener' }],
  };
  const told = [
    /^binding NUMBERS: .*analytics_engine.*drops/,
    /^binding STREAM: .*drops/,
    /^binding MAIL: there is no send_email here, so each use throws/,
    /^limits\.cpu_ms: .*50 ms/,
    /^tail_consumers: .*listener/,
  ];
  const made = (await site.deploy('absent', { code, metadata })) as Awaited<
    ReturnType<typeof site.deploy>
  > & {
    readonly messages: readonly { readonly code: number; readonly message: string }[];
  };
  equal(made.messages.length, told.length);
  for (const [index, { message }] of made.messages.entries()) match(message, told[index]!);
  // The only part of a success that Wrangler prints.
  const { warnings, created } = made.result.exports_reconciliation;
  deepEqual(
    [created, warnings.map((each: { class: string }) => each.class)],
    [[], ['binding NUMBERS', 'binding STREAM', 'binding MAIL', 'limits.cpu_ms', 'tail_consumers']],
  );
  match(await site.read('absent'), /^env\.MAIL comes from send_email, which is out of scope/);
  const plain = await site.deploy('plain', { code: greeting('plain') });
  equal(plain.result.exports_reconciliation, undefined);
});

test('queues are found by name at their older path, and messages are pulled and acknowledged by lease', async (t) => {
  const site = await UploadSite.start(t);
  equal((await site.call('POST A/workers/queues', { queue_name: 'jobs' })).status, 200);
  const { result: queue } = await site.call('GET A/workers/queues/jobs');
  equal((await site.call(`GET A/queues/${queue.queue_id}`)).result.queue_name, 'jobs');
  // With everything that was read; only the settings can change.
  equal((await site.call('PUT A/workers/queues/jobs', queue)).status, 200);
  equal((await site.call('POST A/queues/jobs/messages/pull', {})).errors[0]!.code, 11900);
  const settings = { max_retries: 1, visibility_timeout_ms: 0 };
  const consumer = await site.call('POST A/queues/jobs/consumers', { type: 'http_pull', settings });
  deepEqual([consumer.result.type, consumer.result.script], ['http_pull', undefined]);
  await site.call('POST A/queues/jobs/messages', { body: 'text', content_type: 'text' });
  await site.call('POST A/queues/jobs/messages', { body: { a: 1 } });
  const pull = async (visibility_timeout_ms: number) => {
    const { result } = await site.call('POST A/queues/jobs/messages/pull', {
      batch_size: 2,
      visibility_timeout_ms,
    });
    return result.messages as { body: string; lease_id: string; attempts: number; metadata: object }[];
  };
  const first = await pull(60_000);
  deepEqual(
    first.map(({ body, attempts }) => [body, attempts]),
    [
      ['text', 1],
      [Buffer.from('{"a":1}').toString('base64'), 1],
    ],
  );
  deepEqual(await pull(60_000), [], 'both are leased');
  const acked = await site.call('POST A/queues/jobs/messages/ack', {
    acks: [{ lease_id: first[0]!.lease_id }, { lease_id: '1.1' }],
    retries: [{ lease_id: first[1]!.lease_id, delay_seconds: 0 }],
  });
  deepEqual([acked.result.ackCount, acked.result.retryCount], [1, 1]);
  const second = await pull(60_000);
  deepEqual(
    second.map(({ attempts }) => attempts),
    [2],
  );
  const late = await site.call('POST A/queues/jobs/messages/ack', {
    acks: [{ lease_id: first[1]!.lease_id }],
  });
  equal(late.result.ackCount, 0, 'the lease was given to somebody else');
  await site.call('POST A/queues/jobs/messages/ack', { retries: [{ lease_id: second[0]!.lease_id }] });
  deepEqual(await pull(0), [], 'it has been tried as often as it may be');
  equal((await site.call('GET A/queues/jobs/metrics')).result.backlog_count, 0);
});

test('domains, members, roles, custom pages and rules of buckets are read as clients ask for them', async (t) => {
  const site = await UploadSite.start(t);
  await site.deploy('one', { code: greeting('one') });
  await site.deploy('two', { code: greeting('two') });
  const attach = (service: string) =>
    site.call('PUT A/workers/domains', { hostname: `shop.${domain}`, service, environment: 'production' });
  const made = await attach('one');
  equal((await site.ask(`shop.${domain}`)).body, 'one');
  equal((await attach('two')).result.id, made.result.id);
  equal((await site.ask(`shop.${domain}`)).body, 'two');
  const listed = await site.call(`GET A/workers/domains?hostname=shop.${domain}`);
  deepEqual(
    listed.result.map(({ service }: { service: string }) => service),
    ['two'],
  );
  equal((await site.call(`DELETE A/workers/domains/${made.result.id}`)).status, 200);
  equal((await site.call(`GET A/workers/domains/${made.result.id}`)).errors[0]!.code, 100114);

  const { result: members } = await site.call('GET A/members');
  equal((await site.call(`GET A/members/${members[0].id}`)).result.user.email, members[0].email);
  const { result: roles } = await site.call('GET A/roles');
  deepEqual((await site.call(`GET A/roles/${roles[0].id}`)).result, members[0].roles[0]);
  equal((await site.call('GET A/roles/0123456789abcdef0123456789abcdef')).errors[0]!.code, 10930);
  equal((await site.call('GET A/custom_pages/waf_block')).result.state, 'default');
  equal((await site.call('GET A/custom_pages/none')).errors[0]!.code, 10931);
  const changes = await site.call('GET /user/audit_logs?per_page=5');
  equal(changes.result.length, 5);

  await site.call('POST A/r2/buckets', { name: 'files' });
  const rules = [{ allowed: { methods: ['GET'], origins: ['*'] } }];
  const kept = (await site.call('PUT A/r2/buckets/files/cors', { rules })) as unknown as {
    readonly messages: readonly { readonly code: number }[];
  };
  equal(kept.messages[0]!.code, 10912);
  deepEqual((await site.call('GET A/r2/buckets/files/cors')).result, { rules });
  await site.call('DELETE A/r2/buckets/files/cors');
  deepEqual((await site.call('GET A/r2/buckets/files/cors')).result, { rules: [] });
  deepEqual((await site.call('GET A/r2/buckets/files/lifecycle')).result, { rules: [] });
  const { result: database } = await site.call('POST A/d1/database', { name: 'batched' });
  const batch = [{ sql: 'SELECT ? AS a', params: [1] }, { sql: 'SELECT 2 AS a' }];
  const queried = await site.call(`POST A/d1/database/${database.uuid}/query`, { batch });
  deepEqual(
    queried.result.map(({ results }: { results: unknown }) => results),
    [[{ a: 1 }], [{ a: 2 }]],
  );
});
