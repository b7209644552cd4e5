/**
 * Compiles the patterns of expressions before they are used, in pieces, so that other work does not wait for it. While
 * the result is held, code that parses or compiles the expressions finds the patterns ready.
 */
import type { Pieces } from '#work';
import { automatonPool, parsePattern, type Pattern } from '#regex';
import { listPatterns, type ParseOptions } from './parse/parse.ts';

export interface GivenExpression {
  readonly text: string;
  /** For problems: a JSON pointer, a rule. */
  readonly name: string;
}

export interface CostlyPattern {
  readonly source: string;
  /** The name of its expression. */
  readonly name: string;
  readonly steps: number;
}

export type PreparedPatterns =
  | { readonly ok: true; readonly patterns: readonly Pattern[] }
  | { readonly ok: false; readonly costliest: readonly CostlyPattern[] };

export interface PrepareOptions extends Pick<ParseOptions, 'scheme'> {
  /** For all expressions together, in the steps of `StepBudget`; compiling stops at the limit. */
  readonly stepsMax?: number;
  /** Whether to create the engines that values will need as well. */
  readonly makesEngines?: boolean;
}

/** Steps per character for parsing an expression. */
export const stepsPerCharacter = 20;

/** An invalid pattern may have been parsed to its end. */
const stepsPerFailure = 1_000_000;

const costliestMax = 3;

/** Each piece is a single pattern. */
export function* preparePatterns(
  expressions: Iterable<GivenExpression>,
  { stepsMax = Infinity, makesEngines = false, ...options }: PrepareOptions = {},
): Pieces<PreparedPatterns> {
  const found = new Map<string, { readonly pattern: Pattern; readonly name: string }>();
  let steps = 0;
  for (const { text, name } of expressions) {
    yield text.length * stepsPerCharacter;
    for (const source of listPatterns(text, options)) {
      if (found.has(source)) continue;
      const parsed = parsePattern(source);
      // The check of the expression reports the error.
      if (!parsed.ok) {
        yield stepsPerFailure;
        continue;
      }
      const { pattern } = parsed;
      found.set(source, { pattern, name });
      steps += pattern.compileSteps;
      if (steps > stepsMax) return { ok: false, costliest: listCostliest(found) };
      if (makesEngines) pattern.prepare();
      yield pattern.compileSteps;
    }
  }
  return { ok: true, patterns: Array.from(found.values(), ({ pattern }) => pattern) };
}

function listCostliest(
  found: ReadonlyMap<string, { readonly pattern: Pattern; readonly name: string }>,
): readonly CostlyPattern[] {
  return Array.from(found, ([source, { pattern, name }]) => ({ source, name, steps: pattern.compileSteps }))
    .toSorted((a, b) => b.steps - a.steps)
    .slice(0, costliestMax);
}

/** The size of the tables of all patterns of the process, and how many were dropped because others needed the room. */
export interface PatternTables {
  readonly bytes: number;
  readonly evictions: number;
}

export function readPatternTables(): PatternTables {
  const { bytes, evictions } = automatonPool;
  return { bytes, evictions };
}
