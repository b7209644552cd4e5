/** The older rate limits, the tools beside firewall rules, and load balancing, for the providers that have them. */
import type { ProviderName } from '../builds.ts';
import type { Facts, Imports, ResourceCase } from '../case.ts';
import { type Attributes, type Generation, Reference, writeResource } from '../hcl.ts';

const inZone: Imports[string] = ({ id }, { zone }) => `${zone.id}/${String(id)}`;
const inAccount: Imports[string] = ({ id }, { accountId }) => `${accountId}/${String(id)}`;

interface Tool {
  readonly type: string;
  readonly about?: string;
  readonly contents: (facts: Facts, generation: Generation) => readonly [Attributes, Attributes];
  readonly toId: (generation: Generation) => Imports[string];
}

function rateLimit({ zone: { id, name } }: Facts, generation: Generation, threshold: number): Attributes {
  const url = `${name}/login*`;
  const request = { methods: ['POST'], schemes: ['_ALL_'] };
  return {
    zone_id: id,
    threshold,
    period: 60,
    match: {
      request: { ...request, ...(generation === 'provider-4' ? { url_pattern: url } : { url }) },
      // Provider 5 has no statuses.
      ...(generation === 'provider-4' ? { response: { statuses: [401], origin_traffic: false } } : {}),
    },
    action: {
      mode: 'ban',
      timeout: 600,
      response: { content_type: 'application/json', body: '{"slow":"down"}' },
    },
  };
}

const tools: readonly Tool[] = [
  {
    type: 'rate_limit',
    contents: (facts, generation) => [rateLimit(facts, generation, 20), rateLimit(facts, generation, 10)],
    toId: () => inZone,
  },
  {
    type: 'access_rule',
    about: ' of a zone',
    contents: ({ zone: { id } }) => {
      const configuration = { target: 'ip', value: '192.0.2.7' };
      return [
        { zone_id: id, mode: 'block', notes: 'one', configuration },
        { zone_id: id, mode: 'challenge', notes: 'changed', configuration },
      ];
    },
    toId: (generation) =>
      generation === 'provider-4'
        ? ({ id }, { zone }) => `zone/${zone.id}/${String(id)}`
        : ({ id }, { zone }) => `zones/${zone.id}/${String(id)}`,
  },
  {
    type: 'access_rule',
    about: ' of the account',
    contents: ({ accountId }, generation) => {
      // Both providers run on one account.
      const configuration = { target: 'asn', value: generation === 'provider-4' ? 'AS64496' : 'AS64497' };
      return [
        { account_id: accountId, mode: 'js_challenge', notes: 'one', configuration },
        { account_id: accountId, mode: 'managed_challenge', notes: 'changed', configuration },
      ];
    },
    toId: (generation) =>
      generation === 'provider-4'
        ? ({ id }, { accountId }) => `account/${accountId}/${String(id)}`
        : ({ id }, { accountId }) => `accounts/${accountId}/${String(id)}`,
  },
  {
    type: 'user_agent_blocking_rule',
    contents: ({ zone: { id } }) => {
      const configuration = { target: 'ua', value: 'BadBot/1.0' };
      return [
        { zone_id: id, mode: 'block', paused: false, description: 'one', configuration },
        { zone_id: id, mode: 'challenge', paused: true, description: 'changed', configuration },
      ];
    },
    toId: () => inZone,
  },
  {
    type: 'zone_lockdown',
    contents: ({ zone: { id, name } }) => {
      const content = { zone_id: id, paused: false, urls: [`${name}/admin*`] };
      return [
        { ...content, description: 'one', configurations: [{ target: 'ip', value: '192.0.2.7' }] },
        {
          ...content,
          description: 'changed',
          configurations: [
            { target: 'ip', value: '192.0.2.7' },
            { target: 'ip_range', value: '198.51.100.0/24' },
          ],
        },
      ];
    },
    toId: () => inZone,
  },
];

