import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

export const beginsWith: OperatorDefinition = compareText('beginswith', (value, argument) =>
  value.startsWith(argument),
);
