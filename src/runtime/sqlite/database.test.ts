import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SqlDatabase } from './database.ts';
import { openTestDatabase } from './testing.ts';
import { collectGarbage } from '../../../tools/collect-garbage.ts';

test('SqlDatabase calls beforeWrite before statements that may write, and for no others', () => {
  using opened = openTestDatabase();
  const { database, events } = opened;
  database.exec('SELECT 1').toArray();
  database.exec('PRAGMA foreign_keys').toArray();
  database.exec('WITH c AS (SELECT 1) SELECT * FROM c').toArray();
  deepEqual(events, []);
  for (const sql of [
    'CREATE TABLE t (a)',
    'INSERT INTO t VALUES (1)',
    'WITH c AS (SELECT 2) INSERT INTO t SELECT * FROM c',
    'UPDATE t SET a = 1 RETURNING a',
    'REPLACE INTO t VALUES (3)',
    'DELETE FROM t LIMIT 1',
    'CREATE VIRTUAL TABLE r USING rtree (id, a, b)',
    'PRAGMA optimize',
    'DROP TABLE t',
  ]) {
    events.length = 0;
    database.exec(sql);
    deepEqual(events, ['begin'], sql);
    opened.commit();
  }
  events.length = 0;
  database.exec('SELECT * FROM r').toArray();
  deepEqual(events, [], 'though opening the table compiles writes');
});

test('SqlDatabase tells before a statement that asks what was changed, a trigger of it included', () => {
  let asked = 0;
  using opened = openTestDatabase({ beforeChangesRead: () => void asked++ });
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  database.exec('INSERT INTO t VALUES (1)');
  database.exec('SELECT * FROM t').toArray();
  equal(asked, 0);
  for (const sql of [
    'SELECT changes()',
    'SELECT LAST_INSERT_ROWID() FROM t',
    'UPDATE t SET a = total_changes()',
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = changes(); END',
    'INSERT INTO t VALUES (2)',
  ]) {
    asked = 0;
    database.exec(sql).toArray();
    equal(asked, sql.startsWith('CREATE') ? 0 : 1, sql);
  }
});

test('SqlDatabase keeps a deferral of foreign keys over reads of its own, not over reads of the object', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  opened.commit();
  const isDeferred = (): unknown => database.exec('PRAGMA defer_foreign_keys').one()['defer_foreign_keys'];
  const own = database.prepareTrusted('SELECT * FROM t');
  database.exec('PRAGMA defer_foreign_keys = ON');
  own.get();
  own.all();
  equal(isDeferred(), 1);
  database.exec('SELECT * FROM t').toArray();
  equal(isDeferred(), 0);
  own.all();
  equal(isDeferred(), 0);
  database.exec('PRAGMA defer_foreign_keys = ON');
  database.exec('INSERT INTO t VALUES (1)');
  own.all();
  equal(isDeferred(), 1);
  opened.commit();
  own.all();
  equal(isDeferred(), 0);
});

test('SqlDatabase keeps what earlier statements of a text did when a later one fails', () => {
  using opened = openTestDatabase();
  throws(() => opened.database.exec('CREATE TABLE t (a); INSERT INTO nope VALUES (1)'), {
    message: 'no such table: nope: SQLITE_ERROR',
  });
  deepEqual(opened.database.exec('SELECT * FROM t').toArray(), []);
});

test('SqlDatabase reports constraint errors with both codes and keeps the transaction', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a UNIQUE, b NOT NULL, c CHECK (c > 0), d REFERENCES t (a))');
  database.exec("INSERT INTO t VALUES ('x', 1, 1, NULL)");
  const cases = {
    "INSERT INTO t VALUES ('x', 1, 1, NULL)":
      'UNIQUE constraint failed: t.a: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)',
    "INSERT INTO t VALUES ('y', NULL, 1, NULL)":
      'NOT NULL constraint failed: t.b: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_NOTNULL)',
    "INSERT INTO t VALUES ('y', 1, 0, NULL)":
      'CHECK constraint failed: c > 0: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_CHECK)',
    "INSERT INTO t VALUES ('y', 1, 1, 'z')":
      'FOREIGN KEY constraint failed: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_FOREIGNKEY)',
  };
  for (const [sql, message] of Object.entries(cases))
    throws(() => database.exec(sql), { name: 'Error', message }, sql);
  equal(database.isTransaction, true);
  equal(database.exec('SELECT count(*) AS n FROM t').one().n, 1);
});

test('SqlDatabase tells its owner when a statement takes the transaction with it', () => {
  using opened = openTestDatabase();
  const { database, events } = opened;
  // Not possible through `exec`, but an imported database may contain it.
  database.execTrusted('CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)');
  database.exec('INSERT INTO t VALUES (1)');
  opened.commit();
  database.exec('CREATE TABLE u (a)');
  database.exec('SELECT * FROM u').toArray();
  const message = 'UNIQUE constraint failed: t.a: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)';
  throws(() => database.exec('INSERT INTO t VALUES (1)'), { message });
  deepEqual(events, ['begin', 'begin', `lost: ${message}`]);
  equal(database.isTransaction, false);
  throws(() => database.exec('SELECT * FROM u'), /no such table: u/);
});

