import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { WordBits } from './word-bits.ts';

type Side = 'word' | 'other' | 'none';

/** The kind of a character, if the bytes are the UTF-8 form of exactly one. */
function sideOf(bytes: string): Side {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return 'none';
  }
  if (Array.from(text).length !== 1) return 'none';
  return /[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]/u.test(text) ? 'word' : 'other';
}

const sizes = [1, 2, 3, 4];

function sidesAt(value: string, position: number): { behind: Side; ahead: Side } {
  const behind = sizes.map((size) => sideOf(value.slice(Math.max(0, position - size), position)));
  const ahead = sizes.map((size) => sideOf(value.slice(position, position + size)));
  return {
    behind: position === 0 ? 'other' : (behind.find((side) => side !== 'none') ?? 'none'),
    ahead: position === value.length ? 'other' : (ahead.find((side) => side !== 'none') ?? 'none'),
  };
}

// Whole characters of all lengths; then parts of them, an overlong form, a surrogate, and code points that are too
// large.
const pieces =
  'a|_| |9|\xc3\xa9|\xc2\xa0|\xe2\x82\xac|\xe4\xb8\xad|\xe2\x80\x8d|\xf0\x9f\x98\x80|\xf0\x9d\x92\x9c|\xef\xbb\xbf|' +
  '\xc3|\xa9|\xe2\x82|\xf0\x9f\x98|\xff|\xc1\xa1|\xe0\x81\xa1|\xf0\x80\x81\xa1|\xed\xa0\x80|\xf4\x90\x80\x80';
const value = fc
  .array(fc.constantFrom(...pieces.split('|')), { maxLength: 8 })
  .map((parts) => parts.join(''));

test('WordBits tells at every position which assertions about words of characters hold', () => {
  const assertions = [
    'word',
    'not-word',
    'word-start',
    'word-end',
    'word-start-half',
    'word-end-half',
  ] as const;
  const bits = WordBits.for(assertions)!;
  fc.assert(
    fc.property(value, (bytes) => {
      const expected = Array.from({ length: bytes.length + 1 }, (_, position) => {
        const { behind, ahead } = sidesAt(bytes, position);
        const holds = [
          (behind === 'word') !== (ahead === 'word'),
          behind === ahead && ahead !== 'none',
          behind !== 'word' && ahead === 'word',
          behind === 'word' && ahead !== 'word',
          behind === 'other',
          ahead === 'other',
        ];
        return holds.reduce((sum, isTrue, index) => sum + (isTrue ? 1 << index : 0), 0);
      });
      deepEqual([...bits.bitsOf(bytes)], expected);
    }),
    { numRuns: 2000 },
  );
});
