/** Turns handlers written for a level into handlers of the operations that the level has. */
import type { Reply } from '#contract';
import type { Context } from '../context/handler.ts';

type LevelHandlers<Level> = Readonly<Record<string, (level: Level, input: never) => Reply>>;

type Bound<C extends Context, Family extends string, H extends LevelHandlers<never>> = {
  readonly [Verb in keyof H & string as `${Family}.${Verb}`]: (
    context: C,
    input: Parameters<H[Verb]>[1],
  ) => ReturnType<H[Verb]>;
};

export function bindHandlers<
  C extends Context,
  Level,
  const Family extends string,
  H extends LevelHandlers<Level>,
>(family: Family, handlers: H, levelOf: (context: C) => Level): Bound<C, Family, H> {
  const entries = Object.entries(handlers).map(([verb, handle]) => [
    `${family}.${verb}`,
    (context: C, input: never) => handle(levelOf(context), input),
  ]);
  return Object.fromEntries(entries) as Bound<C, Family, H>;
}
