/** Reads the rulesets that the edge needs to evaluate requests. */
import { isEvaluatedPhase, isInForce, phases, type Ruleset } from '#rulesets';
import { RulesetStore } from '../stores/rulesets.ts';
import type { Sql } from '../context/tables/sql.ts';

/** The entry points that are in force, in the order in which a request passes them. */
export function readEvaluatedEntryPoints(sql: Sql): readonly Ruleset[] {
  const store = new RulesetStore(sql);
  return [...phases.keys()]
    .filter((phase) => isInForce({ phase, kind: 'zone' }) || isInForce({ phase, kind: 'root' }))
    .flatMap((phase) => store.findEntryPoint(phase) ?? [])
    .filter(isInForce);
}

/** The custom rulesets of the evaluated phases. */
export function readEvaluatedCustomRulesets(sql: Sql): readonly Ruleset[] {
  return new RulesetStore(sql).listAll('custom').filter(({ phase }) => isEvaluatedPhase(phase));
}
