/**
 * The bodies of the walk through an SDK, by operation. An operation that changes a readable resource and is not listed
 * here sends back what was read. `number` is different each time, so that names are unique.
 */
import { createAuthority, issueCertificate } from '../../src/foundation/certificates/certificate.ts';
import type { Made } from '../../test/everything/maker.ts';

export type Ids = Readonly<Record<string, string>>;
type Body = (number: number, ids: Ids) => Made;

const custom = 'http_request_firewall_custom';
const expression = (number: number): string => `http.request.uri.path eq "/walk-${number}"`;
const address = (number: number): string => `203.0.${100 + (number >> 8)}.${number & 255}`;

const accessRule: Body = (number) => ({
  mode: 'block',
  configuration: { target: 'ip', value: address(number) },
  notes: 'Tried every password',
});

const token =
  (resources: (ids: Ids) => object): Body =>
  (number, ids) => ({
    name: `walk ${number}`,
    policies: [
      { effect: 'allow', resources: resources(ids), permission_groups: [{ id: ids['permission_group_id'] }] },
    ],
  });

const rule: Body = (number) => ({
  action: 'block',
  expression: expression(number),
  description: `walk ${number}`,
});

const ruleset: Body = (number, ids) => ({
  name: `walk ${number}`,
  kind: 'custom',
  phase: custom,
  description: 'Of the walk',
  rules: [rule(number, ids)],
});

const code = {
  $file: {
    name: 'index.js',
    type: 'application/javascript+module',
    text: `import { DurableObject } from 'cloudflare:workers';
export class Ledger extends DurableObject {}
export class Plain extends DurableObject {}
export default { fetch: () => new Response('walked'), scheduled() {}, queue() {} };`,
  },
};

const metadata = {
  main_module: 'index.js',
  compatibility_date: '2026-03-01',
  bindings: [{ type: 'plain_text', name: 'ONE', text: '1' }],
};

