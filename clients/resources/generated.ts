/** One of everything that `gatehouse terraform generate` writes, made through the API: with text that HCL has to escape. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatehouseServer, Zone } from '../server.ts';

const managedRuleset = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRuleset = '4814384a9e5d4991b9815dcfc25d2f1f';

/** Items of lists are added in the background. */
const pollMs = 50;
const pollsMax = 1_200;

async function send(server: GatehouseServer, operation: string, body: unknown): Promise<any> {
  const { status, result, errors } = await server.call(operation, body);
  if (status < 300) return result;
  throw new Error(`${operation} answered ${status}: ${JSON.stringify(errors)}`);
}

export async function createZoneThings(server: GatehouseServer, { id, name }: Zone): Promise<void> {
  const zone = `/zones/${id}`;
  for (const [phase, rules] of Object.entries(zoneRules))
    await send(server, `PUT ${zone}/rulesets/phases/${phase}/entrypoint`, {
      description: `${phase} with \${braces} and %{percent}`,
      rules,
    });
  await send(server, `POST ${zone}/filters`, [
    { expression: 'http.request.uri.path eq "/filter"', description: 'with a "quoted" word', ref: 'FIL-1' },
    { expression: 'http.user_agent contains "${bot}"', paused: true },
  ]);
  await send(server, `POST ${zone}/firewall/rules`, [
    {
      filter: { expression: 'ip.src eq 192.0.2.9' },
      action: 'bypass',
      products: ['waf', 'rateLimit'],
      description: 'office',
      priority: 7,
    },
    { filter: { expression: 'http.host eq "old.example"' }, action: 'block', paused: true },
  ]);
  for (const rule of pageRules(name)) await send(server, `POST ${zone}/pagerules`, rule);
  await send(server, `PATCH ${zone}/settings`, {
    items: [
      { id: 'always_use_https', value: 'on' },
      { id: 'challenge_ttl', value: 2_700 },
      { id: 'ciphers', value: ['ECDHE-ECDSA-AES128-GCM-SHA256'] },
      { id: 'security_header', value: { strict_transport_security: strictTransport } },
    ],
  });
  await send(server, `POST ${zone}/firewall/access_rules/rules`, {
    mode: 'block',
    notes: 'with a "quoted" word',
    configuration: { target: 'ip', value: '192.0.2.7' },
  });
  await send(server, `POST ${zone}/firewall/ua_rules`, {
    mode: 'challenge',
    paused: true,
    description: '${bot}',
    configuration: { target: 'ua', value: 'BadBot/1.0' },
  });
  await send(server, `POST ${zone}/firewall/lockdowns`, {
    urls: [`${name}/admin*`],
    description: 'office',
    configurations: [{ target: 'ip_range', value: '198.51.100.0/24' }],
  });
  const balancing = `/accounts/${server.facts.account_id}/load_balancers`;
  const monitor = await send(server, `POST ${balancing}/monitors`, {
    type: 'http',
    path: '/health',
    expected_codes: '2xx',
    header: { Host: ['backend.example'] },
  });
  const pool = await send(server, `POST ${balancing}/pools`, {
    name: `pool-${id.slice(-8)}`,
    monitor: monitor.id,
    origins: [
      { name: 'one', address: 'one.example.net', weight: 0.5, header: { Host: ['backend.example'] } },
      { name: 'two', address: 'two.example.net', port: 8443, enabled: false },
    ],
  });
  await send(server, `POST ${zone}/load_balancers`, {
    name: `www.${name}`,
    default_pools: [pool.id],
    fallback_pool: pool.id,
    proxied: true,
    session_affinity: 'cookie',
  });
  await send(server, `PUT ${zone}/url_normalization`, { type: 'cloudflare', scope: 'incoming' });
}

const strictTransport = {
  enabled: true,
  max_age: 86_400,
  include_subdomains: true,
  preload: false,
  nosniff: true,
};

