/** Prepares the expressions of an API call before the call starts, because its handler cannot pause. */
import { type Pieces, workTurns } from '#work';
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
  /** Keeps the trees until it is disposed of, and the patterns, of which the process keeps the most recently used. */
  | { readonly ok: true; readonly held: Disposable }
  | { readonly ok: false; readonly costliest: readonly CostlyPattern[] };

export interface PrepareExpressionsOptions {
  /** Whether the call is handled in this process, so that its expressions are parsed for it. */
  readonly readsTrees: boolean;
}

/** Compiles patterns, limited by `compileStepsMax`, and parses expressions; other requests are served in between. */
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
    // Filters are stored without surrounding white space.
    const trimmed = text.trim();
    if (trimmed.length < text.length) held.read(trimmed);
    yield text.length * stepsPerCharacter;
  }
  return { ok: true, held };
}
