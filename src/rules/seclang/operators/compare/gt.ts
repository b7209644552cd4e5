import type { OperatorDefinition } from '../operator.ts';
import { compareNumbers } from './compare-numbers.ts';

export const gt: OperatorDefinition = compareNumbers('gt', (value, argument) => value > argument);
