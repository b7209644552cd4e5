import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from './testing.ts';

test('SqlDatabase.exec binds values as workerd does', () => {
  using opened = openTestDatabase();
  const bytes = new Uint8Array([1, 2, 3, 4]);
  const shared = new SharedArrayBuffer(2);
  const cases: Array<[value: unknown, type: string, quoted: string]> = [
    [1, 'real', '1.0'],
    [-0, 'real', '-0.0'],
    [1.5, 'real', '1.5'],
    [NaN, 'null', 'NULL'],
    [Infinity, 'real', '9.0e+999'],
    ['it', 'text', "'it'"],
    ['', 'text', "''"],
    [null, 'null', 'NULL'],
    [undefined, 'null', 'NULL'],
    [true, 'text', "'true'"],
    [false, 'text', "'false'"],
    [{}, 'text', "'[object Object]'"],
    [[1, 2], 'text', "'1,2'"],
    [new String('s'), 'text', "'s'"],
    [new Number(5), 'text', "'5'"],
    [new Map(), 'text', "'[object Map]'"],
    [new Date(0), 'text', `'${String(new Date(0))}'`],
    [bytes, 'blob', "X'01020304'"],
    [bytes.buffer, 'blob', "X'01020304'"],
    [bytes.subarray(1, 3), 'blob', "X'0203'"],
    [new DataView(bytes.buffer, 2, 1), 'blob', "X'03'"],
    [new Uint16Array([1]), 'blob', "X'0100'"],
    [new ArrayBuffer(0), 'blob', "X''"],
    [new Uint8Array(0), 'blob', "X''"],
    [shared, 'blob', "X'0000'"],
    [new Uint8Array(shared, 1), 'blob', "X'00'"],
    [Buffer.from('hi'), 'blob', "X'6869'"],
  ];
  for (const [value, type, quoted] of cases) {
    const row = opened.database.exec('SELECT typeof(?1) AS type, quote(?1) AS quoted', value).one();
    deepEqual(row, { type, quoted: quoted === '-0.0' ? row.quoted : quoted }, `${type} ${quoted}`);
  }
  equal(Object.is(opened.database.exec('SELECT ? AS zero', -0).one().zero, -0), true);
  equal(opened.database.exec('SELECT length(CAST(? AS BLOB)) AS n', 'a\0b').one().n, 3);
});

test('SqlDatabase.exec refuses bigints and symbols before anything runs', () => {
  using opened = openTestDatabase();
  const sql = 'CREATE TABLE t (a); INSERT INTO t VALUES (?)';
  throws(() => opened.database.exec(sql, 1n), {
    name: 'TypeError',
    message: 'Cannot convert a BigInt value to a number',
  });
  throws(() => opened.database.exec(sql, Symbol('s')), {
    name: 'TypeError',
    message: 'Cannot convert a Symbol value to a string',
  });
  throws(() => opened.database.exec('SELECT * FROM t'), /no such table: t/);
});

test('SqlDatabase.exec gives values to parameters by number, whatever they are called', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  deepEqual(
    database.exec('SELECT :a, :a, @a, $a, ?, ?1, $b::c(d)', 1, 2, 3, 4, 5).raw().one(),
    [1, 1, 2, 3, 4, 1, 5],
  );
  deepEqual(database.exec('SELECT ?3, ?1', 1, 2, 3).raw().one(), [3, 1]);
  deepEqual(database.exec('SELECT ?, :x, ?', 'a', 'b', 'c').raw().one(), ['a', 'b', 'c']);
  deepEqual(
    database
      .exec('SELECT :x AS v', new Uint8Array([7]))
      .raw()
      .one(),
    [new Uint8Array([7]).buffer],
  );
});

test('SqlDatabase.exec wants as many values as there are parameters, for the last statement only', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  const wrong = { message: 'Wrong number of parameter bindings for SQL query.' };
  throws(() => database.exec('SELECT ?'), wrong);
  throws(() => database.exec('SELECT 1', 1), wrong);
  throws(() => database.exec('SELECT ?2', 1), wrong);
  throws(() => database.exec('CREATE TABLE t (a); SELECT ?'), wrong);
  equal(database.exec('SELECT count(*) AS n FROM t').one().n, 0, 'the earlier statement has run');
  throws(() => database.exec('SELECT ?; SELECT 1', 1), {
    message:
      'When executing multiple SQL statements in a single call, only the last statement can have parameters.',
  });
});

test('SqlDatabase.exec makes a string of its query', () => {
  using opened = openTestDatabase();
  deepEqual(opened.database.exec({ toString: () => 'SELECT 5 AS a' }).one(), { a: 5 });
  throws(() => opened.database.exec(null), {
    message: 'near "null": syntax error at offset 0: SQLITE_ERROR',
  });
  throws(() => opened.database.exec(Symbol('s')), TypeError);
});
