/** What judging requests needs of the rulesets of an object. */
import { evaluatedPhases, isEvaluatedPhase, type Ruleset } from '#firewall';
import { RulesetStore } from '../stores/ruleset-store.ts';
import type { Sql } from '../context/sql.ts';

/** Those of the evaluated phases, in the order in which requests meet them. */
export function entryPointsOf(sql: Sql): readonly Ruleset[] {
  const store = new RulesetStore(sql);
  return evaluatedPhases.flatMap((phase) => store.entryPoint(phase) ?? []);
}

/** Those of the evaluated phases. */
export function customRulesetsOf(sql: Sql): readonly Ruleset[] {
  return new RulesetStore(sql).all('custom').filter(({ phase }) => isEvaluatedPhase(phase));
}
