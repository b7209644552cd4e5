/** The current protection of a zone, in one sentence. */
import { ok, type Result } from '#contract';
import type { Handlers, ZoneContext } from '../../context/handler.ts';
import { legacyEnforces, rulesetEnforces } from '../../migration/enforcement.ts';
import { readEdgeSettings } from '../../stores/edge.ts';
import { FirewallRuleStore } from '../../stores/firewall-rules.ts';
import { isWatched } from '../../stores/migration.ts';
import { RulesetStore } from '../../stores/rulesets.ts';
import { toEdgeJson } from '../edge/edge-handlers.ts';
import { writeOrigin } from './protection-steps.ts';

type Protection = Result<'protection.get'>;

export const protectionStateHandlers: Handlers<ZoneContext, 'protection.get'> = {
  'protection.get'(context) {
    const { sql } = context;
    const rulesets = new RulesetStore(sql);
    const custom = rulesets.findEntryPoint('http_request_firewall_custom')?.rules ?? [];
    const found = {
      origin: toEdgeJson(readEdgeSettings(sql)).origin,
      managed: findManaged(context, rulesets),
      firewall_rules: new FirewallRuleStore(sql).search({ paused: false, page: 1, per_page: 1 }).total,
      custom_rules: custom.filter(({ enabled }) => enabled).length,
    };
    return ok({ ...found, ...describe(context, found) });
  },
};

/** Rules that only log do not protect. */
function findManaged(context: ZoneContext, rulesets: RulesetStore): Protection['managed'] {
  const entryPoint = rulesets.findEntryPoint('http_request_firewall_managed');
  const isNew = rulesetEnforces(context, entryPoint) && !isWatched(context.sql);
  if (legacyEnforces(context)) return isNew ? 'both' : 'legacy';
  return isNew ? 'rulesets' : 'off';
}

const managedNames = {
  off: undefined,
  legacy: 'managed rules',
  rulesets: 'managed rulesets',
  both: 'both generations of managed rules',
} as const;

function describe(
  { zone: { name, isPaused } }: ZoneContext,
  { origin, managed, firewall_rules, custom_rules }: Omit<Protection, 'state' | 'sentence'>,
): Pick<Protection, 'state' | 'sentence'> {
  if (origin === null) {
    const sentence = `${name} has no origin, so nothing is served and nothing is protected.`;
    return { state: 'not served', sentence };
  }
  const to = writeOrigin(origin);
  if (isPaused) {
    const sentence = `${name} is paused: requests go to ${to} and no rule checks them.`;
    return { state: 'paused', sentence };
  }
  const own = [countRules(firewall_rules, 'firewall rule'), countRules(custom_rules, 'custom rule')];
  const checks = [managedNames[managed], ...own].filter((each) => each !== undefined);
  if (checks.length === 0) {
    const sentence = `Nothing protects ${name}: every request goes to ${to} unchecked.`;
    return { state: 'not protected', sentence };
  }
  const list = new Intl.ListFormat('en').format(checks);
  const isOne = checks.length === 1 && list.startsWith('1 ');
  const sentence = `${list[0]!.toUpperCase()}${list.slice(1)} ${isOne ? 'checks' : 'check'} every request to ${name} before it goes to ${to}`;
  return managed === 'off'
    ? { state: 'partly protected', sentence: `${sentence}; managed rules are off.` }
    : { state: 'protected', sentence: `${sentence}.` };
}

function countRules(count: number, name: string): string | undefined {
  if (count === 0) return undefined;
  return `${count.toLocaleString('en')} ${name}${count === 1 ? '' : 's'}`;
}
