/** The zone that the benchmark serves, with more and more features switched on. */
import type {
  ConfiguredFirewallRule,
  ConfiguredLoadBalancer,
  ZoneConfiguration,
} from '../../src/rules/firewall.ts';
import type { Ruleset, RulesetRule } from '../../src/rules/rulesets.ts';
import { mixedRules } from '../rules/workload.ts';

export const zoneName = 'shop.example';

const managedRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
const owaspRulesetId = '4814384a9e5d4991b9815dcfc25d2f1f';
const seed = 7;

export interface ZoneParts {
  readonly firewallRules?: boolean;
  readonly managed?: boolean;
  readonly log?: boolean;
  /** Rules that answer every request with a redirect, rewrite fields of it and of its answer, or count it by address. */
  readonly changes?: 'redirect' | 'fields' | 'limit';
  /** How many origins its pool has; one without a pool if it is not given. */
  readonly origins?: number;
  /** The OWASP rules up to this paranoia level. */
  readonly owaspLevel?: number;
  /** Whether it learns ordinary values. */
  readonly learns?: boolean;
}

export function zoneOf(parts: ZoneParts, originPort: number): ZoneConfiguration {
  return {
    version: 1,
    zone: {
      id: 'a0000000000000000000000000000001',
      name: zoneName,
      plan: 'enterprise',
      accountId: 'b0000000000000000000000000000001',
      isPaused: false,
    },
    migration: 'complete',
    firewallRules: [
      ...(parts.firewallRules === true ? mixedRules(100, seed).map(blockRule) : []),
      ...(parts.log === true ? [logRule] : []),
    ],
    entryPoints: createEntryPoints(parts),
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists: [],
    ...(parts.origins === undefined ? {} : { loadBalancers: [balancerOf(parts.origins, originPort)] }),
    edge: {
      origin: { url: `http://127.0.0.1:${originPort}`, verifyTls: true },
      overInspectionLimit: 'log',
      ...(parts.learns === true ? { learning: 'acting' } : {}),
    },
    ...(parts.learns === true ? { learned: { seed: 'seed', wide: [], values: [] } } : {}),
  };
}

function blockRule(expression: string, index: number): ConfiguredFirewallRule {
  const id = `c${String(index).padStart(31, '0')}`;
  return { id, action: 'block', products: [], description: `rule ${index}`, ref: '', expression };
}

/** Matches every request of the benchmark. */
const logRule: ConfiguredFirewallRule = {
  id: 'd0000000000000000000000000000001',
  action: 'log',
  products: [],
  description: 'everything',
  ref: '',
  expression: `http.host eq "${zoneName}"`,
};

function createEntryPoints({ managed, owaspLevel, changes }: ZoneParts): Ruleset[] {
  if (changes !== undefined) return changingEntryPoints[changes];
  const rules = [
    ...(managed === true ? [{ action: 'execute', action_parameters: { id: managedRulesetId } }] : []),
    ...(owaspLevel === undefined ? [] : [executeOwasp(owaspLevel)]),
  ] as Partial<RulesetRule>[];
  return rules.length === 0 ? [] : [entryPointOf('http_request_firewall_managed', ...rules)];
}

/** All of them are one process: only the choice is measured. */
function balancerOf(count: number, port: number): ConfiguredLoadBalancer {
  const origins = Array.from({ length: count }, (_, index) => ({
    name: `origin-${index}`,
    address: '127.0.0.1',
    port,
    host: `origin-${index}.example`,
    weight: 1,
    isEnabled: true,
    disabledAtMs: undefined,
  }));
  const pool = {
    id: 'c0000000000000000000000000000001',
    name: 'pool',
    isEnabled: true,
    origins,
    originsMin: 1,
    steering: 'random' as const,
    slowStartSeconds: 0,
    monitor: undefined,
  };
  return {
    id: 'b0000000000000000000000000000002',
    zoneId: 'a0000000000000000000000000000001',
    name: zoneName,
    pools: [pool],
    fallback: pool,
    steering: 'order',
    poolWeights: {},
    defaultWeight: 1,
    affinity: undefined,
    failsOverAcrossPools: false,
  };
}

/** All findings are only logged, so that every request takes the same path. */
function executeOwasp(level: number): Partial<RulesetRule> {
  const categories = [1, 2, 3, 4]
    .filter((each) => each > level)
    .map((each) => ({ category: `paranoia-level-${each}`, enabled: false }));
  return {
    action: 'execute',
    action_parameters: { id: owaspRulesetId, overrides: { action: 'log', categories } },
  };
}

export function entryPointOf(phase: string, ...rules: readonly Partial<RulesetRule>[]): Ruleset {
  const stamp = { version: '1', last_updated: '2026-01-01T00:00:00.000000Z' };
  return {
    ...stamp,
    id: 'e0000000000000000000000000000001',
    name: 'default',
    description: '',
    kind: 'zone',
    phase,
    rules: rules.map((rule, index) => {
      const id = `f${String(index + 1).padStart(31, '0')}`;
      return { ...stamp, id, ref: id, expression: 'true', enabled: true, action: 'block', ...rule };
    }),
  };
}

const fieldRule: Partial<RulesetRule> = {
  action: 'rewrite',
  action_parameters: { headers: { 'x-rule': { operation: 'set', value: 'yes' } } },
};

const changingEntryPoints = {
  redirect: [
    entryPointOf('http_request_dynamic_redirect', {
      action: 'redirect',
      action_parameters: {
        from_value: { target_url: { value: 'https://elsewhere.example/' }, status_code: 301 },
      },
    }),
  ],
  fields: [
    entryPointOf('http_request_late_transform', fieldRule),
    entryPointOf('http_response_headers_transform', fieldRule),
  ],
  limit: [
    entryPointOf('http_ratelimit', {
      ratelimit: {
        characteristics: ['cf.colo.id', 'ip.src'],
        period: 10,
        requests_per_period: 1_000_000_000,
        mitigation_timeout: 0,
      },
    }),
  ],
};
