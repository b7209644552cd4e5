import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Owner } from '../ledger/records.ts';
import { decodePairs, encodePairs } from './pairs.ts';

test('encodePairs and decodePairs bring all pairs across, whatever their size', async () => {
  const pairs: Array<[string, Uint8Array]> = [
    ['empty', new Uint8Array()],
    ['small', Buffer.from('x')],
    ['large', Buffer.alloc(700_000, 7)],
    ...Array.from({ length: 3_000 }, (_, index): [string, Uint8Array] => [
      `key ${index}`,
      Buffer.alloc(100, index),
    ]),
  ];
  const source = async function* (): AsyncGenerator<[string, Uint8Array]> {
    yield* pairs;
  };
  const owner = 'o'.repeat(34) as Owner;
  // Cut into other pieces than those written.
  const cut = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of encodePairs(source()))
      for (let at = 0; at < piece.length; at += 100_001) yield piece.subarray(at, at + 100_001);
  };
  const found: Array<[string, number]> = [];
  for await (const changes of decodePairs(owner, cut()))
    for (const change of changes) if ('key' in change) found.push([change.key, change.value!.length]);
  deepEqual(
    found,
    pairs.map(([key, value]) => [key, value.length]),
  );
});
