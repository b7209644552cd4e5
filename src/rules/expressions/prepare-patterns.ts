/**
 * Compiles the patterns of expressions ahead of their use, in pieces, so that no other work waits for it. Code that parses
 * or compiles the expressions next, while the result of this is held, finds the patterns ready.
 */
import type { Pieces } from '#base';
import { parsePattern, type Pattern } from '#regex';
import { listPatterns, type ParseOptions } from './parse/parse.ts';

export interface GivenExpression {
  readonly text: string;
  /** What to call it: a JSON pointer, a rule. */
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
  /** All together, in the steps of `StepBudget`; beyond it, compiling ends. */
  readonly stepsMax?: number;
  /** Whether the engines are made as well that values will need. */
  readonly makesEngines?: boolean;
}

/** What reading an expression takes, for each character. */
export const stepsPerCharacter = 20;

/** A pattern that cannot be read may have been read to its end. */
const stepsPerFailure = 1_000_000;

const costliestMax = 3;

/** Pieces are single patterns. */
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
      // What is wrong with it is said when the expression is checked.
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
