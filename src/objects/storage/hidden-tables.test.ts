import { deepEqual, equal, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { SqlDatabase } from '#sqlite';
import { HiddenTables } from './hidden-tables.ts';

const bytes = (count: number): Uint8Array => new Uint8Array(count).fill(1);

function openTables() {
  const lost: unknown[] = [];
  const database = new SqlDatabase(':memory:', {
    beforeWrite: () => {},
    onTransactionLost: (error) => lost.push(error),
  });
  database.execTrusted('BEGIN');
  return { database, lost, tables: new HiddenTables(database) };
}

test('HiddenTables tells of a transaction that was lost while writes reached the table, and keeps them at hand', () => {
  const { database, lost, tables } = openTables();
  using _ = database;
  tables.put('early', bytes(10));
  tables.flush();
  database.execTrusted('PRAGMA max_page_count = 6');
  tables.put('late', bytes(100_000));
  throws(() => tables.flush(), /SQLITE_FULL/);
  deepEqual([lost.length, database.isTransaction], [1, false]);
  throws(() => tables.flush());
  equal(tables.get('late')?.length, 100_000);
});

test('HiddenTables keeps the value a key has when a larger one is refused', () => {
  const { database, tables } = openTables();
  using _ = database;
  tables.put('key', bytes(4));
  throws(() => tables.put('key', bytes(64 * 1024 * 1024)), /SQLITE_TOOBIG/);
  equal(tables.get('key')?.length, 4);
  tables.flush();
  equal(tables.get('key')?.length, 4);
  tables.put('key', bytes(1024 * 1024));
  equal(tables.get('key')?.length, 1024 * 1024);
});
