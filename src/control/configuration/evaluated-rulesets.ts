/** Reads the rulesets that the edge needs to evaluate requests. */
import { evaluatedPhases, isEvaluatedPhase, type Ruleset } from '#firewall';
import { RulesetStore } from '../stores/ruleset-store.ts';
import type { Sql } from '../context/tables/sql.ts';

/** The entry points of the evaluated phases, in the order in which a request passes them. */
export function readEvaluatedEntryPoints(sql: Sql): readonly Ruleset[] {
  const store = new RulesetStore(sql);
  return evaluatedPhases.flatMap((phase) => store.findEntryPoint(phase) ?? []);
}

/** The custom rulesets of the evaluated phases. */
export function readEvaluatedCustomRulesets(sql: Sql): readonly Ruleset[] {
  return new RulesetStore(sql).listAll('custom').filter(({ phase }) => isEvaluatedPhase(phase));
}
