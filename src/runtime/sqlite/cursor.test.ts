import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { RawIterator, RowIterator } from './cursor.ts';
import type { SqlDatabase } from './database.ts';
import { openTestDatabase } from './testing.ts';

/** Three rows, and a query that has run often enough for every shortcut to be taken. */
function openWithRows(): ReturnType<typeof openTestDatabase> & { readonly query: string } {
  const opened = openTestDatabase();
  opened.database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a)');
  opened.database.exec('INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)');
  const query = 'SELECT a FROM t';
  for (let round = 0; round < 3; round++) opened.database.exec(query).toArray();
  return { ...opened, query };
}

const dropTable = (database: SqlDatabase): void => void database.exec('DROP TABLE t');
const locked = { message: 'database table is locked: SQLITE_LOCKED' };

test('Cursor.next gives rows, then says that it is done, again and again', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec(opened.query);
  deepEqual(cursor.next(), { done: false, value: { a: 1 } });
  deepEqual(cursor.toArray(), [{ a: 2 }, { a: 3 }]);
  deepEqual(
    [cursor.next(), cursor.next()],
    [
      { done: true, value: undefined },
      { done: true, value: undefined },
    ],
  );
  deepEqual(cursor.toArray(), []);
});

test('Cursor, its iterator and raw() share one position', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec(opened.query);
  const raw = cursor.raw();
  const rows = cursor[Symbol.iterator]();
  deepEqual([raw.next().value, cursor.next().value, rows.next().value], [[1], { a: 2 }, { a: 3 }]);
  equal(raw.next().done, true);
});

test('Cursor goes on after a loop over it was left', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec(opened.query);
  for (const row of cursor) {
    deepEqual(row, { a: 1 });
    break;
  }
  deepEqual([...cursor], [{ a: 2 }, { a: 3 }]);
});

test('Cursor.one gives the only row and refuses none or several', () => {
  using opened = openWithRows();
  const { database } = opened;
  deepEqual(database.exec('SELECT a FROM t WHERE id = 2').one(), { a: 2 });
  deepEqual(database.exec('SELECT a FROM t WHERE id = 2').raw().one(), [2]);
  const none = { message: 'Expected exactly one result from SQL query, but got no results.' };
  const several = { message: 'Expected exactly one result from SQL query, but got multiple results.' };
  throws(() => database.exec('SELECT a FROM t WHERE id = 9').one(), none);
  throws(() => database.exec('CREATE TABLE u (a)').one(), none);
  for (const query of [opened.query, 'SELECT a FROM t ORDER BY a + 0', 'UPDATE t SET a = a RETURNING a']) {
    const cursor = database.exec(query);
    throws(() => cursor.one(), several, query);
    deepEqual(cursor.next(), { done: true, value: undefined }, query);
  }
  const last = database.exec(opened.query);
  last.next();
  last.next();
  deepEqual(last.one(), { a: 3 }, 'of what is left');
});

test('Cursor gives iterators with the helpers of Iterator.prototype', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec(opened.query);
  equal(cursor.raw() instanceof RawIterator && cursor.raw() instanceof Iterator, true);
  equal(cursor[Symbol.iterator]() instanceof RowIterator, true);
  deepEqual(
    cursor
      .raw()
      .map(([a]) => Number(a) * 10)
      .drop(1)
      .toArray(),
    [20, 30],
  );
  const names = [cursor, cursor.raw(), cursor[Symbol.iterator]()].map((value) =>
    Object.prototype.toString.call(value),
  );
  deepEqual(names, ['[object Cursor]', '[object RawIterator]', '[object RowIterator]']);
});

test('Cursor.columnNames is the same array at all times, and empty where there is no result', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec('SELECT a AS x, id FROM t');
  const names = cursor.columnNames;
  deepEqual(names, ['x', 'id']);
  cursor.toArray();
  equal(cursor.columnNames, names);
  deepEqual(opened.database.exec('DELETE FROM t').columnNames, []);
});

test('Cursor keeps the row it has fetched ahead and shows later changes after it', () => {
  using opened = openWithRows();
  const { database, query } = opened;
  const cursor = database.exec(query);
  equal(cursor.next().value?.a, 1);
  database.exec('UPDATE t SET a = a + 100');
  deepEqual(cursor.raw().toArray(), [[2], [103]]);
});

test('Cursor has fetched its first row before anything else happens', () => {
  using opened = openWithRows();
  const { database, query } = opened;
  const cursor = database.exec(query);
  database.exec('UPDATE t SET a = a + 100');
  deepEqual(cursor.raw().toArray(), [[1], [102], [103]]);
  const trusted = database.exec(query);
  database.prepareTrusted('UPDATE t SET a = a + 100').run();
  deepEqual(trusted.raw().toArray(), [[101], [202], [203]]);
  const deleted = database.exec(query);
  deleted.next();
  database.exec('DELETE FROM t WHERE id >= 2');
  deepEqual(deleted.raw().toArray(), [[202]]);
});

test('Cursor keeps its table from being dropped until its last row has been fetched', () => {
  using opened = openWithRows();
  const { database } = opened;
  const single = 'SELECT abs(a) AS a FROM t WHERE id = 1';
  for (let round = 0; round < 3; round++) database.exec(single).one();
  for (const query of [opened.query, 'SELECT a FROM t WHERE id = 1', single]) {
    const cursor = database.exec(query);
    throws(() => dropTable(database), locked, query);
    deepEqual(cursor.next().value, { a: 1 }, query);
    cursor.toArray();
  }
  const cursor = database.exec(single);
  cursor.next();
  dropTable(database);
});