const zoneRules = {
  http_request_firewall_custom: [
    {
      action: 'block',
      expression: '(http.request.uri.path contains "/admin\\\\" and http.host ne "${host}")',
      description: 'a "quoted" name, a tab\tand ${braces}',
      action_parameters: {
        response: { status_code: 429, content: '{"error": "a\nb"}', content_type: 'application/json' },
      },
    },
    {
      action: 'skip',
      ref: 'office',
      expression: 'ip.src eq 192.0.2.7',
      action_parameters: { phases: ['http_request_firewall_managed'], products: ['waf', 'rateLimit'] },
      logging: { enabled: false },
    },
    { action: 'managed_challenge', expression: 'http.user_agent eq ""', enabled: false },
    { action: 'log', expression: 'ip.src.country in {"XX" "T1"}', description: 'seen' },
  ],
  http_request_firewall_managed: [
    {
      action: 'skip',
      expression: 'http.request.uri.path eq "/upload"',
      action_parameters: { ruleset: 'current' },
    },
    {
      action: 'skip',
      expression: 'http.request.uri.path eq "/search"',
      action_parameters: { rulesets: [managedRuleset] },
    },
    {
      action: 'skip',
      expression: 'http.request.uri.path eq "/one"',
      action_parameters: { rules: { [owaspRuleset]: ['6179ae15870a4bb7b2d480d4843b323c'] } },
    },
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: managedRuleset,
        overrides: {
          action: 'log',
          categories: [
            { category: 'wordpress', action: 'block', enabled: true },
            { category: 'joomla', enabled: false },
          ],
        },
      },
    },
    {
      action: 'execute',
      expression: 'true',
      action_parameters: {
        id: owaspRuleset,
        overrides: {
          categories: [{ category: 'paranoia-level-4', enabled: false }],
          rules: [{ id: '6179ae15870a4bb7b2d480d4843b323c', action: 'log', score_threshold: 25 }],
        },
      },
    },
  ],
  http_ratelimit: [
    {
      action: 'block',
      expression: 'http.request.uri.path eq "/login"',
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 60,
        requests_per_period: 100,
        mitigation_timeout: 600,
      },
    },
  ],
  http_request_late_transform: [
    {
      action: 'rewrite',
      expression: 'true',
      action_parameters: {
        headers: {
          'X-Country': { operation: 'set', expression: 'ip.src.country' },
          'X-Old': { operation: 'remove' },
        },
      },
    },
  ],
};

function pageRules(zoneName: string): object[] {
  const rule = (path: string, actions: readonly object[], rest: object = {}): object => ({
    targets: [{ target: 'url', constraint: { operator: 'matches', value: `${zoneName}/${path}` } }],
    actions,
    ...rest,
  });
  return [
    rule('old/*', [{ id: 'forwarding_url', value: { url: 'https://example.com/new/$1', status_code: 301 } }]),
    rule('plain/*', [{ id: 'always_use_https' }], { status: 'disabled' }),
    rule('files/*', [
      { id: 'waf', value: 'off' },
      { id: 'browser_cache_ttl', value: 14400 },
      { id: 'cache_level', value: 'bypass' },
    ]),
  ];
}

/** Names of lists are unique in the account, and other runs use their own. */
export async function createAccountThings(
  server: GatehouseServer,
  { zone, prefix }: { readonly zone: Zone; readonly prefix: string },
): Promise<void> {
  const account = `/accounts/${server.facts.account_id}`;
  for (const [kind, items] of Object.entries(itemsByKind)) {
    const list = { name: `${prefix}_${kind}`, kind, description: `${kind} for "${prefix}"` };
    const { id } = await send(server, `POST ${account}/rules/lists`, list);
    const { operation_id } = await send(server, `POST ${account}/rules/lists/${id}/items`, items);
    await waitUntilDone(server, `${account}/rules/lists/bulk_operations/${operation_id}`);
  }
  const custom = await send(server, `POST ${account}/rulesets`, {
    name: `custom of ${zone.name}`,
    kind: 'custom',
    phase: 'http_request_firewall_custom',
    rules: [{ action: 'block', expression: `ip.src in $${prefix}_ip`, description: 'listed' }],
  });
  const deployment = {
    action: 'execute',
    expression: `(cf.zone.name eq "${zone.name}") and cf.zone.plan eq "ENT"`,
    action_parameters: { id: custom.id },
  };
  await send(server, `PUT ${account}/rulesets/phases/http_request_firewall_custom/entrypoint`, {
    rules: [deployment],
  });
}

async function waitUntilDone(server: GatehouseServer, operation: string): Promise<void> {
  for (let poll = 0; poll < pollsMax; poll++) {
    const { result } = await server.call(`GET ${operation}`);
    if (result.status === 'completed') return;
    await sleep(pollMs);
  }
  throw new Error(`${operation} is not complete after ${pollsMax * pollMs} ms`);
}

const itemsByKind = {
  ip: [{ ip: '192.0.2.0/24', comment: 'one "office"' }, { ip: '2001:db8::/48' }],
  asn: [{ asn: 64496, comment: 'one' }, { asn: 64497 }],
  hostname: [{ hostname: { url_hostname: 'a.example.com' } }],
  redirect: [
    {
      redirect: {
        source_url: 'example.com/a',
        target_url: 'https://example.com/b',
        status_code: 302,
        preserve_query_string: true,
      },
    },
  ],
};
