import { equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { findForbidden, isReservedName } from './forbidden.ts';
import { tokenize } from './tokens.ts';

const find = (sql: string): string | undefined => findForbidden(tokenize(sql));

test('findForbidden refuses VACUUM with the message of workerd', () => {
  equal(find('vacuum'), 'cannot VACUUM from within a transaction: SQLITE_ERROR');
  equal(find("VACUUM INTO 'x'"), 'cannot VACUUM from within a transaction: SQLITE_ERROR');
});

test('findForbidden refuses to rename a table to a reserved name, however it is written', () => {
  for (const name of ['_cf_x', '_CF_X', '"_cf_x"', '[_cf_x]', '`_cf_x`', "'_cf_x'", '/**/ _cf_x']) {
    equal(find(`ALTER TABLE main.t RENAME TO ${name}`), 'not authorized: SQLITE_AUTH', name);
  }
  equal(find('ALTER TABLE t RENAME TO cf_x'), undefined);
  equal(find('ALTER TABLE t RENAME COLUMN a TO _cf_x'), undefined);
});

test('findForbidden refuses ROLLBACK as a way to resolve conflicts', () => {
  for (const sql of [
    'INSERT OR ROLLBACK INTO t VALUES (1)',
    'update or rollback t set a = 1',
    'CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK)',
    "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'no'); END",
  ]) {
    match(find(sql) ?? '', /^ROLLBACK cannot be used/, sql);
  }
  for (const sql of [
    'SELECT a OR rollback FROM t',
    'INSERT OR IGNORE INTO rollback VALUES (1)',
    "SELECT 'OR ROLLBACK'",
    'SELECT (rollback) FROM t',
  ]) {
    equal(find(sql), undefined, sql);
  }
});

test('isReservedName looks at the beginning, in any case', () => {
  for (const name of ['_cf_', '_cf_KV', '_Cf_x']) equal(isReservedName(name), true, name);
  for (const name of ['_cf', 'cf_', 'x_cf_', '']) equal(isReservedName(name), false, name);
});
