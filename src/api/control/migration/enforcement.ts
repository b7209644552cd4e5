/**
 * Whether the legacy managed rules and the managed rulesets have an effect for a zone, and whether the latter can take
 * over.
 */
import { type EvaluatedRule, evaluatedRules, type Ruleset } from '#rulesets';
import { readWafSwitch } from '../configuration/zone-configuration.ts';
import type { ZoneContext } from '../context/handler.ts';
import { pageRuleTable } from '../stores/page-rules.ts';
import { RulesetStore } from '../stores/rulesets.ts';
import { readWafSetting } from '../stores/settings.ts';
import { carryOver } from './carry-over.ts';
import { isMigrated } from '../stores/migration.ts';
import {
  assessRules,
  evaluateConstant,
  type Deployment,
  isWeaker,
  joinReasons,
  type Strength,
  findGreatestStrength,
} from './protection.ts';

type Situation = Pick<ZoneContext, 'sql' | 'zone' | 'directory'>;

/** Whether the legacy managed rules are on for the zone, or for a page of it. */
export function legacyEnforces({ sql, zone }: Pick<ZoneContext, 'sql' | 'zone'>): boolean {
  if (zone.plan === 'free' || isMigrated({ sql })) return false;
  if (readWafSetting(sql) === 'on') return true;
  return pageRuleTable.list(sql).some((rule) => rule.status === 'active' && readWafSwitch(rule) === 'on');
}

/** Whether the entry point of the managed phase executes a ruleset with enabled rules. */
export function rulesetEnforces(
  context: Pick<Situation, 'directory'>,
  entryPoint: Ruleset | undefined,
): boolean {
  return assessDeployments(context, entryPoint).some(({ strength }) => strength !== 'nothing');
}

export function assessDeployments(
  { directory }: Pick<Situation, 'directory'>,
  entryPoint: Ruleset | undefined,
): readonly Deployment[] {
  return assessRules(entryPoint?.rules ?? [], directory.lists.keys());
}

/** The managed rulesets, compared with the legacy managed rules that they replace. */
export interface Takeover {
  readonly strength: Strength;
  readonly legacyStrength: Strength;
  readonly isWeaker: boolean;
  /** Why they neither block nor challenge, as text for a message. */
  readonly reasons: string;
}

/**
 * A zone that only logs, or that bypasses everything, may stay that way. So the standard is the configuration that
 * carries the legacy settings over: anything weaker reduces the zone's protection.
 */
export function assessTakeover(context: Situation, entryPoint: Ruleset | undefined): Takeover {
  const skips = findSkipsInFront(context);
  const legacyStrength = assessLegacyStrength(context, skips);
  const deployments = assessDeployments(context, entryPoint);
  const strength = skips.managed === undefined ? findGreatestStrength(deployments) : 'nothing';
  const reasons =
    skips.managed === undefined
      ? joinReasons(deployments)
      : `rule ${skips.managed} of the phase http_request_firewall_custom skips the phase for every request`;
  return { strength, legacyStrength, isWeaker: isWeaker(strength, legacyStrength), reasons };
}

function assessLegacyStrength(context: Situation, skips: SkipsInFront): Strength {
  if (!legacyEnforces(context) || skips.isLegacyWaf) return 'nothing';
  const { rules } = carryOver(context);
  return findGreatestStrength(assessRules(rules, context.directory.lists.keys()));
}

/** Rules of the custom phase that skip managed rules for every request. */
interface SkipsInFront {
  /** The id of the rule that skips the phase of the managed rulesets. */
  readonly managed: string | undefined;
  readonly isLegacyWaf: boolean;
}

function findSkipsInFront({ sql, directory }: Situation): SkipsInFront {
  const custom = new RulesetStore(sql).findEntryPoint('http_request_firewall_custom');
  const skips = (custom === undefined ? [] : evaluatedRules(custom)).filter(
    (rule): rule is SkipRule =>
      rule.action === 'skip' &&
      rule.enabled &&
      evaluateConstant(rule.expression, directory.lists.keys()) === true,
  );
  return {
    managed: skips.find(({ action_parameters: { phases } }) =>
      phases?.includes('http_request_firewall_managed'),
    )?.id,
    isLegacyWaf: skips.some(({ action_parameters: { products } }) => products?.includes('waf')),
  };
}

type SkipRule = Extract<EvaluatedRule, { action: 'skip' }>;
