import type { OperatorDefinition } from '../operator.ts';
import { compareNumbers } from './compare-numbers.ts';

export const eq: OperatorDefinition = compareNumbers('eq', (value, argument) => value === argument);
