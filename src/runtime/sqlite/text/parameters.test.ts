import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { numberParameters } from './parameters.ts';
import { tokenize } from './tokens.ts';

test('numberParameters numbers as SQLite does', () => {
  const cases: Array<[sql: string, count: number, numbers: number[]]> = [
    ['SELECT 1', 0, []],
    ['?, ?', 2, [1, 2]],
    ['?2, ?', 3, [2, 3]],
    ['?3, ?1', 3, [3, 1]],
    [':a, @a, $a, :a, ?', 4, [1, 2, 3, 1, 4]],
    ['\'?\', "?", -- ?\n ?', 1, [1]],
  ];
  for (const [sql, count, numbers] of cases) {
    const parameters = numberParameters(tokenize(sql));
    deepEqual([parameters.count, parameters.numbers], [count, numbers], sql);
  }
});

test('numberParameters lists the names with their signs', () => {
  deepEqual(
    [...numberParameters(tokenize('? :a @b :a')).names],
    [
      [':a', 2],
      ['@b', 3],
    ],
  );
});
