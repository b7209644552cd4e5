import { equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createBodyDecoder } from '../wire/body/body-decoder.ts';
import { HeldBytes } from './held-bytes.ts';
import { collectGarbage } from '../../../../tools/collect-garbage.ts';

function countUsedBytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Has its own buffer, as a read from a socket does. */
function read(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(text.length);
  bytes.write(text, 'latin1');
  return bytes;
}

test('HeldBytes returns the bytes that it was given, in order', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 40_000, size: 'max' }), { maxLength: 12 });
  fc.assert(
    fc.property(pieces, fc.boolean(), (given, isJoined) => {
      const held = new HeldBytes();
      for (const piece of given) held.push(Buffer.from(piece));
      const expected = Buffer.concat(given);
      equal(held.length, expected.length);
      if (isJoined) ok(held.join().equals(expected));
      equal(held.length, expected.length);
      ok(Buffer.concat(held.take()).equals(expected));
      equal(held.length, 0);
      equal(held.take().length, 0);
    }),
    { seed: 4, numRuns: 100 },
  );
});

test('HeldBytes does not copy a single piece', () => {
  const held = new HeldBytes();
  const piece = read('abc');
  held.push(piece);
  equal(held.join(), piece);
  equal(held.take()[0], piece);
});

const bodyBytes = 120_000;

const floods: Readonly<Record<string, { readonly piece: string; readonly bodyBytesPerPiece: number }>> = {
  'chunks of one byte, one in each read': { piece: '1\r\nx\r\n', bodyBytesPerPiece: 1 },
  'chunks of one byte, a thousand in each read': {
    piece: '1\r\nx\r\n'.repeat(1_000),
    bodyBytesPerPiece: 1_000,
  },
  'chunks of twenty thousand bytes': {
    piece: `4e20\r\n${'x'.repeat(20_000)}\r\n`,
    bodyBytesPerPiece: 20_000,
  },
};

for (const [name, { piece, bodyBytesPerPiece }] of Object.entries(floods)) {
  test(`HeldBytes takes at most three times the length of a body: ${name}`, () => {
    const decoder = createBodyDecoder({ kind: 'chunked' });
    const held = new HeldBytes();
    const before = countUsedBytes();
    for (let bytes = 0; bytes < bodyBytes; bytes += bodyBytesPerPiece) held.push(decoder.decode(read(piece)));
    const used = countUsedBytes() - before;
    equal(held.length, bodyBytes);
    ok(used <= 3 * bodyBytes, `${used} bytes for ${bodyBytes}`);
  });
}
