import { deepEqual, equal, throws } from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { NotADatabaseError, copyDatabase } from './copy-database.ts';
import { pageBytes } from '../database.ts';

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-copy-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('copyDatabase makes a file for its owner only, whatever the umask is', (t) => {
  const directory = temporary(t);
  const [from, to] = [join(directory, 'from.sqlite'), join(directory, 'to.sqlite')];
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  using source = new DatabaseSync(from);
  source.exec('CREATE TABLE t (a)');
  copyDatabase(from, to);
  equal(statSync(to).mode & 0o777, 0o600);
});

test('copyDatabase makes one file with our page size, whatever the source looked like', (t) => {
  const directory = temporary(t);
  const [from, to] = [join(directory, 'from.sqlite'), join(directory, 'to.sqlite')];
  const source = new DatabaseSync(from);
  source.exec(
    'PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; CREATE TABLE t (a); INSERT INTO t VALUES (7)',
  );
  copyDatabase(from, to);
  source.close();
  equal(readFileSync(to).readUInt16BE(16), pageBytes);
  equal(existsSync(`${to}-wal`), false);
  const copy = new DatabaseSync(to, { readOnly: true });
  deepEqual({ ...copy.prepare('SELECT a FROM t').get() }, { a: 7 });
  copy.close();
});

test('copyDatabase refuses what is not a whole database', (t) => {
  const directory = temporary(t);
  const from = join(directory, 'from.sqlite');
  writeFileSync(from, 'this is no database, however long it may be. '.repeat(100));
  throws(() => copyDatabase(from, join(directory, 'to.sqlite')), NotADatabaseError);
  const database = new DatabaseSync(join(directory, 'good.sqlite'));
  database.exec('CREATE TABLE t (a); INSERT INTO t SELECT randomblob(3000) FROM (VALUES (1), (2), (3), (4))');
  database.close();
  const bytes = readFileSync(join(directory, 'good.sqlite'));
  bytes.fill(0xff, pageBytes, pageBytes + 64);
  writeFileSync(from, bytes);
  throws(() => copyDatabase(from, join(directory, 'to.sqlite')), NotADatabaseError);
});

test('copyDatabase refuses text that is not UTF-8, which would garble the keys of an object', (t) => {
  const from = join(temporary(t), 'from.sqlite');
  const source = new DatabaseSync(from);
  source.exec("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t (a)");
  source.close();
  throws(() => copyDatabase(from, `${from}.copy`), /its text is UTF-16le, only UTF-8 can be taken/);
});
