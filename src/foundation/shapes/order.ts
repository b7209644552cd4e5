/** How lists of the older APIs are sorted, and how their search conditions are combined. */
import { choiceParameter, type Parameter } from './parameters.ts';

export function orderParameters<const FieldName extends string>(
  fields: readonly FieldName[],
): {
  readonly order: Parameter<FieldName | undefined>;
  readonly direction: Parameter<'asc' | 'desc' | undefined>;
  readonly match: Parameter<'all' | 'any' | undefined>;
} {
  return {
    order: choiceParameter(fields),
    direction: choiceParameter(['asc', 'desc']),
    match: choiceParameter(
      ['all', 'any'],
      'Whether all conditions must match, or any of them. Default: all.',
    ),
  };
}
