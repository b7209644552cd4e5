import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { ValueCache } from './value-cache.ts';

const value = new Uint8Array(840);

test('ValueCache forgets the least recently used once its budget is spent', () => {
  const cache = new ValueCache(3_100);
  const shelf = cache.shelf();
  for (const key of ['a', 'b', 'c']) cache.set(shelf, key, value);
  cache.get(shelf, 'a', true);
  cache.set(shelf, 'd', value);
  deepEqual([...shelf.keys()].toSorted(), ['a', 'c', 'd']);
});

test('ValueCache leaves the order alone when a read does not touch', () => {
  const cache = new ValueCache(3_100);
  const shelf = cache.shelf();
  for (const key of ['a', 'b', 'c']) cache.set(shelf, key, value);
  cache.get(shelf, 'a', false);
  cache.set(shelf, 'd', value);
  equal(shelf.has('a'), false);
});

test('ValueCache counts what it holds, absence included, over all shelves', () => {
  const cache = new ValueCache(100_000);
  const shelves = [cache.shelf(), cache.shelf()];
  for (const shelf of shelves) {
    cache.set(shelf, 'key', value);
    cache.set(shelf, 'absent', null);
    cache.set(shelf, 'key', new Uint8Array(10));
  }
  equal(cache.get(shelves[0]!, 'absent', true), null);
  equal(cache.get(shelves[0]!, 'unknown', true), undefined);
  const both = cache.bytes;
  cache.clear(shelves[0]!);
  equal(cache.bytes, both / 2);
  cache.clear(shelves[1]!);
  equal(cache.bytes, 0);
});

test('ValueCache without a budget keeps nothing', () => {
  const cache = new ValueCache(0);
  const shelf = cache.shelf();
  cache.set(shelf, 'key', value);
  deepEqual([shelf.size, cache.bytes], [0, 0]);
});
