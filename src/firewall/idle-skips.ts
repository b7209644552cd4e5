/** Exceptions that come too late: a skip acts only on execute rules that stand after it. */
import { evaluatedRules, type Ruleset, type SkipParameters } from './model.ts';
import { isEvaluatedPhase } from './phases.ts';

export interface IdleSkip {
  /** Of the rule in its ruleset, from 1. */
  readonly place: number;
  readonly ruleId: string;
  /** Ids of rulesets that it names and that no rule after it executes; none if it is meant for all of them. */
  readonly rulesetIds: readonly string[];
}

export function findIdleSkips(ruleset: Ruleset): readonly IdleSkip[] {
  if (!isEvaluatedPhase(ruleset.phase)) return [];
  const isManaged = ruleset.phase === 'http_request_firewall_managed';
  const executedAfter = new Set<string>();
  const idle: IdleSkip[] = [];
  for (const [index, rule] of [...evaluatedRules(ruleset).entries()].toReversed()) {
    if (rule.action === 'execute') executedAfter.add(rule.action_parameters.id);
    if (rule.action !== 'skip' || !rule.enabled) continue;
    const { ruleset: current } = rule.action_parameters;
    const rulesetIds = namedRulesets(rule.action_parameters).filter((id) => !executedAfter.has(id));
    // In other phases the rest of the list has more than execute rules to skip.
    const skipsNothing = isManaged && current === 'current' && executedAfter.size === 0;
    if (rulesetIds.length > 0 || skipsNothing) idle.push({ place: index + 1, ruleId: rule.id, rulesetIds });
  }
  return idle.toReversed();
}

function namedRulesets({ rulesets = [], rules = {} }: SkipParameters): readonly string[] {
  return [...new Set([...rulesets, ...Object.keys(rules)])];
}
