/** What judging requests needs of the rulesets of an object. */
import { evaluatedPhases, isEvaluatedPhase, type Ruleset } from '#firewall';
import type { DurableObjectStorage } from '#objects';
import { RulesetStore } from './ruleset-store.ts';

type Sql = DurableObjectStorage['sql'];

/** Those of the evaluated phases, in the order in which requests meet them. */
export function entryPointsOf(sql: Sql): readonly Ruleset[] {
  const store = new RulesetStore(sql);
  return evaluatedPhases.flatMap((phase) => store.entryPoint(phase) ?? []);
}

/** Those of the evaluated phases. */
export function customRulesetsOf(sql: Sql): readonly Ruleset[] {
  return new RulesetStore(sql).all('custom').filter(({ phase }) => isEvaluatedPhase(phase));
}
