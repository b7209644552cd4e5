/**
 * Cloudflare's SDK for TypeScript against a server: calls of every family that the server serves. Prints a line of JSON for
 * each call. It is run by clients/sdks.ts.
 */
import Cloudflare, { toFile } from 'cloudflare';

const environment = (name: string): string => process.env[`GATEHOUSE_${name}`]!;
const client = new Cloudflare({
  apiToken: environment('TOKEN'),
  baseURL: environment('API'),
  maxRetries: 0,
});
const [zone_id, account_id] = [environment('ZONE'), environment('ACCOUNT')];
const name = environment('ZONE_NAME');
const zone = { zone_id };
const account = { account_id };

async function attempt<T>(what: string, call: () => PromiseLike<T>): Promise<T> {
  try {
    const result = await call();
    console.log(JSON.stringify({ what, problem: null }));
    return result;
  } catch (error) {
    console.log(JSON.stringify({ what, problem: String(error) }));
    // Later use of the result fails separately.
    return {} as T;
  }
}

async function listAll<T>(what: string, pages: AsyncIterable<T>): Promise<T[]> {
  return await attempt(what, async () => await Array.fromAsync(pages));
}

/** The parts that its own types leave open. */
interface RulesetRead {
  readonly id: string;
  readonly rules: readonly { readonly id: string }[];
}

async function people(): Promise<void> {
  await attempt('user.get', () => client.user.get());
  await listAll('user.auditLogs.list', client.user.auditLogs.list());
  await listAll('accounts.list', client.accounts.list());
  await attempt('accounts.get', () => client.accounts.get(account));
  const members = await listAll('accounts.members.list', client.accounts.members.list(account));
  await attempt('accounts.members.get', () => client.accounts.members.get(members[0]!.id!, account));
  const roles = await listAll('accounts.roles.list', client.accounts.roles.list(account));
  await attempt('accounts.roles.get', () => client.accounts.roles.get(roles[0]!.id, account));
  await listAll('auditLogs.list', client.auditLogs.list(account));
  await attempt('customPages.list', async () => await Array.fromAsync(client.customPages.list(zone)));
  await attempt('customPages.get', () => client.customPages.get('waf_block', account));
  await listAll('memberships.list', client.memberships.list());
}

async function rules(): Promise<void> {
  const path = 'http.request.uri.path eq "/typescript"';
  await attempt('zones.settings.edit', () => client.zones.settings.edit('ssl', { ...zone, value: 'full' }));
  const entry = (await attempt('rulesets.phases.update', () =>
    client.rulesets.phases.update('http_request_firewall_custom', {
      ...zone,
      rules: [{ action: 'block', expression: path }],
    }),
  )) as RulesetRead;
  await attempt('rulesets.phases.get', () =>
    client.rulesets.phases.get('http_request_firewall_custom', zone),
  );
  await attempt('rulesets.rules.delete', () =>
    client.rulesets.rules.delete(entry.rules[0]!.id, { ...zone, ruleset_id: entry.id }),
  );
  await attempt('rulesets.delete', () => client.rulesets.delete(entry.id, zone));
  await attempt('rulesets.phases.update, set_config', () =>
    client.rulesets.phases.update('http_config_settings', {
      ...zone,
      rules: [
        {
          action: 'set_config',
          expression: path,
          action_parameters: { autominify: { css: true }, email_obfuscation: true, fonts: true, sxg: true },
        },
      ],
    }),
  );
  const locked = await attempt('firewall.lockdowns.create', () =>
    client.firewall.lockdowns.create({
      ...zone,
      urls: [`${name}/admin`],
      configurations: [{ target: 'ip', value: '192.0.2.9' }],
    }),
  );
  await attempt('firewall.lockdowns.update', () =>
    client.firewall.lockdowns.update(locked.id, { ...zone, ...locked }),
  );
  await attempt('firewall.lockdowns.delete', () => client.firewall.lockdowns.delete(locked.id, zone));
  const page = await attempt('pageRules.create', () =>
    client.pageRules.create({
      ...zone,
      targets: [{ target: 'url', constraint: { operator: 'matches', value: `${name}/typescript/*` } }],
      actions: [{ id: 'waf', value: 'off' }],
    }),
  );
  await attempt('pageRules.list', () => client.pageRules.list(zone));
  await attempt('pageRules.delete', () => client.pageRules.delete(page.id, zone));
}

async function balancing(): Promise<void> {
  const pool = await attempt('loadBalancers.pools.create', () =>
    client.loadBalancers.pools.create({
      ...account,
      name: 'typescript',
      origins: [{ name: 'one', address: 'one.example.net', enabled: true }],
      load_shedding: { default_percent: 5, default_policy: 'random' },
    }),
  );
  const balancer = await attempt('loadBalancers.create', () =>
    client.loadBalancers.create({
      ...zone,
      name: `ts.${name}`,
      default_pools: [pool.id!],
      fallback_pool: pool.id!,
      steering_policy: 'geo',
      location_strategy: { mode: 'resolver_ip', prefer_ecs: 'always' },
    }),
  );
  await attempt('loadBalancers.update', () =>
    client.loadBalancers.update(balancer.id!, { ...zone, ...balancer } as never),
  );
  await attempt('loadBalancers.delete', () => client.loadBalancers.delete(balancer.id!, zone));
  await attempt('loadBalancers.pools.delete', () => client.loadBalancers.pools.delete(pool.id!, account));
}

