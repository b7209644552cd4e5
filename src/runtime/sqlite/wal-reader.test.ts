import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SqlDatabase, pageBytes } from './database.ts';
import { type CommittedPages, WalReader } from './wal-reader.ts';

interface Opened {
  readonly database: SqlDatabase;
  readonly wal: WalReader;
  readonly path: string;
  commit(...statements: string[]): CommittedPages | undefined;
}

function open(t: TestContext): Opened {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-wal-'));
  const path = join(directory, 'object.sqlite');
  const database = new SqlDatabase(path, { beforeWrite: () => {} });
  const wal = new WalReader(path);
  t.after(() => {
    wal.close();
    database.close();
    rmSync(directory, { recursive: true });
  });
  const commit = (...statements: string[]): CommittedPages | undefined => {
    for (const sql of ['BEGIN', ...statements, 'COMMIT']) database.execTrusted(sql);
    return wal.readCommits();
  };
  return { database, wal, path, commit };
}

const numbers = (pages: CommittedPages | undefined): number[] => [...(pages?.pages.keys() ?? [])].toSorted();

test('WalReader reads the pages of each commit, and only those', (t) => {
  const { commit } = open(t);
  const created = commit('CREATE TABLE t (a)');
  equal(created?.pageCount, 2);
  deepEqual(numbers(created), [1, 2]);
  deepEqual(numbers(commit('INSERT INTO t VALUES (1)')), [2]);
});

test('WalReader finds nothing after a commit that changed nothing', (t) => {
  const { commit } = open(t);
  commit('CREATE TABLE t (a)');
  equal(commit('DELETE FROM t WHERE a = 1'), undefined);
});

test('WalReader passes over what a large transaction left behind when it was rolled back', (t) => {
  const { commit, database } = open(t);
  commit('CREATE TABLE t (a)');
  database.execTrusted('BEGIN');
  database.execTrusted(
    'INSERT INTO t SELECT zeroblob(3000) FROM (WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 500) SELECT i FROM s)',
  );
  database.execTrusted('ROLLBACK');
  equal(commit(), undefined);
  deepEqual(numbers(commit('INSERT INTO t VALUES (1)')), [2]);
});

test('WalReader reads several commits as one, with the newest image of each page', (t) => {
  const { commit, database, wal } = open(t);
  commit('CREATE TABLE t (a)', 'CREATE TABLE u (a)');
  for (let round = 0; round < 50; round++) {
    for (const sql of ['BEGIN', `INSERT INTO t VALUES (${round})`, 'COMMIT']) database.execTrusted(sql);
  }
  database.execTrusted('INSERT INTO u VALUES (1)');
  const pages = wal.readCommits();
  deepEqual([numbers(pages), pages?.pageCount], [[2, 3], 3]);
  // A page of a table holds the number of its rows in two bytes at 3.
  equal(Buffer.from(pages!.pages.get(2)!).readUInt16BE(3), 50);
  equal(wal.readCommits(), undefined);
});

test('WalReader leaves out what a transaction that is still open has written to the log', (t) => {
  const { commit, database, wal } = open(t);
  commit('CREATE TABLE t (a)');
  database.execTrusted('INSERT INTO t VALUES (1)');
  database.execTrusted('BEGIN');
  database.execTrusted(
    'INSERT INTO t SELECT zeroblob(3000) FROM (WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 2000) SELECT i FROM s)',
  );
  const before = wal.readCommits();
  deepEqual([numbers(before), before?.pageCount], [[2], 2]);
  database.execTrusted('COMMIT');
  const after = wal.readCommits()!;
  equal(after.pageCount, Math.max(...after.pages.keys()));
  equal(after.pageCount > 1000, true);
});

test('WalReader starts over when the log was folded into the database', (t) => {
  const { commit, database, wal } = open(t);
  commit('CREATE TABLE t (a)');
  database.execTrusted('PRAGMA wal_checkpoint(TRUNCATE)');
  wal.checkpointed();
  equal(wal.bytes, 0);
  deepEqual(numbers(commit('INSERT INTO t VALUES (1)')), [2]);
});

test('WalReader gives back, page by page, the very file SQLite makes of the log', (t) => {
  const { commit, database, path, wal } = open(t);
  const pages = new Map<number, Uint8Array>();
  let pageCount = 0;
  for (let round = 0; round < 40; round++) {
    const sql =
      round % 7 === 6
        ? 'DELETE FROM t WHERE a % 3 = 0'
        : `INSERT INTO t SELECT ${round}, randomblob(700) FROM t`;
    const committed = commit(
      round === 0 ? 'CREATE TABLE t (a, b)' : round % 5 === 1 ? 'INSERT INTO t VALUES (1, 2), (2, 3)' : sql,
    );
    for (const [number, page] of committed?.pages ?? []) pages.set(number, Buffer.from(page));
    pageCount = committed?.pageCount ?? pageCount;
    if (pageCount > 500) break;
  }
  database.execTrusted('PRAGMA wal_checkpoint(TRUNCATE)');
  wal.checkpointed();
  const file = readFileSync(path);
  equal(file.length, pageCount * pageBytes);
  for (const [number, page] of pages) {
    if (number > pageCount) continue;
    equal(
      Buffer.compare(page, file.subarray((number - 1) * pageBytes, number * pageBytes)),
      0,
      `page ${number}`,
    );
  }
});
