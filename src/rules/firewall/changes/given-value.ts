/** Values that rules write: a constant text, or the result of an expression for each request. */
import { bytesOf } from '#text';
import { compileValue, parseValue, type RequestView } from '#expressions';
import { accountScheme, type GivenValue } from '#rulesets';
import type { Compiling } from '../programs/rule-program.ts';

/** A binary string; undefined if the expression has no value. */
export type ValueOf = (view: RequestView) => string | undefined;

/** Throws a `RangeError` for an invalid value: rules may have been stored before they were checked. */
export function compileGivenValue(
  given: GivenValue,
  options: Compiling['options'],
): { readonly read: ValueOf; readonly isFixed: boolean } {
  const { value, expression = '' } = given;
  if (expression === '') {
    if (value === undefined) throw new RangeError('it has neither a value nor an expression');
    const bytes = bytesOf(value);
    return { read: () => bytes, isFixed: true };
  }
  const parsed = parseValue(expression, { scheme: accountScheme });
  if (!parsed.ok) throw new RangeError(`expression: ${parsed.error.message}`);
  const run = compileValue(parsed.tree, options);
  return {
    read(view) {
      const result = run(view);
      return typeof result === 'string' ? result : undefined;
    },
    isFixed: false,
  };
}

/** The value of a field, or of an internal expression. */
export function compileField(expression: string): ValueOf {
  return compileGivenValue({ expression }, {}).read;
}
