import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from './bounded-map.ts';

test('BoundedMap is emptied by the entry that does not fit, and not by one that it has', () => {
  const map = new BoundedMap<string, number>(2);
  equal(map.set('a', 1).set('b', 2).size, 2);
  deepEqual(
    [...map.set('a', 3)],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
  deepEqual([...map.set('c', 4)], [['c', 4]]);
});
