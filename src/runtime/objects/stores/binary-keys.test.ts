import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { fromBinaryKey, keyBytes, toBinaryKey } from './binary-keys.ts';

test('toBinaryKey orders keys by their UTF-8, which JavaScript does not', () => {
  const keys = ['', '\0', 'a', 'a\0', 'ab', 'é', '\u20ac', '\uffff', '\u{10000}', '\u{10ffff}'];
  deepEqual(
    keys.toReversed().toSorted((a, b) => (toBinaryKey(a) < toBinaryKey(b) ? -1 : 1)),
    keys,
  );
  // In UTF-16 order, the last two would precede the one before them.
  deepEqual(keys.toSorted().slice(-3), ['\u{10000}', '\u{10ffff}', '\uffff']);
});

test('fromBinaryKey gives back every key that is Unicode', () => {
  for (const key of ['', 'plain', 'a\0b', 'zoë', '\u{1f600}']) equal(fromBinaryKey(toBinaryKey(key)), key);
});

test('toBinaryKey keeps lone surrogates apart as three bytes each; they come back as three replacements', () => {
  equal(toBinaryKey('\ud800'), '\u00ed\u00a0\u0080');
  equal(toBinaryKey('a\udfffb'), 'a\u00ed\u00bf\u00bfb');
  const face = '\u{1f600}';
  equal(toBinaryKey(`\ud800${face}`), `\u00ed\u00a0\u0080${toBinaryKey(face)}`);
  equal(fromBinaryKey(toBinaryKey('\ud800')), '\ufffd\ufffd\ufffd');
});

test('keyBytes counts bytes, not chars', () => {
  deepEqual(['abc', 'é', '\u20ac', '\u{1f600}', '\ud800'].map(keyBytes), [3, 2, 3, 4, 3]);
});
