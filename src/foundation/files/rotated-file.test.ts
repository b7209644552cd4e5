import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { RotatedFile, type RotatedFileOptions } from './rotated-file.ts';

function createFile(
  t: TestContext,
  options: Partial<RotatedFileOptions> = {},
): { file: RotatedFile; directory: string; errors: unknown[] } {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-rotated-'));
  const errors: unknown[] = [];
  const file = new RotatedFile({
    path: join(directory, 'access.log'),
    bytesMax: 10,
    filesKept: 2,
    onError: (error) => errors.push(error),
    ...options,
  });
  t.after(async () => {
    await file.close();
    rmSync(directory, { recursive: true });
  });
  return { file, directory, errors };
}

function readFiles(directory: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
  );
}

test('RotatedFile keeps as many files as it was told to, each below the limit', async (t) => {
  const { file, directory } = createFile(t);
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n', 'five\n', 'six\n', 'seven\n']) {
    await file.write(Buffer.from(line));
  }
  deepEqual(readFiles(directory), {
    'access.log': 'six\nseven\n',
    'access.log.1': 'four\nfive\n',
    'access.log.2': 'three\n',
  });
  equal(statSync(join(directory, 'access.log')).mode & 0o777, 0o600);
});

test('RotatedFile counts what is already in the file, and writes a batch larger than the limit whole', async (t) => {
  const { file, directory } = createFile(t);
  writeFileSync(join(directory, 'access.log'), 'before\n');
  await file.write(Buffer.from('after a restart\n'));
  deepEqual(readFiles(directory), { 'access.log': 'after a restart\n', 'access.log.1': 'before\n' });
});

test('RotatedFile keeps no file if it was told so, and never rotates with a limit of zero', async (t) => {
  const none = createFile(t, { filesKept: 0 });
  for (const line of ['0123456\n', 'next\n']) await none.file.write(Buffer.from(line));
  deepEqual(readFiles(none.directory), { 'access.log': 'next\n' });
  const never = createFile(t, { bytesMax: 0 });
  for (const line of ['0123456\n', 'next\n']) await never.file.write(Buffer.from(line));
  deepEqual(readFiles(never.directory), { 'access.log': '0123456\nnext\n' });
});

test('RotatedFile.reopen continues in the file that has the name, after another program moved it away', async (t) => {
  const { file, directory } = createFile(t, { bytesMax: 0 });
  await file.write(Buffer.from('a\n'));
  renameSync(join(directory, 'access.log'), join(directory, 'moved.log'));
  await file.write(Buffer.from('b\n'));
  await file.reopen();
  await file.write(Buffer.from('c\n'));
  deepEqual(readFiles(directory), { 'access.log': 'c\n', 'moved.log': 'a\nb\n' });
});

test('RotatedFile continues in the same file if it cannot be renamed', async (t) => {
  const { file, directory, errors } = createFile(t, { filesKept: 1 });
  // A folder that is not empty cannot be replaced by a file.
  const { file: other } = createFile(t, { path: join(directory, 'access.log.1', 'inside') });
  await other.write(Buffer.from('x\n'));
  for (const line of ['0123456\n', 'next\n']) await file.write(Buffer.from(line));
  equal(readFileSync(join(directory, 'access.log'), 'utf8'), '0123456\nnext\n');
  equal(errors.length, 1);
});
