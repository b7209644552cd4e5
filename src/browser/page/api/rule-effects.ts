/** The effects of rules, according to the activity log. */
import type { Result } from '#client';
import { read } from './read.ts';

export type RuleEffects = Result<'ruleEffects.list'>;
export type RuleEffect = RuleEffects['rules'][number];

export function ruleEffectsQuery(zone_id: string) {
  return { ...read('/zones/{zone_id}/security/rules/effects', { zone_id }), staleTime: 60_000 };
}

/** By rule id. */
export function indexEffects({ rules }: RuleEffects): ReadonlyMap<string, RuleEffect> {
  return new Map(rules.map((effect) => [effect.rule_id, effect]));
}
