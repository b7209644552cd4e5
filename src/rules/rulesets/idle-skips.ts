/** Finds exceptions that come too late: a skip acts only on execute rules after it. */
import { type EvaluatedRule, evaluatedRules, type Ruleset, type SkipParameters } from './model.ts';
import { isEvaluatedPhase } from './phases.ts';

interface IdleSkip {
  /** The position of the rule in its ruleset, from 1. */
  readonly place: number;
  readonly ruleId: string;
  /** Ids of rulesets that it names and that no later rule executes; empty if it applies to all rulesets. */
  readonly rulesetIds: readonly string[];
  /** The first execute rule that it applies to, if all of them come before it: in front of that rule it would act. */
  readonly lateFor?: { readonly place: number; readonly ruleId: string };
}

export function findIdleSkips(ruleset: Ruleset): readonly IdleSkip[] {
  if (!isEvaluatedPhase(ruleset.phase)) return [];
  const isManaged = ruleset.phase === 'http_request_firewall_managed';
  const rules = evaluatedRules(ruleset);
  const executedAfter = new Set<string>();
  const idle: IdleSkip[] = [];
  for (const [index, rule] of [...rules.entries()].toReversed()) {
    if (rule.action === 'execute') executedAfter.add(rule.action_parameters.id);
    if (rule.action !== 'skip' || !rule.enabled) continue;
    const named = namedRulesets(rule.action_parameters);
    const rulesetIds = named.filter((id) => !executedAfter.has(id));
    // In other phases the rest of the list contains more than execute rules.
    const skipsNothing =
      isManaged && rule.action_parameters.ruleset === 'current' && executedAfter.size === 0;
    if (rulesetIds.length === 0 && !skipsNothing) continue;
    const isUseless =
      skipsNothing || (rulesetIds.length === named.length && !skipsMore(rule.action_parameters));
    const lateFor = isUseless ? findExecute(rules.slice(0, index), rulesetIds) : undefined;
    idle.push({
      place: index + 1,
      ruleId: rule.id,
      rulesetIds,
      ...(lateFor === undefined ? {} : { lateFor }),
    });
  }
  return idle.toReversed();
}

/** Whether it has effects other than those on rulesets. */
function skipsMore({ ruleset, phases = [], products = [] }: SkipParameters): boolean {
  return ruleset !== undefined || phases.length > 0 || products.length > 0;
}

/** The first rule that executes one of the rulesets, or any ruleset if none is named. */
function findExecute(rules: readonly EvaluatedRule[], rulesetIds: readonly string[]): IdleSkip['lateFor'] {
  const index = rules.findIndex(
    (rule) =>
      rule.action === 'execute' &&
      (rulesetIds.length === 0 || rulesetIds.includes(rule.action_parameters.id)),
  );
  return index < 0 ? undefined : { place: index + 1, ruleId: rules[index]!.id };
}

function namedRulesets({ rulesets = [], rules = {}, categories = {} }: SkipParameters): readonly string[] {
  return [...new Set([...rulesets, ...Object.keys(rules), ...Object.keys(categories)])];
}
