import { wordBytes } from '../syntax/byte-set.ts';
import type { Assertion } from '../syntax/tree.ts';

/** No byte: the start or the end of the value. */
export const noByte = -1;

const [lineFeed, carriageReturn] = [0x0a, 0x0d];

/** Whether an assertion holds between two bytes, either of which may be `noByte`. */
export function holdsBetween(assertion: Assertion, left: number, right: number): boolean {
  if (typeof assertion !== 'string') return right === noByte || !assertion.notNext.has(right);
  const isWord = (byte: number): boolean => byte !== noByte && wordBytes.has(byte);
  switch (assertion) {
    case 'start':
      return left === noByte;
    case 'end':
      return right === noByte;
    case 'line-start':
      return left === noByte || left === lineFeed;
    case 'line-end':
      return right === noByte || right === lineFeed;
    case 'crlf-line-start':
      return left === noByte || left === lineFeed || (left === carriageReturn && right !== lineFeed);
    case 'crlf-line-end':
      return right === noByte || right === carriageReturn || (right === lineFeed && left !== carriageReturn);
    case 'inner-line-start':
      return left === noByte || (left === lineFeed && right !== noByte);
    case 'word':
      return isWord(left) !== isWord(right);
    case 'not-word':
      return isWord(left) === isWord(right);
    case 'word-start':
      return !isWord(left) && isWord(right);
    case 'word-end':
      return isWord(left) && !isWord(right);
    case 'word-start-half':
      return !isWord(left);
    default:
      return !isWord(right);
  }
}