/** A balancer with two pools and their monitor. */
function balancing(generation: Generation, { accountId, zone }: Facts, isChanged: boolean): string {
  const isBlocks = generation === 'provider-4';
  const host = isBlocks
    ? { header: { header: 'Host', values: ['backend.example'] } }
    : { header: { host: ['backend.example'] } };
  const label = zone.name.replaceAll(/[^a-z0-9]/g, '-');
  const pools = ['primary', 'spare'].map((name) =>
    writeResource(generation, 'load_balancer_pool', {
      name,
      content: {
        account_id: accountId,
        name: `${name}-${label}`,
        description: isChanged ? 'changed' : 'one',
        enabled: true,
        minimum_origins: 1,
        monitor: new Reference('cloudflare_load_balancer_monitor.one.id'),
        origins: [
          { name: 'one', address: 'one.example.net', enabled: true, weight: isChanged ? 0.5 : 1, ...host },
          { name: 'two', address: 'two.example.net', enabled: !isChanged, weight: 0.5, ...host },
        ],
        origin_steering: { policy: isChanged ? 'hash' : 'random' },
      },
    }),
  );
  const ids = ['primary', 'spare'].map((name) => new Reference(`cloudflare_load_balancer_pool.${name}.id`));
  const monitor = writeResource(generation, 'load_balancer_monitor', {
    content: {
      account_id: accountId,
      type: 'http',
      method: 'GET',
      path: isChanged ? '/ready' : '/health',
      expected_codes: '2xx',
      expected_body: 'alive',
      interval: 60,
      retries: 2,
      timeout: isChanged ? 7 : 5,
      description: 'by terraform',
      header: isBlocks ? { header: 'Host', values: ['backend.example'] } : { Host: ['backend.example'] },
    },
  });
  const balancer = writeResource(generation, 'load_balancer', {
    content: {
      zone_id: zone.id,
      name: `www.${zone.name}`,
      ...(isBlocks
        ? { default_pool_ids: isChanged ? ids.toReversed() : ids, fallback_pool_id: ids[1]! }
        : { default_pools: isChanged ? ids.toReversed() : ids, fallback_pool: ids[1]! }),
      proxied: true,
      description: 'by terraform',
      steering_policy: isChanged ? 'random' : 'off',
      session_affinity: 'cookie',
      session_affinity_ttl: isChanged ? 3_600 : 1_800,
    },
  });
  return monitor + pools.join('') + balancer;
}

/** Written in the form of the provider's generation, which differs for the substitute for provider 3. */
function toCase(
  { type, about = '', contents, toId }: Tool,
  provider: ProviderName,
  generation: Generation,
): ResourceCase {
  return {
    name: `cloudflare_${type}${about}`,
    provider,
    plan: 'enterprise',
    configurations: (facts) => {
      const isMap = provider === 'provider-3' && facts.isStandIn && type === 'access_rule';
      const written = isMap ? 'provider-5' : generation;
      const [first, changed] = contents(facts, generation);
      return [
        writeResource(written, type, { content: first }),
        writeResource(written, type, { content: changed }),
      ];
    },
    imports: { [`cloudflare_${type}.one`]: toId(generation) },
  };
}

function casesOf(provider: Generation): ResourceCase[] {
  return [
    ...tools.map((tool) => toCase(tool, provider, provider)),
    {
      name: 'cloudflare_load_balancer with its pools and monitor',
      provider,
      plan: 'enterprise',
      configurations: (facts) => [balancing(provider, facts, false), balancing(provider, facts, true)],
      imports: {
        'cloudflare_load_balancer.one': inZone,
        'cloudflare_load_balancer_pool.primary': inAccount,
        'cloudflare_load_balancer_monitor.one': inAccount,
      },
      // Provider 4 reads the time of a session only of balancers that have one in the state.
      ...(provider === 'provider-4' ? { isImportPartial: true } : {}),
    },
  ];
}

/** The substitute for provider 3 has no others. */
const formerTools = new Set([
  'cloudflare_rate_limit',
  'cloudflare_access_rule of a zone',
  'cloudflare_zone_lockdown',
]);

export const toolCases: readonly ResourceCase[] = [
  ...tools
    .map((tool) => toCase(tool, 'provider-3', 'provider-4'))
    .filter(({ name }) => formerTools.has(name)),
  ...casesOf('provider-4'),
  ...casesOf('provider-5'),
];