test('SqlDatabase forgets compiled statements when a rollback takes back the schema', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  opened.commit();
  database.exec('ALTER TABLE t ADD COLUMN b');
  deepEqual(database.exec('SELECT * FROM t').columnNames, ['a', 'b']);
  const rollback = database.prepareTrusted('ROLLBACK');
  rollback.run();
  deepEqual(database.exec('SELECT * FROM t').columnNames, ['a']);
});

test('SqlDatabase.cancelCursors makes open cursors fail and leaves finished ones alone', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  database.exec('INSERT INTO t VALUES (1), (2), (3)');
  for (let round = 0; round < 2; round++) database.exec('SELECT a FROM t').toArray();
  const finished = database.exec('SELECT a FROM t');
  finished.toArray();
  const stepping = database.exec('SELECT a FROM t');
  stepping.next();
  const returned = database.exec('UPDATE t SET a = a RETURNING a');
  const untouched = database.exec('SELECT a FROM t');
  equal(database.openCursors, 2);
  const message = 'SQLite query was canceled because the database was deleted.';
  database.cancelCursors(message);
  equal(database.openCursors, 0);
  for (const cursor of [stepping, returned, untouched]) {
    throws(() => cursor.next(), { message });
    throws(() => cursor.toArray(), { message });
    throws(() => cursor.raw().one(), { message });
  }
  equal(finished.next().done, true);
  deepEqual(database.exec('SELECT a FROM t').toArray().length, 3);
  database.exec('DROP TABLE t');
});

test('SqlDatabase.openCursors no longer counts cursors that nobody holds', async () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  database.exec('INSERT INTO t VALUES (1), (2), (3)');
  (() => void database.exec('SELECT a FROM t').next())();
  for (let round = 0; round < 3; round++) database.exec('SELECT a FROM t LIMIT 2').toArray();
  (() => void database.exec('SELECT a FROM t LIMIT 2'))();
  equal(database.openCursors, 2);
  for (let turns = 0; turns < 50 && database.openCursors > 0; turns++) {
    collectGarbage();
    await turn();
  }
  equal(database.openCursors, 0);
  database.exec('DROP TABLE t');
});

test('SqlDatabase.databaseSize counts pages in use', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  equal(database.databaseSize, 4096);
  database.exec('CREATE TABLE t (a)');
  equal(database.databaseSize, 8192);
  database.exec('INSERT INTO t VALUES (zeroblob(40000))');
  const full = database.databaseSize;
  database.exec('DELETE FROM t');
  equal(full > 40_000 && database.databaseSize === 8192, true);
});

test('SqlDatabase statements of our own go past the guard, also when they are compiled again', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.execTrusted('CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID');
  const put = database.prepareTrusted('INSERT INTO _cf_KV VALUES (?, ?)');
  const get = database.prepareTrusted('SELECT value FROM _cf_KV WHERE key = ?', { arrays: true });
  put.run('a', new Uint8Array([1]));
  database.exec('CREATE TABLE t (a)');
  put.run('b', new Uint8Array([2]));
  deepEqual(get.get<[Uint8Array]>('b'), [new Uint8Array([2])]);
  deepEqual([...get.iterate<[Uint8Array]>('a')], [[new Uint8Array([1])]]);
  throws(() => database.exec('SELECT value FROM _cf_KV'), /prohibited/);
});

test('SqlDatabase finds its data again after it was closed, and is closed only once', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (a)');
  database.exec('INSERT INTO t VALUES (1)');
  opened.commit();
  const cursor = database.exec('SELECT a FROM t');
  database.close();
  database.close();
  throws(() => cursor.next(), /closed/);
});

test('SqlDatabase does not mind where its file is', () => {
  using database = new SqlDatabase(':memory:', { beforeWrite: () => {} });
  deepEqual(database.exec('SELECT 1 AS a').one(), { a: 1 });
});

test('SqlDatabase carries out a pragma every time it is given', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  const state = (): unknown => database.exec('PRAGMA recursive_triggers').raw().one()[0];
  for (const value of [1, 0, 1, 0]) {
    database.exec(`PRAGMA recursive_triggers = ${value}`);
    equal(state(), value);
  }
});

test('prepareTrusted and execTrusted run after an INSERT whose rowid no number can hold', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY)');
  database.exec('INSERT INTO t VALUES (9007199254740993)');
  database.execTrusted('CREATE TABLE ours (a)');
  database.execTrusted('PRAGMA user_version');
  using insert = database.prepareTrusted('INSERT INTO ours VALUES (?)');
  insert.run(1);
  using update = database.prepareTrusted('UPDATE ours SET a = ?');
  update.run(2);
  using read = database.prepareTrusted('SELECT a FROM ours');
  equal(read.get<{ readonly a: number }>()?.a, 2);
});