const zones: Readonly<Record<string, Body>> = {
  'zones.create': (number, ids) => ({
    name: `walk-${number}.example`,
    type: 'full',
    account: { id: ids['account_id'] },
  }),
  'zones.edit': () => ({ paused: false }),
  'zones.subscribe': () => ({ rate_plan: { id: 'enterprise' }, frequency: 'monthly' }),
  'zones.changeSubscription': () => ({ rate_plan: { id: 'enterprise' }, frequency: 'monthly' }),
  'filters.create': (number) => [{ expression: expression(number) }],
  'filters.updateMany': (number, ids) => [{ id: ids['filter_id'], expression: expression(number) }],
  'filters.validateSentExpression': (number) => ({ expression: expression(number) }),
  'firewallRules.create': (number) => [{ action: 'block', filter: { expression: expression(number) } }],
  'firewallRules.updateMany': (_, ids) => [
    { id: ids['firewall_rule_id'], action: 'log', filter: { id: ids['firewall_filter_id'] } },
  ],
  'firewallRules.edit': () => ({ priority: 7 }),
  'firewallRules.editMany': (_, ids) => [{ id: ids['firewall_rule_id'], priority: 8 }],
  'accessRules.create': accessRule,
  'lockdowns.create': (number) => ({
    urls: [`modern.example/walk-${number}*`],
    configurations: [{ target: 'ip', value: address(number) }],
  }),
  'userAgentRules.create': (number) => ({
    mode: 'block',
    configuration: { target: 'ua', value: `Walker ${number}` },
  }),
  'rateLimits.create': (number) => ({
    threshold: 60,
    period: 60,
    match: { request: { url: `legacy.example/walk-${number}` } },
    action: { mode: 'ban', timeout: 60 },
  }),
  'pageRules.create': (number) => ({
    targets: [
      { target: 'url', constraint: { operator: 'matches', value: `modern.example/walk-${number}/*` } },
    ],
    actions: [{ id: 'browser_check', value: 'off' }],
    priority: 1,
    status: 'active',
  }),
  'settings.editMany': () => ({ items: [{ id: 'security_level', value: 'medium' }] }),
  'rulesets.create': (number) => ({
    name: `walk ${number}`,
    kind: 'zone',
    phase: 'http_request_transform',
    rules: [],
  }),
  'rulesets.addRule': rule,
  'rulesets.editRule': rule,
  'wafPackages.edit': () => ({ sensitivity: 'low', action_mode: 'challenge' }),
  'wafGroups.edit': (_, ids) => ({ mode: ids['other_group_mode'] }),
  'wafOverrides.create': (number) => ({
    urls: [`legacy.example/walk-${number}*`],
    rules: { '100001': 'disable' },
  }),
  'customCertificates.create': () => {
    const now = Date.now();
    const issued = issueCertificate(createAuthority('Test authority', now), ['modern.example'], now);
    return {
      certificate: issued.certificate.toString(),
      private_key: String(issued.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    };
  },
  'universalSsl.edit': () => ({ enabled: true }),
  'loadBalancers.create': (number, ids) => ({
    name: `walk-${number}.modern.example`,
    default_pools: [ids['pool_id']],
    fallback_pool: ids['pool_id'],
  }),
  'logpush.create': (number) => ({
    name: `walk-${number}`,
    dataset: 'firewall_events',
    destination_conf: 'https://logs.example/in',
    enabled: false,
  }),
  'logpush.validateDestination': () => ({ destination_conf: 'https://logs.example/in' }),
  'logpush.destinationExists': () => ({ destination_conf: 'https://logs.example/in' }),
  'logpush.ownership': () => ({ destination_conf: 'https://logs.example/in' }),
  'logpush.validateOwnership': () => ({
    destination_conf: 'https://logs.example/in',
    ownership_challenge: 'none',
  }),
  'workerRoutes.create': (number) => ({ pattern: `modern.example/walk-${number}/*`, script: 'holder' }),
};

const account: Readonly<Record<string, Body>> = {
  'tokens.create': token(() => ({ 'com.cloudflare.api.account.zone.*': '*' })),
  'tokens.roll': () => ({}),
  'accountTokens.create': token(({ account_id }) => ({
    [`com.cloudflare.api.account.${account_id}`]: { 'com.cloudflare.api.account.zone.*': '*' },
  })),
  'accountTokens.roll': () => ({}),
  'accountAccessRules.create': accessRule,
  'userAccessRules.create': accessRule,
  'lists.create': (number) => ({ name: `walk_${number}`, kind: 'ip', description: 'Of the walk' }),
  'lists.appendItems': (number) => [{ ip: address(number) }],
  'lists.replaceItems': (number) => [{ ip: address(number) }],
  'lists.removeItems': (_, ids) => ({ items: [{ id: ids['item_id'] }] }),
  'accountRulesets.create': ruleset,
  'accountRulesets.addRule': rule,
  'accountRulesets.editRule': rule,
  'monitors.create': (number) => ({
    type: 'http',
    path: '/health',
    description: `walk ${number}`,
    timeout: 5,
    interval: 60,
  }),
  'pools.create': (number) => ({
    name: `walk-${number}`,
    origins: [{ name: 'one', address: '192.0.2.20', enabled: true }],
  }),
  'alerting.createPolicy': (number, ids) => ({
    name: `walk ${number}`,
    enabled: true,
    alert_type: 'clickhouse_alert_fw_anomaly',
    mechanisms: { webhooks: [{ id: ids['webhook_id'] }] },
  }),
  'alerting.createWebhook': (number) => ({ name: `walk ${number}`, url: 'http://127.0.0.1:9/hook' }),
};

const workers: Readonly<Record<string, Body>> = {
  'workers.upload': () => ({ metadata, files: [code] }),
  'workers.uploadVersion': () => ({ metadata, files: [code] }),
  'workers.setHost': () => ({ enabled: true }),
  'workers.createTail': () => ({}),
  'workers.beginAssets': () => ({ manifest: { '/walk.txt': { hash: 'a'.repeat(32), size: 4 } } }),
  'workers.deploy': (_, ids) => ({
    strategy: 'percentage',
    versions: [{ version_id: ids['version_id'], percentage: 100 }],
  }),
  'workers.putSecret': (number) => ({ name: `WALK_${number}`, text: 'hidden', type: 'secret_text' }),
  'workers.editSecrets': (number) => ({
    secrets: { [`WALK_${number}`]: { name: `WALK_${number}`, text: 'hidden', type: 'secret_text' } },
  }),
  'workers.create': (number) => ({ name: `walk-${number}`, tags: ['walk'] }),
  'workers.createVersion': () => ({
    main_module: 'index.js',
    compatibility_date: '2026-03-01',
    modules: [
      {
        name: 'index.js',
        content_type: 'application/javascript+module',
        content_base64: btoa(code.$file.text),
      },
    ],
  }),
  'workers.setSchedules': () => [{ cron: '0 0 1 1 *' }],
  'workers.attachDomain': (number, ids) => ({
    hostname: `walk-${number}.modern.example`,
    service: 'holder',
    zone_id: ids['zone_id'],
    environment: 'production',
  }),
};

const stores: Readonly<Record<string, Body>> = {
  'kv.create': (number) => ({ title: `walk ${number}` }),
  'kv.rename': (number) => ({ title: `walk ${number}` }),
  'kv.writeValue': () => ({ value: 'd2Fsa2Vk', metadata: '{"by":"walk"}' }),
  'kv.writeBulk': (number) => [{ key: `walk:${number}`, value: 'walked' }],
  'kv.deleteBulk': (number) => [`walk:${number}`],
  'kv.deleteMany': (number) => [`walk:${number}`],
  'kv.readBulk': (_, ids) => ({ keys: [ids['key_name']] }),
  'd1.create': (number) => ({ name: `walk-${number}` }),
  'd1.query': () => ({ sql: 'SELECT ? AS one', params: ['1'] }),
  'd1.raw': () => ({ sql: 'SELECT ? AS one', params: ['1'] }),
  'd1.import': () => ({ action: 'init', etag: 'd41d8cd98f00b204e9800998ecf8427e' }),
  'd1.export': () => ({ output_format: 'polling' }),
  'queues.create': (number) => ({ queue_name: `walk-${number}` }),
  'queues.purge': () => ({ delete_messages_permanently: true }),
  'queues.send': () => ({ body: 'walked', content_type: 'text' }),
  'queues.sendBatch': () => ({ messages: [{ body: 'walked', content_type: 'text' }] }),
  'queues.pull': () => ({ batch_size: 10, visibility_timeout_ms: 30_000 }),
  'queues.ack': (_, ids) => ({ acks: [{ lease_id: ids['lease_id'] }] }),
  'queues.createConsumer': () => ({ type: 'http_pull' }),
  'queues.replaceConsumer': () => ({ type: 'http_pull', settings: { batch_size: 5 } }),
  'r2.writeObject': () => 'walked',
  'r2.create': (number) => ({ name: `walk-${number}` }),
  'r2.setCors': () => ({
    rules: [{ id: 'walk', allowed: { origins: ['https://a.example'], methods: ['GET'] } }],
  }),
  'r2.setLifecycle': () => ({
    rules: [
      {
        id: 'walk',
        enabled: true,
        conditions: { prefix: '' },
        deleteObjectsTransition: { condition: { type: 'Age', maxAge: 86_400 } },
      },
    ],
  }),
};

export const bodies: Readonly<Record<string, Body>> = { ...zones, ...account, ...workers, ...stores };
