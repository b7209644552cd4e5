/** Preparing the expressions of an API call before the call begins, because its handler cannot pause. */
import { type Pieces, workTurns } from '#base';
import {
  type CostlyPattern,
  type GivenExpression,
  ExpressionsReadAhead,
  preparePatterns,
  stepsPerCharacter,
} from '#expressions';
import { accountScheme } from './expression.ts';
import { compileStepsMax } from './limits.ts';

export type PreparedExpressions =
  /** Until it is disposed of, the trees are there; so are the patterns, of which the process keeps those used last. */
  | { readonly ok: true; readonly held: Disposable }
  | { readonly ok: false; readonly costliest: readonly CostlyPattern[] };

export interface PrepareExpressionsOptions {
  /** Whether the call is handled in this process, so that its expressions are read for it. */
  readonly readsTrees: boolean;
}

/** Compiles patterns, which may not take more than `compileStepsMax`, and reads expressions; others are served meanwhile. */
export function prepareExpressions(
  expressions: Iterable<GivenExpression>,
  { readsTrees }: PrepareExpressionsOptions,
): Promise<PreparedExpressions> {
  return workTurns.run(prepare([...expressions], readsTrees));
}

function* prepare(expressions: readonly GivenExpression[], readsTrees: boolean): Pieces<PreparedExpressions> {
  const options = { scheme: accountScheme, stepsMax: compileStepsMax };
  const prepared = yield* preparePatterns(expressions, options);
  if (!prepared.ok) return prepared;
  const held = new ExpressionsReadAhead({ scheme: accountScheme });
  if (!readsTrees) return { ok: true, held };
  for (const { text } of expressions) {
    held.read(text);
    // Filters are stored without the white space around them.
    const trimmed = text.trim();
    if (trimmed.length < text.length) held.read(trimmed);
    yield text.length * stepsPerCharacter;
  }
  return { ok: true, held };
}
