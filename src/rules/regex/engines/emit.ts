import { assert } from '#base';
import { anyByte, type ByteSet } from '../syntax/byte-set.ts';
import type { Assertion, PatternTree } from '../syntax/tree.ts';

/**
 * Writes a tree as the source of a JavaScript pattern with the same meaning for binary strings without any flag: sets
 * are spelled out, so nothing depends on JavaScript's rules for case, dots or white space. Trees with atomic groups,
 * back-references or words of characters have no such form.
 */
export function emit(tree: PatternTree, { captures }: { readonly captures: boolean }): string {
  const write = (part: PatternTree): string => {
    switch (part.kind) {
      case 'set':
        return emitSet(part.set);
      case 'concat':
        return part.parts
          .map((each) => (each.kind === 'alternate' ? `(?:${write(each)})` : write(each)))
          .join('');
      case 'alternate':
        return part.parts.map(write).join('|');
      case 'repeat': {
        const inner = part.part.kind === 'set' ? write(part.part) : `(?:${write(part.part)})`;
        return inner + emitBounds(part.min, part.max) + (part.greedy ? '' : '?');
      }
      case 'group':
        return `${captures ? '(' : '(?:'}${write(part.part)})`;
      case 'assert':
        return emitAssertion(part.assertion);
      case 'look':
        return `(?${part.ahead ? '' : '<'}${part.negative ? '!' : '='}${write(part.part)})`;
      default:
        assert(false, `${part.kind} cannot be emitted`);
        return '';
    }
  };
  return write(tree);
}

function emitBounds(min: number, max: number): string {
  if (max === Infinity) return min === 0 ? '*' : min === 1 ? '+' : `{${min},}`;
  if (max === 1 && min === 0) return '?';
  return min === max ? `{${min}}` : `{${min},${max}}`;
}

function emitSet(set: ByteSet): string {
  const bytes = set.bytes();
  if (bytes.length === 0) return '[]';
  if (bytes.length === 256) return '[^]';
  if (bytes.length === 1) return emitByte(bytes[0]!);
  return bytes.length > 128 ? `[^${emitRanges(set.negated().bytes())}]` : `[${emitRanges(bytes)}]`;
}

function emitRanges(bytes: readonly number[]): string {
  let text = '';
  for (let i = 0; i < bytes.length;) {
    const first = i;
    while (bytes[i + 1] === bytes[i]! + 1) i++;
    const [from, to] = [bytes[first]!, bytes[i++]!];
    text += emitByte(from);
    if (to > from) text += (to > from + 1 ? '-' : '') + emitByte(to);
  }
  return text;
}

const byteSources = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[0-9A-Za-z_]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
});

function emitByte(byte: number): string {
  return byteSources[byte]!;
}

const assertionSources: Readonly<Record<Extract<Assertion, string>, string>> = {
  start: '^',
  end: '$',
  'line-start': '(?<![^\\n])',
  'line-end': '(?![^\\n])',
  'crlf-line-start': '(?:^|(?<=\\n)|(?<=\\r)(?!\\n))',
  'crlf-line-end': '(?:$|(?=\\r)|(?<!\\r)(?=\\n))',
  'inner-line-start': '(?:^|(?<=\\n)(?=[^]))',
  word: '\\b',
  'not-word': '\\B',
  'word-start': '(?:\\b(?=\\w))',
  'word-end': '(?:\\b(?<=\\w))',
  'word-start-half': '(?<!\\w)',
  'word-end-half': '(?!\\w)',
};

function emitAssertion(assertion: Assertion): string {
  if (typeof assertion === 'string') return assertionSources[assertion];
  return assertion.notNext === anyByte ? '$' : `(?!${emitSet(assertion.notNext)})`;
}
