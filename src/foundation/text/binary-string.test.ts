import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, textOf } from './binary-string.ts';

test('bytesOf and textOf are each the inverse of the other', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.equal(textOf(bytesOf(text)), text);
    }),
  );
  assert.equal(textOf('\xff'), undefined);
  assert.equal(textOf(bytesOf('\ufeffa')), '\ufeffa');
});
