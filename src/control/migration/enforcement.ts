/** Whether a generation of managed rules does anything for a zone, and whether one can take over from the other. */
import { type EvaluatedRule, evaluatedRules, type Ruleset } from '#firewall';
import { wafOf } from '../configuration/zone-configuration.ts';
import type { ZoneContext } from '../context/handler.ts';
import { PageRuleStore } from '../stores/page-rule-store.ts';
import { RulesetStore } from '../stores/ruleset-store.ts';
import { SettingStore } from '../stores/setting-store.ts';
import { carryOver } from './carry-over.ts';
import { isMigrated } from '../stores/migration-store.ts';
import {
  assessRules,
  constantExpression,
  type Deployment,
  isWeaker,
  reasonsOf,
  type Strength,
  strengthOf,
} from './protection.ts';

type Situation = Pick<ZoneContext, 'sql' | 'zone' | 'directory'>;

/** The previous managed rules: on for the zone, or for a page of it. */
export function previousEnforces({ sql, zone }: Pick<ZoneContext, 'sql' | 'zone'>): boolean {
  if (zone.plan === 'free' || isMigrated({ sql })) return false;
  if (new SettingStore(sql).waf() === 'on') return true;
  return new PageRuleStore(sql).all().some((rule) => rule.status === 'active' && wafOf(rule) === 'on');
}

/** The entry point of the managed phase: it executes something that has rules left. */
export function rulesetEnforces(
  context: Pick<Situation, 'directory'>,
  entryPoint: Ruleset | undefined,
): boolean {
  return deploymentsOf(context, entryPoint).some(({ strength }) => strength !== 'nothing');
}

export function deploymentsOf(
  { directory }: Pick<Situation, 'directory'>,
  entryPoint: Ruleset | undefined,
): readonly Deployment[] {
  return assessRules(entryPoint?.rules ?? [], directory.lists.keys());
}

/** What stands in the place of the previous managed rules, compared with them. */
export interface Takeover {
  readonly strength: Strength;
  readonly previous: Strength;
  readonly isWeaker: boolean;
  /** Why it does not act, for people. */
  readonly reasons: string;
}

/**
 * A zone that only logs, or that bypasses everything, may go on to do so. So the yardstick is the configuration that
 * carries the previous settings over: whatever is less than that leaves the zone with less protection than it has.
 */
export function assessTakeover(context: Situation, entryPoint: Ruleset | undefined): Takeover {
  const skips = skipsInFront(context);
  const previous = previousStrength(context, skips);
  const deployments = deploymentsOf(context, entryPoint);
  const strength = skips.managed === undefined ? strengthOf(deployments) : 'nothing';
  const reasons =
    skips.managed === undefined
      ? reasonsOf(deployments)
      : `rule ${skips.managed} of the phase http_request_firewall_custom skips the phase for every request`;
  return { strength, previous, isWeaker: isWeaker(strength, previous), reasons };
}

function previousStrength(context: Situation, skips: SkipsInFront): Strength {
  if (!previousEnforces(context) || skips.previous) return 'nothing';
  const { rules } = carryOver(context);
  return strengthOf(assessRules(rules, context.directory.lists.keys()));
}

/** What rules of the custom phase take every request past. */
interface SkipsInFront {
  /** The id of the rule that skips the phase of managed rulesets. */
  readonly managed: string | undefined;
  readonly previous: boolean;
}

function skipsInFront({ sql, directory }: Situation): SkipsInFront {
  const custom = new RulesetStore(sql).entryPoint('http_request_firewall_custom');
  const skips = (custom === undefined ? [] : evaluatedRules(custom)).filter(
    (rule): rule is SkipRule =>
      rule.action === 'skip' &&
      rule.enabled &&
      constantExpression(rule.expression, directory.lists.keys()) === true,
  );
  return {
    managed: skips.find(({ action_parameters: { phases } }) =>
      phases?.includes('http_request_firewall_managed'),
    )?.id,
    previous: skips.some(({ action_parameters: { products } }) => products?.includes('waf')),
  };
}

type SkipRule = Extract<EvaluatedRule, { action: 'skip' }>;
