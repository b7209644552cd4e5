import { equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { allowedFunctions } from './allowed.ts';
import type { SqlDatabase } from '../database.ts';
import { openTestDatabase } from '../testing.ts';

function openWithTables(): ReturnType<typeof openTestDatabase> {
  const opened = openTestDatabase();
  opened.database.execTrusted('CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID');
  opened.database.execTrusted("INSERT INTO _cf_KV VALUES ('secret', 'value')");
  opened.database.execTrusted('CREATE TABLE _cf_METADATA (key INTEGER PRIMARY KEY, value BLOB)');
  opened.database.execTrusted("INSERT INTO _cf_METADATA VALUES (1, 'secret')");
  opened.database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)');
  opened.database.exec('CREATE INDEX i ON t (a)');
  opened.database.exec("INSERT INTO t VALUES (1, 'x')");
  return opened;
}

function messageOf(database: SqlDatabase, sql: string): string | undefined {
  try {
    database.exec(sql).toArray();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const denied = 'not authorized: SQLITE_AUTH';

test('Authorizer allows what workerd allows', () => {
  using opened = openWithTables();
  for (const sql of [
    'WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 3) SELECT * FROM c',
    'WITH _cf_c AS (SELECT 1 AS _cf_a) SELECT _cf_a FROM _cf_c AS _cf_d',
    'INSERT INTO t (a) VALUES (1) ON CONFLICT (id) DO UPDATE SET a = excluded.a RETURNING id',
    'SELECT row_number() OVER (ORDER BY id) FROM t',
    'CREATE TABLE g (a INTEGER, b INTEGER AS (a + 1) STORED) STRICT',
    'CREATE TABLE f (id INTEGER PRIMARY KEY, t_id REFERENCES t (id))',
    'CREATE VIEW v AS SELECT a FROM t',
    'CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = a; END',
    'ALTER TABLE t ADD COLUMN b',
    'ALTER TABLE t RENAME COLUMN b TO _cf_b',
    'ALTER TABLE t DROP COLUMN _cf_b',
    'ALTER TABLE f RENAME TO f2',
    'REINDEX',
    'ANALYZE',
    'EXPLAIN SELECT 1',
    'EXPLAIN QUERY PLAN SELECT * FROM t',
    'SELECT * FROM sqlite_master',
    'SELECT * FROM sqlite_schema',
    'SELECT * FROM sqlite_temp_master',
    'CREATE VIRTUAL TABLE full_text USING fts5 (a)',
    "INSERT INTO full_text VALUES ('hello')",
    "SELECT highlight(full_text, 0, '<', '>'), bm25(full_text) FROM full_text WHERE full_text MATCH 'hello'",
    "INSERT INTO full_text (full_text) VALUES ('optimize')",
    'CREATE VIRTUAL TABLE words USING fts5vocab (full_text, row)',
    'SELECT * FROM words',
    'CREATE VIRTUAL TABLE box USING rtree (id, x0, x1)',
    'INSERT INTO box VALUES (1, 0, 2)',
    'SELECT id FROM box WHERE x0 < 1',
    "SELECT rtreecheck('box')",
    'CREATE VIRTUAL TABLE box32 USING rtree_i32 (id, x0, x1)',
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM json_tree('[1]')",
    'DROP TABLE full_text',
    'DROP VIEW v',
    'DROP TRIGGER r',
    'DROP INDEX i',
    'DROP TABLE t',
  ]) {
    equal(messageOf(opened.database, sql), undefined, sql);
  }
});

test('Authorizer denies other databases, temporary things and transactions', () => {
  using opened = openWithTables();
  const { database } = opened;
  for (const sql of [
    "ATTACH 'x' AS y",
    'DETACH main',
    'CREATE TEMP TABLE x (a)',
    'CREATE TEMP VIEW x AS SELECT 1',
    'CREATE TEMP TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END',
    'CREATE VIRTUAL TABLE x USING fts4 (a)',
    'CREATE VIRTUAL TABLE x USING geopoly (a)',
    'CREATE VIRTUAL TABLE x USING dbstat',
    'PRAGMA temp.table_info(t)',
  ]) {
    equal(messageOf(database, sql), denied, sql);
  }
  for (const sql of [
    'BEGIN',
    'COMMIT',
    'END',
    'ROLLBACK',
    'SAVEPOINT a',
    'RELEASE a',
    'ROLLBACK TO a',
    'EXPLAIN BEGIN',
  ]) {
    throws(
      () => database.exec(sql),
      /^Error: To execute a transaction, please use the state\.storage\.transaction\(\)/,
      sql,
    );
  }
  for (const table of ['dbstat', 'fts3tokenize']) {
    equal(messageOf(database, `SELECT * FROM ${table}`), `no such table: ${table}: SQLITE_ERROR`);
    equal(messageOf(database, `SELECT count(*) FROM ${table}`), `no such table: ${table}: SQLITE_ERROR`);
  }
});

test('Authorizer keeps every way to the reserved tables closed', () => {
  using opened = openWithTables();
  const { database } = opened;
  database.exec("CREATE VIRTUAL TABLE outside USING fts5 (value, content='_cf_METADATA')");
  for (const sql of [
    'SELECT * FROM _cf_KV',
    'SELECT key FROM _CF_kv',
    'SELECT count(*) FROM main."_cf_KV"',
    'SELECT (SELECT value FROM _cf_KV)',
    'INSERT INTO t (a) SELECT key FROM _cf_KV',
    "INSERT INTO _cf_KV VALUES ('a', 'b')",
    'UPDATE _cf_KV SET value = 1',
    'DELETE FROM _cf_KV',
    'DELETE FROM _cf_KV LIMIT 1',
    'DROP TABLE _cf_KV',
    'ALTER TABLE _cf_KV ADD COLUMN x',
    'ALTER TABLE _cf_KV RENAME TO x',
    'ALTER TABLE t RENAME TO _cf_t',
    'CREATE INDEX x ON _cf_KV (key)',
    'CREATE TRIGGER x AFTER INSERT ON _cf_KV BEGIN SELECT 1; END',
    'CREATE TABLE _cf_x (a)',
    'CREATE TABLE _cf_x AS SELECT 1',
    'CREATE VIEW _cf_x AS SELECT 1',
    'CREATE INDEX _cf_x ON t (a)',
    'CREATE TRIGGER _cf_x AFTER INSERT ON t BEGIN SELECT 1; END',
    'CREATE VIRTUAL TABLE _cf_x USING fts5 (a)',
    // Its tables would be called _cf_data and the like.
    'CREATE VIRTUAL TABLE _cf USING fts5 (a)',
    'PRAGMA table_info(_cf_KV)',
    "SELECT * FROM pragma_table_info('_cf_KV')",
    'SELECT value FROM outside',
    "INSERT INTO outside (outside) VALUES ('rebuild')",
  ]) {
    equal(
      /not authorized|prohibited/.test(messageOf(database, sql) ?? ''),
      true,
      `${sql}: ${messageOf(database, sql)}`,
    );
  }
  database.exec('CREATE VIEW peek AS SELECT * FROM _cf_KV');
  equal(messageOf(database, 'SELECT * FROM peek'), 'access to _cf_KV.key is prohibited: SQLITE_AUTH');
  database.exec('CREATE TRIGGER write AFTER INSERT ON t BEGIN DELETE FROM _cf_KV; END');
  equal(messageOf(database, "INSERT INTO t (a) VALUES ('x')"), denied);
  equal(database.prepareTrusted('SELECT count(*) AS n FROM _cf_KV').get()?.n, 1);
});

test('Authorizer passes over reserved tables where a statement is about all tables', () => {
  using opened = openWithTables();
  opened.database.exec('ANALYZE');
  opened.database.exec('REINDEX');
  equal(
    opened.database.exec("SELECT count(*) AS n FROM sqlite_stat1 WHERE tbl LIKE '\\_cf%' ESCAPE '\\'").one()
      .n,
    0,
  );
});

test('Authorizer allows the pragmas of workerd with the arguments it takes', () => {
  using opened = openWithTables();
  const switches =
    'foreign_keys defer_foreign_keys ignore_check_constraints legacy_alter_table recursive_triggers reverse_unordered_selects';
  for (const pragma of [
    'data_version',
    'page_size',
    ...switches
      .split(' ')
      .flatMap((name) => [name, `${name} = on`, `${name}(0)`, `${name} = 'FALSE'`, `${name} = yes`]),

    'foreign_key_list(t)',
    'index_info(i)',
    'index_list(t)',
    'index_xinfo(i)',
    'table_info(t)',
    'table_xinfo(t)',

    'foreign_key_check',
    'foreign_key_check(t)',
    'table_list',
    'table_list(t)',
    'main.table_info(t)',
    "table_info('t')",
    'quick_check',
    'quick_check(1)',
    'quick_check(t)',
    'optimize',
    'optimize(0x10002)',
  ]) {
    equal(messageOf(opened.database, `PRAGMA ${pragma}`), undefined, pragma);
  }
  equal(messageOf(opened.database, "SELECT * FROM pragma_table_info('t')"), undefined);
});

test('Authorizer denies all other pragmas and arguments', () => {
  using opened = openWithTables();
  for (const pragma of [
    'user_version',
    'user_version = 1',
    'journal_mode',
    'journal_mode = delete',
    'synchronous = full',
    'cache_size',

    'page_count',
    'integrity_check',
    'function_list',
    'module_list',
    'pragma_list',
    'database_list',
    'writable_schema = on',

    'locking_mode = normal',
    'wal_checkpoint',
    'wal_autocheckpoint = 1',
    'trusted_schema',
    'mmap_size = 1',
    'unknown',

    'page_size = 8192',
    'data_version = 1',
    'foreign_keys = 2',
    'foreign_keys = banana',
    'index_list',
    'table_info',

    'optimize(t)',
    'temp_store = 1',
    'secure_delete',
    'max_page_count = 1',
    'threads = 4',
    'schema_version = 1',
  ]) {
    equal(messageOf(opened.database, `PRAGMA ${pragma}`), denied, pragma);
  }
  equal(messageOf(opened.database, 'SELECT * FROM pragma_user_version'), denied);
  for (const like of ['case_sensitive_like', 'case_sensitive_like = on', 'CASE_SENSITIVE_LIKE(1)']) {
    equal(
      /every database in the process/.test(messageOf(opened.database, `PRAGMA ${like}`) ?? ''),
      true,
      like,
    );
  }
});

test('Authorizer allows the listed functions, all of which exist', () => {
  using opened = openWithTables();
  const isOperator = /^(?:->>?|match|json_each|json_tree|jsonb_each|jsonb_tree)$/;
  for (const name of allowedFunctions) {
    if (isOperator.test(name)) continue;
    const message =
      messageOf(opened.database, `SELECT ${name.startsWith('current_') ? name : `${name}()`}`) ?? '';
    equal(/no such function|not authorized to use/.test(message), false, `${name}: ${message}`);
  }
});

test('Authorizer denies functions that are not listed', () => {
  using opened = openWithTables();
  for (const call of [
    'sqlite_version()',
    'sqlite_source_id()',
    "sqlite_compileoption_used('x')",
    'sqlite_compileoption_get(0)',
    'if(1, 2)',

    'ceiling(1)',
    'power(1, 2)',
    'log10(1)',
    "unistr('a')",
    'unistr_quote(1)',
    'subtype(1)',
    'fts5(1)',
    'fts5_source_id()',

    "rtreenode(1, x'00')",
    "json_pretty('1')",
    "json_error_position('1')",
    "json_array_insert('[]', '$[0]', 1)",
    'sqlite_log(1, 2)',
    'percentile(1, 2)',
    'median(1)',
  ]) {
    const name = /^\w+/.exec(call)![0];
    const message = `not authorized to use function: ${name} at offset 7: SQLITE_ERROR`;
    equal(messageOf(opened.database, `SELECT ${call}`), message, call);
  }
  equal(messageOf(opened.database, "SELECT load_extension('x')"), 'not authorized: SQLITE_ERROR');
});
