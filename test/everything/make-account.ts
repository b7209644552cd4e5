/** Everything that an account can have beside zones and Workers: tokens, lists, rulesets, pools, notifications. */
import { eventually } from '../eventually.ts';
import type { Made, Maker } from './maker.ts';

const custom = 'http_request_firewall_custom';

export async function makeLists(
  maker: Maker,
): Promise<{ readonly ids: Record<string, string>; readonly ip: string }> {
  const create = (name: string, kind: string): Promise<Made> =>
    maker.do('lists.create', {}, { name, kind, description: `A list of ${kind}` });
  const office = await create('office', 'ip');
  await fill(maker, office.id, [{ ip: '192.0.2.1', comment: 'Front desk' }, { ip: '198.51.100.0/24' }]);
  const hosts = await create('hosts', 'hostname');
  const operation_id = await fill(maker, hosts.id, [{ hostname: { url_hostname: 'bad.example' } }]);
  const networks = await create('networks', 'asn');
  await fill(maker, networks.id, [{ asn: 64_496 }]);
  const redirects = await create('moved', 'redirect');
  await fill(maker, redirects.id, [
    { redirect: { source_url: 'modern.example/a', target_url: 'https://modern.example/b' } },
  ]);
  const feed = await create('feed', 'ip');
  await maker.do('listSources.set', { list_id: feed.id }, { url: 'http://127.0.0.1:9/addresses.txt' });
  const items = await maker.do('lists.listItems', { list_id: office.id });
  return {
    ip: 'office',
    ids: { operation_id, list_id: office.id, item_id: items[0].id, feed_list_id: feed.id },
  };
}

async function fill(maker: Maker, list_id: string, items: readonly object[]): Promise<string> {
  const { operation_id } = await maker.do('lists.appendItems', { list_id }, items);
  await eventually(async () => {
    const { status } = await maker.do('lists.getBulkOperation', { operation_id });
    return status === 'completed';
  });
  return operation_id;
}

export async function makeAccount(maker: Maker): Promise<Record<string, string>> {
  return {
    ...(await makeTokens(maker)),
    ...(await makeAccountRules(maker)),
    ...(await makePools(maker)),
    ...(await makeNotifications(maker)),
  };
}

async function makeTokens(maker: Maker): Promise<Record<string, string>> {
  const groups: readonly Made[] = await maker.do('tokens.listPermissionGroups');
  const policies = (resources: object): object => ({
    policies: [
      {
        effect: 'allow',
        resources,
        permission_groups: [{ id: groups.find(({ name }) => name === 'Zone Read').id }],
      },
    ],
  });
  const token = await maker.do(
    'tokens.create',
    {},
    {
      name: 'Deploys',
      ...policies({ 'com.cloudflare.api.account.zone.*': '*' }),
      condition: { request_ip: { in: ['192.0.2.0/24'] } },
    },
  );
  const owned = await maker.do(
    'accountTokens.create',
    {},
    {
      name: 'Of the account',
      ...policies({
        [`com.cloudflare.api.account.${maker.site.accountId}`]: { 'com.cloudflare.api.account.zone.*': '*' },
      }),
    },
  );
  return { token_id: token.id, account_token_id: owned.id };
}

async function makeAccountRules(maker: Maker): Promise<Record<string, string>> {
  const rule = (target: string): object => ({
    mode: 'challenge',
    configuration: { target: 'ip', value: target },
  });
  const access = await maker.do('accountAccessRules.create', {}, rule('203.0.113.5'));
  const own = await maker.do('userAccessRules.create', {}, rule('203.0.113.6'));
  const shared = await maker.do(
    'accountRulesets.create',
    {},
    {
      name: 'shared',
      kind: 'custom',
      phase: custom,
      rules: [{ action: 'block', expression: 'http.user_agent contains "sqlmap"', ref: 'scanners' }],
    },
  );
  await maker.do(
    'accountRulesets.addRule',
    { ruleset_id: shared.id },
    { action: 'log', expression: 'ip.src eq 192.0.2.4' },
  );
  await maker.do(
    'accountRulesets.updateEntryPoint',
    { ruleset_phase: custom },
    {
      rules: [
        { action: 'execute', expression: 'cf.zone.plan eq "ENT"', action_parameters: { id: shared.id } },
      ],
    },
  );
  await maker.do('accountRulesets.restoreVersion', { ruleset_id: shared.id, ruleset_version: '1' }, {});
  return { account_access_rule_id: access.id, user_access_rule_id: own.id, account_ruleset_id: shared.id };
}

async function makePools(maker: Maker): Promise<Record<string, string>> {
  const monitor = await maker.do(
    'monitors.create',
    {},
    { type: 'http', path: '/health', description: 'Front page' },
  );
  const pool = await maker.do(
    'pools.create',
    {},
    {
      name: 'primary',
      origins: [{ name: 'one', address: '192.0.2.20', enabled: false }],
      monitor: monitor.id,
      enabled: false,
    },
  );
  await maker.do(
    'edge.health',
    {},
    {
      pop: 'edge-elsewhere',
      origins: [
        {
          ...{ pool_id: pool.id, origin: 'one', address: '192.0.2.20', healthy: false, reason: 'refused' },
          ...{ status: 0, rtt_ms: 0, since_ms: Date.now() },
        },
      ],
    },
  );
  return { monitor_id: monitor.id, pool_id: pool.id };
}

export async function makeBalancer(
  maker: Maker,
  { zone_id, pool_id }: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const balancer = await maker.do(
    'loadBalancers.create',
    { zone_id: zone_id! },
    {
      name: 'balanced.modern.example',
      default_pools: [pool_id],
      fallback_pool: pool_id,
    },
  );
  return { load_balancer_id: balancer.id };
}

async function makeNotifications(maker: Maker): Promise<Record<string, string>> {
  const webhook = await maker.do(
    'alerting.createWebhook',
    {},
    { name: 'chat', url: 'http://127.0.0.1:9/hook', secret: 'x' },
  );
  const policy = await maker.do(
    'alerting.createPolicy',
    {},
    {
      name: 'Attacks on any site',
      enabled: true,
      alert_type: 'clickhouse_alert_fw_anomaly',
      mechanisms: { webhooks: [{ id: webhook.id }] },
    },
  );
  return { webhook_id: webhook.id, policy_id: policy.id };
}
