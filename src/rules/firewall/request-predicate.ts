/** Single expressions that judging itself evaluates. */
import { assert } from '#base';
import { compile, parse, type RequestView } from '#expressions';
import { pagePatternToExpression } from '#rulesets';

export type RequestPredicate = (view: RequestView) => boolean;

export function compileExpression(expression: string): RequestPredicate {
  const parsed = parse(expression);
  assert(parsed.ok, `an expression of ours cannot be read: ${expression}`);
  return compile(parsed.tree);
}

/** The URL pattern of a page rule or a URI override. */
export function compilePattern(pattern: string): RequestPredicate {
  return compileExpression(pagePatternToExpression(pattern));
}
