import { deepEqual, equal, throws } from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DirectoryLock, DirectoryLockedError } from './directory-lock.ts';

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-lock-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('DirectoryLock keeps a second one out and says who holds it', (t) => {
  const directory = temporary(t);
  using held = DirectoryLock.acquire(directory);
  throws(
    () => DirectoryLock.acquire(directory),
    (error: unknown) =>
      error instanceof DirectoryLockedError &&
      error.message.includes(directory) &&
      error.message.includes(`process ${process.pid}`),
  );
  equal(held instanceof DirectoryLock, true);
});

test('DirectoryLock can be taken again once it was given up', (t) => {
  const directory = temporary(t);
  DirectoryLock.acquire(directory)[Symbol.dispose]();
  DirectoryLock.acquire(directory)[Symbol.dispose]();
});

test('DirectoryLock makes its file for the owner alone, and names it if it cannot', (t) => {
  const directory = temporary(t);
  using _held = DirectoryLock.acquire(directory);
  equal(statSync(join(directory, 'lock')).mode & 0o777, 0o600);
  const missing = join(directory, 'missing');
  throws(() => DirectoryLock.acquire(missing), { code: 'ENOENT', path: join(missing, 'lock') });
});

test('DirectoryLock writes nothing but who holds it, so that it can be had on a full disk', (t) => {
  const directory = temporary(t);
  using _held = DirectoryLock.acquire(directory);
  deepEqual(readdirSync(directory).toSorted(), ['lock', 'lock.holder']);
  equal(statSync(join(directory, 'lock')).size, 0);
});

test('DirectoryLock is taken though its file was written over, and keeps others out as before', (t) => {
  const directory = temporary(t);
  const path = join(directory, 'lock');
  writeFileSync(path, 'x'.repeat(10_000));
  using _held = DirectoryLock.acquire(directory);
  equal(statSync(path).size, 0);
  throws(() => DirectoryLock.acquire(directory), /another runtime owns it: process/);
});

test('DirectoryLock that is held stays held while its file is written over', (t) => {
  const directory = temporary(t);
  using _held = DirectoryLock.acquire(directory);
  const writing = `require('node:fs').writeFileSync(${JSON.stringify(join(directory, 'lock'))}, 'x'.repeat(10_000))`;
  execFileSync(process.execPath, ['-e', writing]);
  throws(() => DirectoryLock.acquire(directory), /another runtime owns it: process/);
});

test('DirectoryLock is taken even if nobody can be told who holds it', (t) => {
  const directory = temporary(t);
  mkdirSync(join(directory, 'lock.holder'));
  using _held = DirectoryLock.acquire(directory);
  throws(() => DirectoryLock.acquire(directory), /another runtime owns it: unknown process/);
});
