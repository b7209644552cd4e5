import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realFileSystem as fs } from './file-system.ts';

function temporaryDirectory(t: { after(callback: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-file-system-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

test('OpenFile writes and reads at positions, a read is short only at the end', async (t) => {
  const file = fs.openSync(join(temporaryDirectory(t), 'a'), 'create');
  file.writeSync(Buffer.from('world'), 6);
  await file.write(Buffer.from('hello '), 0);
  await file.fdatasync();
  file.fsyncSync();
  const target = Buffer.alloc(20);
  assert.equal(await file.read(target, 2), 9);
  assert.equal(target.toString('latin1', 0, 9), 'llo world');
  assert.equal(file.readSync(target.subarray(0, 3), 6), 3);
  assert.equal(target.toString('latin1', 0, 3), 'wor');
  assert.equal(await file.read(target, 11), 0);
  await file.write(new Uint8Array(0), 0);
  file.truncateSync(4);
  assert.equal(file.sizeSync(), 4);
  file.closeSync();
});

test('FileSystem opens by mode: create requires a new name, read and edit an existing one', async (t) => {
  const path = join(temporaryDirectory(t), 'a');
  assert.throws(() => fs.openSync(path, 'read'), { code: 'ENOENT' });
  await assert.rejects(fs.open(path, 'edit'), { code: 'ENOENT' });
  (await fs.open(path, 'create')).closeSync();
  await assert.rejects(fs.open(path, 'create'), { code: 'EEXIST' });
  const file = fs.openSync(path, 'read');
  assert.throws(() => file.writeSync(new Uint8Array(1), 0), { code: 'EBADF' });
  await assert.rejects(file.write(new Uint8Array(1), 0), { code: 'EBADF' });
  file.closeSync();
});

test('FileSystem makes, lists, renames, unlinks and syncs names', async (t) => {
  const directory = join(temporaryDirectory(t), 'd');
  assert.equal(fs.mkdirSync(directory), true);
  assert.equal(fs.mkdirSync(directory), false);
  assert.throws(() => fs.mkdirSync(join(directory, 'no', 'parent')), { code: 'ENOENT' });
  for (const name of ['b', 'a', 'c']) fs.openSync(join(directory, name), 'create').closeSync();
  assert.deepEqual(fs.readdirSync(directory), ['a', 'b', 'c']);
  fs.renameSync(join(directory, 'a'), join(directory, 'd'));
  await fs.rename(join(directory, 'b'), join(directory, 'd'));
  fs.unlinkSync(join(directory, 'c'));
  assert.deepEqual(fs.readdirSync(directory), ['d']);
  await fs.unlink(join(directory, 'd'));
  await fs.fsyncDirectory(directory);
  fs.fsyncDirectorySync(directory);
  assert.deepEqual(fs.readdirSync(directory), []);
});

test('OpenFile names the file that cannot be written, read or synced', async (t) => {
  const path = join(temporaryDirectory(t), 'a');
  fs.openSync(path, 'create').closeSync();
  const file = fs.openSync(path, 'read');
  const refused = { code: 'EBADF', path, message: `EBADF: bad file descriptor, write '${path}'` };
  assert.throws(() => file.writeSync(Buffer.from('x'), 0), refused);
  await assert.rejects(file.write(Buffer.from('x'), 0), refused);
  assert.throws(() => file.truncateSync(0), { path, message: new RegExp(`'${path}'$`) });
  file.closeSync();
  assert.throws(() => file.fsyncSync(), { path });
  await assert.rejects(file.fdatasync(), { path });
  assert.throws(() => file.readSync(Buffer.alloc(1), 0), { path });
  await assert.rejects(file.read(Buffer.alloc(1), 0), { path });
});
