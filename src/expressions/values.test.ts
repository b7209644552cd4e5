import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bitsOf, sharesBits } from './values.ts';

test('sharesBits asks what & of 64 bits asks', () => {
  const value = fc.maxSafeInteger();
  const mask = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(value, mask, (number, bits) => {
      assert.equal(sharesBits(number, bitsOf(bits)), (BigInt(number) & bits) !== 0n);
    }),
  );
});
