import type { OperatorDefinition } from '../operator.ts';
import { compareNumbers } from './compare-numbers.ts';

export const le: OperatorDefinition = compareNumbers('le', (value, argument) => value <= argument);
