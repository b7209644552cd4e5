import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCursor, writeCursor } from './item-cursor.ts';

test('readCursor reads what writeCursor wrote', () => {
  const directions = fc.constantFrom('after' as const, 'before' as const);
  const keys = fc.string({ minLength: 1, unit: 'grapheme' });
  fc.assert(
    fc.property(directions, keys, (direction, key) => {
      deepEqual(readCursor(writeCursor({ direction, key })), { direction, key });
    }),
  );
});

test('readCursor refuses anything else', () => {
  const encoded = (text: string): string => Buffer.from(text).toString('base64url');
  for (const text of [
    '',
    'x',
    '%00',
    'a b',
    encoded('after'),
    encoded('after '),
    encoded('around x'),
    encoded('{}'),
  ]) {
    equal(readCursor(text), undefined, text);
  }
});
