import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

export const endsWith: OperatorDefinition = compareText('endswith', (value, argument) =>
  value.endsWith(argument),
);
