import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { checkLinear } from '../../../tools/count-work.ts';
import { findCookies, visitCookies, visitPairs } from './pairs.ts';

function read(visitor: typeof visitPairs, text: string, pairsMax = Infinity): readonly string[][] {
  const pairs: string[][] = [];
  visitor(
    text,
    (start, nameEnd, valueStart, end) => {
      const [name, value] = [text.slice(start, nameEnd), text.slice(valueStart, end)];
      pairs.push(nameEnd === valueStart ? [name] : [name, value]);
    },
    { pairsMax },
  );
  return pairs;
}

test('visitPairs reads each piece between separators, and no empty ones', () => {
  deepEqual(read(visitPairs, '&a=1&&b&=c&d==e=&'), [['a', '1'], ['b'], ['', 'c'], ['d', '=e=']]);
  deepEqual(read(visitPairs, ' a = 1 '), [[' a ', ' 1 ']]);
  deepEqual(read(visitPairs, ''), []);
});

test('visitPairs reads what is beyond the limit as one pair, and does not count empty pieces', () => {
  deepEqual(read(visitPairs, '&&&a=1&b=2&c=3', 1), [
    ['a', '1'],
    ['b', '2&c=3'],
  ]);
});

test('visitCookies takes blanks off, but not U+00A0, which is a byte of other characters', () => {
  deepEqual(read(visitCookies, ' a=1;b ; ;\tc = 2 3 ;=4'), [['a', '1'], ['b'], ['c', '2 3'], ['', '4']]);
  const text = Buffer.from('x=voilà; à=1').toString('latin1');
  deepEqual(read(visitCookies, text), [
    ['x', 'voil\xc3\xa0'],
    ['\xc3\xa0', '1'],
  ]);
});

test('findCookies finds every cookie of a name, whatever blanks are around it', () => {
  deepEqual(findCookies('s=1;\ts=2;  s =3;S=4;ts=5;s;s =', 's'), ['1', '2', '3', '']);
  equal(findCookies('a=s', 's').length, 0);
});

test('visitPairs takes a number of steps proportional to its text', () => {
  const prepare = (length: number) => () => visitPairs('a&'.repeat(length), () => {});
  checkLinear('visitPairs', prepare, [8_000, 64_000]);
});
