import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { GatheredWrites } from './gathered-writes.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

test('GatheredWrites finds the newest write of a key, through transactions and turns that have ended', () => {
  const gathered = new GatheredWrites();
  gathered.set('ended', bytes(1));
  gathered.set('both', bytes(1));
  equal(gathered.endTurn(), true);
  gathered.set('both', bytes(2));
  gathered.push();
  gathered.set('both', null);
  deepEqual(
    [gathered.get('ended'), gathered.get('both'), gathered.get('neither')],
    [bytes(1), null, undefined],
  );
  gathered.drop(0);
  deepEqual(gathered.get('both'), bytes(2));
  deepEqual([...gathered.ended.keys()], ['ended', 'both']);
});

test('GatheredWrites merges a transaction into what is around it', () => {
  const gathered = new GatheredWrites();
  gathered.set('key', bytes(1));
  gathered.push();
  gathered.push();
  gathered.set('key', bytes(3));
  gathered.merge(1);
  equal(gathered.transactions, 1);
  deepEqual([...gathered.oldest], [['key', bytes(1)]]);
  gathered.merge(0);
  deepEqual([...gathered.oldest], [['key', bytes(3)]]);
});

test('GatheredWrites does not wait with more than a megabyte', () => {
  const gathered = new GatheredWrites();
  const large = new Uint8Array(250_000);
  let waited = 0;
  for (; ; waited++) {
    gathered.set(`key ${waited}`, large);
    if (!gathered.endTurn()) break;
  }
  equal(waited, 4);
  deepEqual([gathered.ended.size, gathered.oldest.size], [4, 1]);
});
