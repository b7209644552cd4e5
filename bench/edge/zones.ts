/** The zone that the benchmark serves, with more and more of it switched on. */
import type { ConfiguredFirewallRule, Ruleset, RulesetRule, ZoneConfiguration } from '../../src/firewall.ts';
import { mixedRules } from '../rules/workload.ts';

export const zoneName = 'shop.example';

const managedRulesetId = 'efb7b8c949ac4650a09736fc376e9aee';
const seed = 7;

export interface ZoneParts {
  readonly firewallRules?: boolean;
  readonly managed?: boolean;
  readonly log?: boolean;
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
    entryPoints: parts.managed === true ? [managedEntryPoint] : [],
    customRulesets: [],
    previous: { waf: 'off', packages: {}, groups: {}, rules: {}, overrides: [], pageRules: [] },
    lists: [],
    edge: {
      origin: { url: `http://127.0.0.1:${originPort}`, verifyTls: true },
      overInspectionLimit: 'log',
    },
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

const managedEntryPoint: Ruleset = entryPointOf('http_request_firewall_managed', {
  action: 'execute',
  action_parameters: { id: managedRulesetId },
});

export function entryPointOf(phase: string, rule: Partial<RulesetRule>): Ruleset {
  const stamp = { version: '1', last_updated: '2026-01-01T00:00:00.000000Z' };
  return {
    ...stamp,
    id: 'e0000000000000000000000000000001',
    name: 'default',
    description: '',
    kind: 'zone',
    phase,
    rules: [
      {
        ...stamp,
        id: 'f0000000000000000000000000000001',
        ref: 'f0000000000000000000000000000001',
        expression: 'true',
        enabled: true,
        action: 'block',
        ...rule,
      },
    ],
  };
}
