import type { OperatorDefinition } from '../operator.ts';
import { compareNumbers } from './compare-numbers.ts';

export const lt: OperatorDefinition = compareNumbers('lt', (value, argument) => value < argument);
