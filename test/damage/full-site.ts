/** A server with data in every folder of its data directory, and queries that show which of it still exists. */
import { ok } from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { UploadSite } from '../wrangler/upload-site.ts';

/** Two hosts, as on a machine with two cores. */
export const environment = { GATEHOUSE_OBJECT_HOSTS: '2' };

const counter = `import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async fetch(request) {
    if (request.method === 'POST') await this.ctx.storage.put('n', 41);
    return new Response(String(await this.ctx.storage.get('n')));
  }
}
export default { fetch: (request, env) => env.COUNTER.getByName('one').fetch(request) };`;

const stores = `export default { async fetch(request, env) { return new Response(await env.CACHE.get('key')); } };`;
const plain = `export default { fetch: () => new Response('plain') };`;
const secret = `export default { fetch: (request, env) => new Response(env.TOKEN) };`;

/** The results of the queries without damage. */
export const whole: Readonly<Record<string, string>> = {
  zones: '1',
  rules: '1',
  events: 'some',
  kv: 'value',
  d1: '3',
  r2: 'bytes',
  queue: 'jobs',
  counter: '41',
  stores: 'value',
  plain: 'plain',
  secret: 'hush',
};

export async function fillSite(
  t: TestContext,
  directory: string,
  more: Readonly<Record<string, string>> = {},
): Promise<UploadSite> {
  const site = await UploadSite.start(t, { directory, environment: { ...environment, ...more } });
  const { account_id: id } = site.ready;
  const made = await site.call('POST /zones', { name: 'shop.example', account: { id } });
  ok(made.success);
  const zone = made.result.id;
  const rule = { filter: { expression: '(http.request.uri.path eq "/stop")' }, action: 'block' };
  ok((await site.call(`POST /zones/${zone}/firewall/rules`, [rule])).success);
  const job = { name: 'events', dataset: 'firewall_events', destination_conf: 'file:///events.ndjson' };
  ok((await site.call(`POST /zones/${zone}/logpush/jobs`, { ...job, enabled: true })).success);
  const kv = (await site.call('POST A/storage/kv/namespaces', { title: 'cache' })).result;
  await put(site, `A/storage/kv/namespaces/${kv.id}/values/key`, 'value');
  const d1 = (await site.call('POST A/d1/database', { name: 'shop' })).result;
  const sql = 'CREATE TABLE t (n); INSERT INTO t VALUES (1), (2), (3)';
  ok((await site.call(`POST A/d1/database/${d1.uuid}/query`, { sql })).success);
  ok((await site.call('POST A/r2/buckets', { name: 'files' })).success);
  await put(site, 'A/r2/buckets/files/objects/a.txt', 'bytes');
  ok((await site.call('POST A/queues', { queue_name: 'jobs' })).success);
  const bound = { type: 'durable_object_namespace', name: 'COUNTER', class_name: 'Counter' };
  await deploy(site, 'counter', counter, {
    bindings: [bound],
    migrations: { new_tag: 'v1', new_sqlite_classes: ['Counter'] },
  });
  await deploy(site, 'stores', stores, {
    bindings: [{ type: 'kv_namespace', name: 'CACHE', namespace_id: kv.id }],
  });
  await deploy(site, 'plain', plain, {});
  await deploy(site, 'secret', secret, { bindings: [{ type: 'secret_text', name: 'TOKEN', text: 'hush' }] });
  await eventually(
    async () => (await site.ask('counter.workers.example', '/', { method: 'POST' })).body === '41',
  );
  await eventually(async () => (await site.ask('shop.example', '/stop')).status === 403);
  await eventually(async () => (await look(site))['events'] === 'some');
  return site;
}

async function deploy(site: UploadSite, name: string, code: string, metadata: object): Promise<void> {
  const answer = await site.deploy(name, { code, metadata: metadata as Readonly<Record<string, unknown>> });
  ok(answer.success, JSON.stringify(answer.errors));
}

async function put(site: UploadSite, path: string, body: string): Promise<void> {
  const answer = await raw(site, 'PUT', path, body);
  ok(answer.ok, await answer.text());
}

function raw(site: UploadSite, method: string, path: string, body?: string): Promise<Response> {
  return fetch(site.ready.api + path.replace(/^A(?=\/)/, `/accounts/${site.ready.account_id}`), {
    method,
    headers: { authorization: `Bearer ${site.ready.token}` },
    body: body ?? null,
  });
}

/** A result for each stored item; status and code if there is none. */
export async function look(site: UploadSite): Promise<Record<string, string>> {
  const say = async (ask: () => Promise<string | undefined>): Promise<string> => {
    try {
      return (await ask()) ?? 'nothing';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const call = async (route: string, body?: unknown): Promise<any> => {
    const { success, status, errors, result } = await site.call(route, body);
    if (!success) throw new Error(`${status} ${errors[0]?.code}`);
    return result;
  };
  const text = async (path: string): Promise<string> => {
    const answer = await raw(site, 'GET', path);
    const body = await answer.text();
    if (answer.ok) return body;
    throw new Error(`${answer.status} ${/"code":\s*(\d+)/.exec(body)?.[1] ?? ''}`);
  };
  const worker = async (name: string): Promise<string> => {
    const { status, body } = await site.ask(`${name}.workers.example`);
    return status === 200 ? body : String(status);
  };
  const answers: Record<string, () => Promise<string | undefined>> = {
    zones: async () => String((await call('GET /zones?name=shop.example')).length),
    rules: async () => {
      const [{ id }] = await call('GET /zones?name=shop.example');
      return String((await call(`GET /zones/${id}/firewall/rules`)).length);
    },
    events: async () => {
      const [{ id }] = await call('GET /zones?name=shop.example');
      return (await call(`GET /zones/${id}/security/events`)).length > 0 ? 'some' : 'none';
    },
    async kv() {
      const [{ id }] = await call('GET A/storage/kv/namespaces');
      return await text(`A/storage/kv/namespaces/${id}/values/key`);
    },
    async d1() {
      const [{ uuid }] = await call('GET A/d1/database');
      const [{ results }] = await call(`POST A/d1/database/${uuid}/query`, {
        sql: 'SELECT count(*) AS n FROM t',
      });
      return String(results[0].n);
    },
    r2: () => text('A/r2/buckets/files/objects/a.txt'),
    async queue() {
      const [{ queue_id: id }] = await call('GET A/queues');
      return (await call(`GET A/queues/${id}`)).queue_name;
    },
    counter: () => worker('counter'),
    stores: () => worker('stores'),
    plain: () => worker('plain'),
    secret: () => worker('secret'),
  };
  const entries = Object.entries(answers).map(async ([name, ask]) => [name, await say(ask)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
