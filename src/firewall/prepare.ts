/** Compiling the patterns of rules before they are checked: see `preparePatterns`. */
import { workTurns } from '#base';
import { type GivenExpression, type PreparedPatterns, preparePatterns } from '#expressions';
import { accountScheme } from './expression.ts';
import { compileStepsMax } from './limits.ts';

/**
 * For an API call, which may not take more than `compileStepsMax`; others are served meanwhile. Holding the result keeps
 * the patterns ready.
 */
export function prepareExpressions(expressions: Iterable<GivenExpression>): Promise<PreparedPatterns> {
  return workTurns.run(preparePatterns(expressions, { scheme: accountScheme, stepsMax: compileStepsMax }));
}