async function stores(): Promise<void> {
  const namespace = await attempt('kv.namespaces.create', () =>
    client.kv.namespaces.create({ ...account, title: 'typescript' }),
  );
  await listAll('kv.namespaces.list', client.kv.namespaces.list(account));
  await attempt('kv.namespaces.bulkUpdate', () =>
    client.kv.namespaces.bulkUpdate(namespace.id, { ...account, body: [{ key: 'a', value: 'b' }] }),
  );
  await listAll('kv.namespaces.keys.list', client.kv.namespaces.keys.list(namespace.id, account));
  await attempt('kv.namespaces.values.get', () =>
    client.kv.namespaces.values.get('a', { ...account, namespace_id: namespace.id }),
  );
  await attempt('kv.namespaces.delete', () => client.kv.namespaces.delete(namespace.id, account));
  const database = await attempt('d1.database.create', () =>
    client.d1.database.create({ ...account, name: 'typescript' }),
  );
  await listAll('d1.database.list', client.d1.database.list(account));
  await listAll(
    'd1.database.query',
    client.d1.database.query(database.uuid!, { ...account, sql: 'SELECT ? AS one', params: ['1'] }),
  );
  const batch = [{ sql: 'CREATE TABLE t (a)' }, { sql: 'INSERT INTO t VALUES (?)', params: ['1'] }];
  await listAll(
    'd1.database.query, a batch',
    client.d1.database.query(database.uuid!, { ...account, batch }),
  );
  await listAll(
    'd1.database.raw',
    client.d1.database.raw(database.uuid!, { ...account, batch: batch.slice(1) }),
  );
  await attempt('d1.database.delete', () => client.d1.database.delete(database.uuid!, account));
  await attempt('r2.buckets.create', () => client.r2.buckets.create({ ...account, name: 'typescript' }));
  await attempt('r2.buckets.list', () => client.r2.buckets.list(account));
  const cors = [{ allowed: { methods: ['GET' as const], origins: ['https://a.example'] } }];
  await attempt('r2.buckets.cors.update', () =>
    client.r2.buckets.cors.update('typescript', { ...account, rules: cors }),
  );
  await attempt('r2.buckets.cors.get', () => client.r2.buckets.cors.get('typescript', account));
  await attempt('r2.buckets.cors.delete', () => client.r2.buckets.cors.delete('typescript', account));
  await attempt('r2.buckets.lifecycle.update', () =>
    client.r2.buckets.lifecycle.update('typescript', { ...account, rules: [] }),
  );
  await attempt('r2.buckets.lifecycle.get', () => client.r2.buckets.lifecycle.get('typescript', account));
  await attempt('r2.buckets.delete', () => client.r2.buckets.delete('typescript', account));
}

async function queues(): Promise<void> {
  const queue = await attempt('queues.create', () =>
    client.queues.create({ ...account, queue_name: 'typescript' }),
  );
  const id = queue.queue_id!;
  await listAll('queues.list', client.queues.list(account));
  await attempt('queues.edit', () =>
    client.queues.edit(id, { ...account, ...queue, settings: { delivery_delay: 0 } }),
  );
  await attempt('queues.consumers.create', () =>
    client.queues.consumers.create(id, { ...account, type: 'http_pull' }),
  );
  await attempt('queues.messages.push', () =>
    client.queues.messages.push(id, { ...account, body: 'hello', content_type: 'text' }),
  );
  const pulled = await attempt('queues.messages.pull', () =>
    client.queues.messages.pull(id, { ...account, batch_size: 10, visibility_timeout_ms: 30_000 }),
  );
  await attempt('queues.messages.ack', () =>
    client.queues.messages.ack(id, {
      ...account,
      acks: [{ lease_id: pulled.messages![0]!.lease_id! }],
    }),
  );
  await attempt('queues.delete', () => client.queues.delete(id, account));
}

async function workers(): Promise<void> {
  const code = (text: string) =>
    toFile(Buffer.from(text), 'worker.js', { type: 'application/javascript+module' });
  const files = [await code('export default { fetch: () => new Response("typescript"), scheduled() {} };')];
  await attempt('workers.scripts.update', () =>
    client.workers.scripts.update('typescript', {
      ...account,
      metadata: {
        main_module: 'worker.js',
        compatibility_date: '2026-03-01',
        bindings: [
          { type: 'plain_text', name: 'ONE', text: 'true' },
          { type: 'plain_text', name: 'TWO', text: '2' },
        ],
      },
      files,
    } as never),
  );
  await listAll('workers.scripts.list', client.workers.scripts.list(account));
  await attempt('workers.scripts.get', () => client.workers.scripts.get('typescript', account));
  await attempt('workers.scripts.settings.get', () =>
    client.workers.scripts.settings.get('typescript', account),
  );
  await attempt('workers.scripts.schedules.update', () =>
    client.workers.scripts.schedules.update('typescript', { ...account, body: [{ cron: '0 0 * * *' }] }),
  );
  await attempt('workers.scripts.secrets.update', () =>
    client.workers.scripts.secrets.update('typescript', {
      ...account,
      name: 'KEY',
      text: 'a',
      type: 'secret_text',
    }),
  );
  await listAll('workers.scripts.secrets.list', client.workers.scripts.secrets.list('typescript', account));
  await attempt('workers.scripts.tail.create', () =>
    client.workers.scripts.tail.create('typescript', account),
  );
  const domain = await attempt('workers.domains.update', () =>
    client.workers.domains.update({
      ...account,
      hostname: `ts.${name}`,
      service: 'typescript',
      zone_id,
    }),
  );
  await listAll('workers.domains.list', client.workers.domains.list(account));
  await attempt('workers.domains.get', () => client.workers.domains.get(domain.id, account));
  await attempt('workers.domains.delete', () => client.workers.domains.delete(domain.id, account));
  await attempt('workers.scripts.delete', () => client.workers.scripts.delete('typescript', account));
}

for (const family of [people, rules, balancing, stores, queues, workers]) {
  try {
    await family();
  } catch (error) {
    console.log(JSON.stringify({ what: family.name, problem: String(error) }));
  }
}
