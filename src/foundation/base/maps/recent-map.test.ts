import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecentMap } from './recent-map.ts';

test('RecentMap drops what was not used for longest', () => {
  const dropped: string[] = [];
  const map = new RecentMap<string, number>({ sizeMax: 2, onDropped: (_, key) => dropped.push(key) });
  map.set('a', 1);
  map.set('b', 2);
  equal(map.get('a'), 1);
  map.set('c', 3);
  deepEqual([map.has('a'), map.has('b'), map.has('c'), dropped], [true, false, true, ['b']]);
  equal(map.peek('a'), 1);
  map.set('d', 4);
  deepEqual(
    [[...map.values()], dropped],
    [
      [3, 4],
      ['b', 'a'],
    ],
  );
});

test('RecentMap keeps to its size, whatever is set, replaced and deleted', () => {
  const step = fc.record({ key: fc.nat(9), size: fc.integer({ min: 1, max: 60 }), isDeletion: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const map = new RecentMap<number, number>({ sizeMax: 100, sizeOf: (size) => size });
      for (const { key, size, isDeletion } of steps) {
        if (isDeletion) map.delete(key);
        else map.set(key, size);
        equal(
          map.size,
          [...map.values()].reduce((sum, each) => sum + each, 0),
        );
        equal(map.size <= 100, true);
        equal(map.has(key), !isDeletion);
      }
    }),
  );
});

test('RecentMap keeps what was just added, even if it is larger than everything may be', () => {
  const map = new RecentMap<string, number>({ sizeMax: 10, sizeOf: (size) => size });
  map.set('a', 5);
  map.set('large', 50);
  deepEqual([[...map.values()], map.size], [[50], 50]);
  map.set('b', 5);
  deepEqual([...map.values()], [5]);
});
