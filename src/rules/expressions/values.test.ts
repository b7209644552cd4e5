import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toBits, sharesBits } from './values.ts';

test('sharesBits equals & of 64 bits', () => {
  const value = fc.maxSafeInteger();
  const mask = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(value, mask, (number, bits) => {
      assert.equal(sharesBits(number, toBits(bits)), (BigInt(number) & bits) !== 0n);
    }),
  );
});
