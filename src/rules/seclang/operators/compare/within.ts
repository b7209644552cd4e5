import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

/** The value occurs in the argument, not the other way round. */
export const within: OperatorDefinition = compareText('within', (value, argument) =>
  argument.includes(value),
);
