import { deepEqual, equal, notEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { rowBuilder } from './rows.ts';
import { openTestDatabase } from './testing.ts';

/** Each query is run often enough to go through every way of running it. */
const rounds = [1, 2, 3, 4];

test('Cursor gives numbers, strings, null and buffers', () => {
  using opened = openTestDatabase();
  for (const round of rounds) {
    const row = opened.database
      .exec("SELECT 1 AS i, 1.5 AS r, 'é' AS t, NULL AS n, x'0102' AS b, x'' AS e")
      .one();
    deepEqual(
      row,
      { i: 1, r: 1.5, t: 'é', n: null, b: new Uint8Array([1, 2]).buffer, e: new ArrayBuffer(0) },
      `${round}`,
    );
    equal(Object.getPrototypeOf(row), Object.prototype);
    equal(row.b instanceof ArrayBuffer, true);
  }
});

test('Cursor gives every blob a buffer of its own', () => {
  using opened = openTestDatabase();
  const [a, b] = opened.database.exec("SELECT x'01' AS v UNION ALL SELECT x'01'").toArray();
  notEqual(a!.v, b!.v);
  equal((a!.v as ArrayBuffer).byteLength, 1);
});

test('Cursor rounds integers beyond 2^53 however the rows are taken', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  database.exec('INSERT INTO t VALUES (1), (9007199254740993), (-9223372036854775808), (2)');
  const expected = [[1], [9007199254740992], [-9223372036854775808], [2]];
  for (const round of rounds) {
    deepEqual(database.exec('SELECT a FROM t').raw().toArray(), expected, `toArray ${round}`);
    deepEqual([...database.exec('SELECT a FROM t').raw()], expected, `spread ${round}`);
    deepEqual(database.exec('SELECT max(a) AS m FROM t').one(), { m: 9007199254740992 }, `one ${round}`);
    deepEqual(database.exec('UPDATE t SET a = a WHERE a > 5 RETURNING a').raw().toArray(), [
      [9007199254740992],
    ]);
  }
});

test('Cursor replaces invalid UTF-8 and keeps NUL characters', () => {
  using opened = openTestDatabase();
  deepEqual(opened.database.exec("SELECT CAST(x'ff41' AS TEXT) AS a, 'x' || char(0) || 'y' AS b").one(), {
    a: '\uFFFDA',
    b: 'x\0y',
  });
});

test('Cursor lets the last of several columns with one name win, in the place of the first', () => {
  using opened = openTestDatabase();
  const cursor = opened.database.exec('SELECT 1 AS a, 2 AS b, 3 AS a');
  deepEqual(cursor.columnNames, ['a', 'b', 'a']);
  equal(JSON.stringify(cursor.one()), '{"a":3,"b":2}');
  deepEqual(opened.database.exec('SELECT 1 AS a, 2 AS b, 3 AS a').raw().one(), [1, 2, 3]);
});

test('rowBuilder makes no code of column names, and no prototype of __proto__', () => {
  const names = [
    '__proto__',
    "'",
    '"',
    '\\',
    '\n',
    '\u2028',
    '}) || (() => 1)({',
    '${x}',
    '1',
    'constructor',
    '',
  ];
  const row = rowBuilder(names)(names.map((_, at) => at));
  equal(Object.getPrototypeOf(row), Object.prototype);
  equal(Object.keys(row).length, names.length - 1);
  names.slice(1).forEach((name, at) => equal(row[name], at + 1, name));
  equal(Object.getPrototypeOf(rowBuilder(['__proto__'])([null])), Object.prototype);
});
