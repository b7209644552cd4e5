import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

export const streq: OperatorDefinition = compareText('streq', (value, argument) => value === argument);
