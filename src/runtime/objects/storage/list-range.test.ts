import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { compileRange } from './list-range.ts';

const everything = { start: '', end: undefined, reverse: false, limit: undefined };

test('compileRange takes no options as everything', () => {
  deepEqual(compileRange({}), everything);
  deepEqual(compileRange({ start: undefined, startAfter: undefined }), everything);
});

test('compileRange puts startAfter just behind its key', () => {
  equal(compileRange({ startAfter: 'a' })!.start, 'a\0');
});

test('compileRange narrows by prefix, to the first key behind every key that has it', () => {
  deepEqual(compileRange({ prefix: 'ab' }), { ...everything, start: 'ab', end: 'ac' });
  deepEqual(compileRange({ prefix: 'ab', start: 'abc', end: 'abd' }), {
    ...everything,
    start: 'abc',
    end: 'abd',
  });
  equal(compileRange({ prefix: '' })!.end, undefined);
});

test('compileRange answers nothing for a range that can hold nothing', () => {
  for (const options of [
    { end: '' },
    { start: 'b', end: 'a' },
    { start: 'a', end: 'a' },
    { prefix: 'a', start: 'b' },
    { prefix: 'b', end: 'a' },
  ]) {
    equal(compileRange(options), undefined);
  }
});

test('compileRange coerces as workerd does', () => {
  deepEqual(compileRange({ start: 5, end: 6, reverse: 1 } as object), {
    ...everything,
    start: '5',
    end: '6',
    reverse: true,
  });
  for (const [limit, expected] of [
    [1.9, 1],
    ['2', 2],
    [true, 1],
  ] as const) {
    equal(compileRange({ limit: limit as number })!.limit, expected);
  }
});

test('compileRange refuses contradictions and limits in the words of workerd', () => {
  throws(() => compileRange({ start: 'a', startAfter: 'b' }), {
    name: 'TypeError',
    message: 'list() cannot be called with both start and startAfter values.',
  });
  for (const limit of [0, -1, Number.NaN, null, 'abc']) {
    throws(() => compileRange({ limit: limit as number }), {
      name: 'TypeError',
      message: 'List limit must be positive.',
    });
  }
  throws(() => compileRange({ limit: 2 ** 31 }), {
    name: 'TypeError',
    message: 'Value out of range. Must be between -2147483648 and 2147483647 (inclusive).',
  });
});
