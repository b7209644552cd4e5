import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { KeyLists } from './key-lists.ts';
import type { BinaryRange } from './key-values.ts';

const range = (rest: Partial<BinaryRange>): BinaryRange => ({
  start: '',
  end: undefined,
  reverse: false,
  limit: undefined,
  ...rest,
});

test('KeyLists tells one range from another', () => {
  const ranges = [
    range({}),
    range({ end: '' }),
    range({ reverse: true }),
    range({ limit: 1 }),
    range({ limit: 11 }),
    range({ start: 'a' }),
    range({ start: 'ab' }),
    range({ start: 'a', end: 'b' }),
    range({ start: '1,1,to,a' }),
    range({ start: 'to', end: 'to' }),
    range({ start: 't', end: 'oto' }),
  ];
  const lists = new KeyLists();
  for (const [index, each] of ranges.entries()) lists.set(each, [`${index}`]);
  for (const [index, each] of ranges.entries()) deepEqual(lists.get(each), [`${index}`]);
});

test('KeyLists forgets when a key has come or gone, and when there is too much to keep', () => {
  const lists = new KeyLists();
  const { changes } = lists;
  lists.set(range({}), ['a']);
  lists.clear();
  equal(lists.get(range({})), undefined);
  notEqual(lists.changes, changes);
  const many = Array.from({ length: 1_500 }, (_, i) => `${i}`);
  lists.set(range({ limit: 1 }), many);
  lists.set(range({ limit: 2 }), many);
  equal(lists.get(range({ limit: 1 })), undefined);
  equal(lists.get(range({ limit: 2 })), many);
  lists.set(range({ limit: 3 }), [...many, ...many]);
  equal(lists.get(range({ limit: 3 })), undefined);
});
