import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { alignLines, toLines } from './entry.ts';

test('alignLines keeps common lines level, and what was put in the place of something', () => {
  deepEqual(alignLines(['a', 'b', 'c'], ['a', 'x', 'c', 'd']), [
    { before: 'a', after: 'a' },
    { before: 'b', after: 'x' },
    { before: 'c', after: 'c' },
    { after: 'd' },
  ]);
  deepEqual(alignLines([], ['a']), [{ after: 'a' }]);
});

test('toLines writes a value as JSON over several lines, and leaves one that was cut short as it is', () => {
  deepEqual(toLines('{"a":1}'), ['{', '  "a": 1', '}']);
  deepEqual(toLines('{"a":'), ['{"a":']);
  deepEqual(toLines(''), []);
});
