import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { openTestDatabase } from '../testing.ts';
import { rewriteLimitedWrite } from './limited-writes.ts';
import { tokenize } from './tokens.ts';

const rewrite = (sql: string): string | undefined =>
  rewriteLimitedWrite(sql, tokenize(sql), () => ['rowid'])
    ?.replace(/ +/g, ' ')
    .trim();

test('rewriteLimitedWrite names the rows by a subquery and numbers the parameters', () => {
  equal(
    rewrite('DELETE FROM t WHERE a > ? RETURNING ?, b ORDER BY c LIMIT ? OFFSET :n;'),
    'DELETE FROM t WHERE rowid IN (SELECT rowid FROM t WHERE a > ?1 ORDER BY c LIMIT ?3 OFFSET ?4) RETURNING ?2 , b',
  );
  equal(
    rewrite('UPDATE OR IGNORE main.t AS x INDEXED BY i SET a = ? WHERE x.b IS DISTINCT FROM ? LIMIT 1'),
    'UPDATE OR IGNORE main . t AS x SET a = ?1 WHERE rowid IN ' +
      '(SELECT rowid FROM main . t AS x INDEXED BY i WHERE x . b IS DISTINCT FROM ?2 LIMIT 1)',
  );
});

test('rewriteLimitedWrite leaves everything else alone', () => {
  for (const sql of [
    'DELETE FROM t WHERE a IN (SELECT a FROM t ORDER BY a LIMIT 1)',
    'SELECT a FROM t ORDER BY a LIMIT 1',
    'INSERT INTO t SELECT a FROM t LIMIT 1',
    'WITH c AS (DELETE FROM t LIMIT 1) SELECT 1 LIMIT 1',
    'DELETE',
    'DELETE t LIMIT 1',
  ]) {
    equal(rewrite(sql), undefined, sql);
  }
});

test('rewriteLimitedWrite refuses what has no meaning', () => {
  throws(() => rewrite('DELETE FROM t ORDER BY a'), {
    message: 'ORDER BY without LIMIT on DELETE: SQLITE_ERROR',
  });
  throws(() => rewrite('UPDATE t SET a = 1 FROM u LIMIT 1'), /both FROM and LIMIT/);
  throws(() => rewrite('DELETE FROM t LIMIT'), { message: 'incomplete input: SQLITE_ERROR' });
});

test('SqlDatabase.exec deletes and updates within limits', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  for (const a of ['e', 'd', 'c', 'b', 'a']) database.exec('INSERT INTO t (a) VALUES (?)', a);
  const remaining = (): unknown =>
    database.exec('SELECT group_concat(a) AS a FROM (SELECT a FROM t ORDER BY id)').one().a;
  deepEqual(
    database.exec('DELETE FROM t WHERE id > ? RETURNING a, ? AS x ORDER BY a LIMIT ?', 1, 'y', 2).toArray(),
    [
      { a: 'b', x: 'y' },
      { a: 'a', x: 'y' },
    ],
  );
  equal(remaining(), 'e,d,c');
  database.exec('UPDATE t AS q SET a = ? WHERE q.a > ? ORDER BY q.a DESC LIMIT 1 OFFSET 1', 'D', 'c');
  equal(remaining(), 'e,D,c');
  database.exec('WITH some AS (SELECT 1 AS id) DELETE FROM t WHERE id IN (SELECT id FROM some) LIMIT 1');
  equal(remaining(), 'D,c');
});

test('SqlDatabase.exec limits writes to tables without a row id, and with columns named like it', () => {
  using opened = openTestDatabase();
  const { database } = opened;
  database.exec('CREATE TABLE w (a, "b""c", PRIMARY KEY (a, "b""c")) WITHOUT ROWID');
  database.exec('INSERT INTO w VALUES (1, 1), (1, 2), (2, 1)');
  database.exec('DELETE FROM w ORDER BY a DESC, "b""c" LIMIT 2');
  deepEqual(database.exec('SELECT * FROM w').raw().toArray(), [[1, 2]]);
  database.exec('CREATE TABLE r (rowid TEXT, _rowid_ TEXT)');
  database.exec("INSERT INTO r VALUES ('x', 'x'), ('x', 'x')");
  database.exec('DELETE FROM r LIMIT 1');
  equal(database.exec('SELECT count(*) AS n FROM r').one().n, 1);
  database.exec('CREATE TABLE s (rowid, _rowid_, oid)');
  throws(() => database.exec('DELETE FROM s LIMIT 1'), /all three names/);
});
