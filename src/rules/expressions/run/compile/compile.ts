/** Compiles checked expressions into functions. */
import { type Pieces, runAtOnce } from '#work';
import type { Expression, Filter, ValueExpression } from '../../ast.ts';
import type { Value } from '../../values.ts';
import type { RunOptions } from '../options.ts';
import type { RequestView } from '../request-view.ts';
import { guardClauses } from './clauses.ts';
import { CompiledList } from './compiled-list.ts';
import { Generator } from './generator.ts';
import { buildIndexes, collectGuards } from './rule-index.ts';

/** Steps per character of a clause for counting its parts, generating its code, and compiling the code. */
const stepsPerCountedCharacter = 10;
const stepsPerGeneratedCharacter = 20;
const stepsPerBuiltCharacter = 10;

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
  return runAtOnce(compileListInPieces(filters, options));
}

/** Like `compileList`, in pieces, for long lists: other requests are served in between. */
export function* compileListInPieces(
  filters: readonly Filter[],
  options: RunOptions = {},
): Pieces<CompiledList> {
  const generator = new Generator(options);
  const { clauses, guards } = yield* guardClauses(filters, generator.keys);
  for (const { expression } of clauses) {
    generator.count(expression);
    yield measure(expression) * stepsPerCountedCharacter;
  }
  const { builders, unguarded } = yield* collectGuards(guards, generator.keys);
  // Clauses read the operands of their indexes as well.
  for (const { operand } of builders) generator.count(operand);
  const subjects = builders.map(({ operand }) => generator.defineSubject(operand));
  const predicates: string[] = [];
  for (const { expression } of clauses) {
    predicates.push(generator.definePredicate(expression));
    yield measure(expression) * stepsPerGeneratedCharacter + generator.buildPart() * stepsPerBuiltCharacter;
  }
  const { begin, functions } = generator.build([...subjects, ...predicates]);
  return new CompiledList({
    begin,
    ruleCount: filters.length,
    predicates: functions.slice(subjects.length),
    ruleOfClause: Int32Array.from(clauses, ({ rule }) => rule),
    indexes: yield* buildIndexes(builders, functions),
    unguarded,
  });
}

/** The length of its text in characters. */
function measure({ span }: Expression): number {
  return span.end - span.start;
}
