/** Handlers of rulesets, written for a level: the zone or the account. */
import type { Input, Reply, RulesetRows, ResultOf } from '#contract';
import type { RulesetLevel } from './ruleset-level.ts';

/** Handlers by verb. */
export type LevelHandlers = {
  readonly [Verb in keyof RulesetRows]: (
    level: RulesetLevel,
    input: Input<RulesetRows[Verb]>,
  ) => Reply<ResultOf<RulesetRows[Verb]>>;
};
