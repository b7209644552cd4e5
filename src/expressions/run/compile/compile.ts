/** Compiles checked expressions into functions. */
import type { Filter, ValueExpression } from '../../ast.ts';
import type { Value } from '../../values.ts';
import type { RunOptions } from '../options.ts';
import type { RequestView } from '../request-view.ts';
import { splitIntoClauses } from './clauses.ts';
import { CompiledList, type ListIndex } from './compiled-list.ts';
import { Generator } from './generator.ts';
import { chooseGuards } from './guard-choice.ts';
import { findGuards } from './guard.ts';
import { IndexBuilder } from './rule-index.ts';

/** Whether a request matches one expression. */
export function compile(filter: Filter, options: RunOptions = {}): (request: RequestView) => boolean {
  const generator = new Generator(options);
  generator.count(filter.root);
  return buildAlone(generator, generator.definePredicate(filter.root)) as (request: RequestView) => boolean;
}

/** The value for a rewrite; nil is `undefined`. */
export function compileValue(
  { root }: ValueExpression,
  options: RunOptions = {},
): (request: RequestView) => Value | undefined {
  const generator = new Generator(options);
  generator.count(root.kind === 'expression' ? root.expression : root);
  return buildAlone(generator, generator.defineArgument(root)) as (request: RequestView) => Value | undefined;
}

function buildAlone(generator: Generator, name: string): (request: RequestView) => unknown {
  const { begin, functions } = generator.build([name]);
  const run = functions[0]!;
  if (!generator.keepsValues) return run;
  return (request) => {
    begin();
    return run(request);
  };
}

/** Compiles all expressions of a list into one program; a rule is identified by its position. */
export function compileList(filters: readonly Filter[], options: RunOptions = {}): CompiledList {
  const generator = new Generator(options);
  const clauses = filters.flatMap(({ root }, rule) =>
    splitIntoClauses(root).map((expression) => ({ expression, rule })),
  );
  for (const { expression } of clauses) generator.count(expression);
  const builders = new Map<string, IndexBuilder>();
  const unguarded: number[] = [];
  const guards = chooseGuards(
    clauses.map(({ expression }) => findGuards(expression)),
    generator.keys,
  );
  for (const [clause, guard] of guards.entries()) {
    if (guard === undefined) unguarded.push(clause);
    for (const condition of guard?.conditions ?? []) {
      const key = `${condition.kind} ${generator.keys.get(condition.operand)}`;
      let builder = builders.get(key);
      if (builder === undefined)
        builders.set(key, (builder = new IndexBuilder(condition.operand, condition.kind)));
      builder.push(condition, clause);
    }
  }
  const byFirst = [...builders.values()].toSorted((a, b) => a.clauseFirst - b.clauseFirst);
  // Clauses read the operands of their indexes as well.
  for (const { operand } of byFirst) generator.count(operand);
  const subjects = byFirst.map(({ operand }) => generator.defineSubject(operand));
  const predicates = clauses.map(({ expression }) => generator.definePredicate(expression));
  const { begin, functions } = generator.build([...subjects, ...predicates]);
  const indexes = byFirst.map((builder, position): ListIndex => {
    const { operand, clauseFirst } = builder;
    return {
      subject: functions[position]!,
      hasElements: operand.eachCount > 0,
      lookUp: builder.build(),
      clauseFirst,
    };
  });
  return new CompiledList({
    begin,
    ruleCount: filters.length,
    predicates: functions.slice(subjects.length),
    ruleOfClause: Int32Array.from(clauses, ({ rule }) => rule),
    indexes,
    unguarded,
  });
}
