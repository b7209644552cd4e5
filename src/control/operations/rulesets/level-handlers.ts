/** Turns handlers written for a level into handlers of the operations of zones and of the account. */
import type { Input, Reply, RulesetRows, ResultOf } from '#contract';
import type { Context } from '../../context/handler.ts';
import type { RulesetLevel } from './ruleset-level.ts';

/** Handlers by verb. */
export type LevelHandlers = {
  readonly [Verb in keyof RulesetRows]: (
    level: RulesetLevel,
    input: Input<RulesetRows[Verb]>,
  ) => Reply<ResultOf<RulesetRows[Verb]>>;
};

type Bound<C extends Context, Family extends string> = {
  readonly [Verb in keyof RulesetRows as `${Family}.${Verb}`]: (
    context: C,
    input: Input<RulesetRows[Verb]>,
  ) => Reply<ResultOf<RulesetRows[Verb]>>;
};

export function bindHandlers<C extends Context, const Family extends string>(
  family: Family,
  handlers: LevelHandlers,
  levelOf: (context: C) => RulesetLevel,
): Bound<C, Family> {
  const entries = Object.entries(handlers).map(([verb, handle]) => [
    `${family}.${verb}`,
    (context: C, input: never) => handle(levelOf(context), input),
  ]);
  return Object.fromEntries(entries) as Bound<C, Family>;
}
