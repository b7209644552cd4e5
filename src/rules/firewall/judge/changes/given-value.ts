/** Values that rules write: a text that is always the same, or what an expression gives for each request. */
import { bytesOf } from '#base';
import { compileValue, parseValue, type RequestView } from '#expressions';
import { accountScheme } from '../../expression.ts';
import type { GivenValue } from '../../model.ts';
import type { Compiling } from '../programs/rule-program.ts';

/** Bytes; undefined if the expression gives nothing. */
export type ValueOf = (view: RequestView) => string | undefined;

/** Throws a `RangeError` for what cannot be read: rules may have been stored before they were checked. */
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

/** The value of a field, or of an expression of ours. */
export function compileField(expression: string): ValueOf {
  return compileGivenValue({ expression }, {}).read;
}
