import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

export const contains: OperatorDefinition = compareText('contains', (value, argument) =>
  value.includes(argument),
);
