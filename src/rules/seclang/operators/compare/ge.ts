import type { OperatorDefinition } from '../operator.ts';
import { compareNumbers } from './compare-numbers.ts';

export const ge: OperatorDefinition = compareNumbers('ge', (value, argument) => value >= argument);
