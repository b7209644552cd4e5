import { compareText } from './compare-text.ts';
import type { OperatorDefinition } from '../operator.ts';

/** The argument as a whole word: neither a letter, a digit nor `_` before or after it. */
export const containsWord: OperatorDefinition = compareText('containsword', (value, argument) => {
  for (let at = value.indexOf(argument); at !== -1; at = value.indexOf(argument, at + 1)) {
    if (!isWordByte(value[at - 1]) && !isWordByte(value[at + argument.length])) return true;
    if (argument === '') return true;
  }
  return false;
});

function isWordByte(byte: string | undefined): boolean {
  return byte !== undefined && /\w/.test(byte);
}
