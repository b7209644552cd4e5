/** From checked expressions to functions. */
import type { Filter, ValueExpression } from '../../ast.ts';
import type { Value } from '../../values.ts';
import type { RunOptions } from '../options.ts';
import type { RequestView } from '../request/view.ts';
import { CompiledList, type ListIndex } from './compiled-list.ts';
import { Generator } from './generator.ts';
import { chooseGuards } from './guard-choice.ts';
import { guardsOf } from './guard.ts';
import { IndexBuilder } from './rule-index.ts';

/** Whether a request matches one expression. */
export function compile(filter: Filter, options: RunOptions = {}): (request: RequestView) => boolean {
  const generator = new Generator(options);
  generator.count(filter.root);
  return alone(generator, generator.predicate(filter.root)) as (request: RequestView) => boolean;
}

/** The value for a rewrite; nil is `undefined`. */
export function compileValue(
  { root }: ValueExpression,
  options: RunOptions = {},
): (request: RequestView) => Value | undefined {
  const generator = new Generator(options);
  generator.count(root.kind === 'expression' ? root.expression : root);
  return alone(generator, generator.value(root)) as (request: RequestView) => Value | undefined;
}

function alone(generator: Generator, name: string): (request: RequestView) => unknown {
  const { begin, functions } = generator.build([name]);
  const run = functions[0]!;
  if (!generator.keepsValues) return run;
  return (request) => {
    begin();
    return run(request);
  };
}

/** All expressions of a list as one program; a rule is known by its position. */
export function compileList(filters: readonly Filter[], options: RunOptions = {}): CompiledList {
  const generator = new Generator(options);
  for (const { root } of filters) generator.count(root);
  const builders = new Map<string, IndexBuilder>();
  const unguarded: number[] = [];
  const guards = chooseGuards(
    filters.map(({ root }) => guardsOf(root)),
    generator.keys,
  );
  for (const [rule, guard] of guards.entries()) {
    if (guard === undefined) unguarded.push(rule);
    for (const condition of guard?.conditions ?? []) {
      const key = `${condition.kind} ${generator.keys.of(condition.operand)}`;
      let builder = builders.get(key);
      if (builder === undefined)
        builders.set(key, (builder = new IndexBuilder(condition.operand, condition.kind)));
      builder.push(condition, rule);
    }
  }
  const byFirst = [...builders.values()].toSorted((a, b) => a.ruleFirst - b.ruleFirst);
  // What an index looks at, its rules look at too.
  for (const { operand } of byFirst) generator.count(operand);
  const subjects = byFirst.map(({ operand }) => generator.subject(operand));
  const predicates = filters.map(({ root }) => generator.predicate(root));
  const { begin, functions } = generator.build([...subjects, ...predicates]);
  const indexes = byFirst.map((builder, position): ListIndex => {
    const { operand, ruleFirst } = builder;
    return {
      subject: functions[position]!,
      hasElements: operand.eachCount > 0,
      lookUp: builder.build(),
      ruleFirst,
    };
  });
  return new CompiledList({ begin, predicates: functions.slice(subjects.length), indexes, unguarded });
}