test('Cursor of a statement that writes has written everything, and holds nothing open', () => {
  using opened = openWithRows();
  const { database } = opened;
  const cursor = database.exec('INSERT INTO t (a) VALUES (7), (8) RETURNING a');
  equal(database.exec('SELECT count(*) AS n FROM t').one().n, 5);
  equal(cursor.next().value?.a, 7);
  opened.commit();
  deepEqual(cursor.toArray(), [{ a: 8 }]);
});

test('Cursor of a query that is already running runs on its own', () => {
  using opened = openWithRows();
  const { database, query } = opened;
  const first = database.exec(query);
  const second = database.exec(query);
  const third = database.exec(query);
  deepEqual([first.next().value, second.next().value, first.next().value], [{ a: 1 }, { a: 1 }, { a: 2 }]);
  deepEqual([first.toArray().length, second.toArray().length, third.toArray().length], [1, 2, 3]);
  equal(database.openCursors, 0);
});

test('Cursor lives through commits, rollbacks, new tables and awaits', async () => {
  using opened = openWithRows();
  const { database, query } = opened;
  const cursor = database.exec(query);
  cursor.next();
  opened.commit();
  await Promise.resolve();
  database.exec('CREATE TABLE u (a)');
  opened.commit();
  equal(cursor.next().value?.a, 2);
  database.execTrusted('SAVEPOINT s');
  database.exec('UPDATE t SET a = 50');
  database.execTrusted('ROLLBACK TO s');
  deepEqual(cursor.toArray(), [{ a: 3 }]);
});

test('Cursor throws errors where the row is fetched', () => {
  using opened = openWithRows();
  const { database } = opened;
  const overflow = 'SELECT abs(a) AS a FROM t ORDER BY id LIMIT 10';
  database.exec('UPDATE t SET a = -9223372036854775808 WHERE id = 3');
  for (let round = 0; round < 3; round++) {
    const cursor = database.exec(overflow);
    equal(cursor.next().value?.a, 1);
    throws(() => cursor.next(), { message: 'integer overflow: SQLITE_ERROR' });
    equal(cursor.next().done, true);
    throws(() => database.exec('SELECT abs(a) AS a FROM t WHERE id = 3'), {
      message: 'integer overflow: SQLITE_ERROR',
    });
    throws(() => database.exec('SELECT a FROM t LIMIT ?', 'x'), {
      message: 'datatype mismatch: SQLITE_MISMATCH',
    });
    equal(database.exec('SELECT a FROM t LIMIT ?', 2).toArray().length, 2);
  }
});

test('Cursor sees a changed schema when its query runs again', () => {
  using opened = openWithRows();
  const { database } = opened;
  deepEqual(database.exec('SELECT * FROM t').columnNames, ['id', 'a']);
  const open = database.exec('SELECT * FROM t');
  open.next();
  database.exec('ALTER TABLE t ADD COLUMN b DEFAULT 5');
  deepEqual(database.exec('SELECT * FROM t').next().value, { id: 1, a: 1, b: 5 });
  deepEqual(open.toArray().length, 2);
  deepEqual(database.exec('SELECT * FROM t').columnNames, ['id', 'a', 'b']);
});

test('Cursor counts rows as they are fetched, and keeps its count when its query runs again', () => {
  using opened = openWithRows();
  const { database, query } = opened;
  for (let round = 0; round < 3; round++) {
    const cursor = database.exec(query);
    equal(cursor.rowsRead, 1, 'the first row');
    cursor.next();
    equal(cursor.rowsRead, 2, 'the one fetched ahead');
    database.exec(query).toArray();
    cursor.toArray();
    deepEqual([cursor.rowsRead, cursor.rowsWritten], [3, 0]);
    const whole = database.exec(query);
    whole.toArray();
    database.exec(query).next();
    equal(whole.rowsRead, 3);
  }
  const first = database.exec('INSERT INTO t (a) VALUES (?)', 1);
  const second = database.exec('INSERT INTO t (a) VALUES (?)', 1);
  deepEqual([first.rowsWritten, second.rowsWritten], [1, 1]);
  const created = database.exec('CREATE TABLE u (a)');
  deepEqual([created.rowsRead, created.rowsWritten], [1, 2]);
  const returned = database.exec('INSERT INTO u VALUES (1), (2) RETURNING a');
  const early = returned.rowsRead;
  returned.toArray();
  equal(returned.rowsRead, early + 1);
});

test("Cursor.toArray gives an array that is the caller's own", () => {
  using opened = openWithRows();
  const { database } = opened;
  for (const sql of [
    'DELETE FROM t WHERE id = 9',
    'SELECT a FROM t WHERE id = 9',
    'DELETE FROM t WHERE id = 9 RETURNING a',
  ]) {
    database.exec(sql).toArray().push({ a: 1 });
    deepEqual(database.exec(sql).toArray(), [], sql);
  }
});

test('Cursor and its iterators cannot be made by hand', () => {
  using opened = openWithRows();
  const cursor = opened.database.exec(opened.query);
  for (const instance of [cursor, cursor.raw(), cursor[Symbol.iterator]()]) {
    const Class = instance.constructor as new (execution?: unknown) => unknown;
    throws(() => new Class(), { name: 'TypeError', message: 'Illegal constructor' });
    throws(() => new Class({ take: () => [1] }), TypeError);
  }
});
