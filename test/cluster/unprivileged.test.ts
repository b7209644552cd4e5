import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { equal, match, notEqual, throws } from 'node:assert/strict';
import { findPostgres } from './postgres-server.ts';
import { createUnprivilegedDirectory, makeReadable, unprivileged } from './unprivileged.ts';

/** An ordinary user runs programs under their own name, and nothing is copied. */
const isRoot = unprivileged.uid !== undefined;

test('makeReadable lets PostgreSQL run from a private folder', async (t) => {
  const created = createPrivateFolder(t);
  const folder = join(created, 'native');
  const installed = await findPostgres();
  for (const name of ['bin', 'lib'])
    cpSync(join(installed, name), join(folder, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a') && !path.endsWith('/postgresql'),
    });
  const readable = makeReadable(folder, basename(created));
  if (isRoot) t.after(() => rmSync(readable, { recursive: true }));
  const directory = createUnprivilegedDirectory('gatehouse-unprivileged-');
  t.after(() => rmSync(directory, { recursive: true }));
  const { error, stdout } = spawnSync(join(readable, 'bin', 'initdb'), ['--version'], {
    cwd: directory,
    encoding: 'utf8',
    ...unprivileged,
  });
  equal(error, undefined);
  match(stdout, /^initdb \(PostgreSQL\) /);
});

test('makeReadable makes one copy, again when files of it are gone, and runs no file of another user', (t) => {
  const folder = createPrivateFolder(t);
  mkdirSync(join(folder, 'bin'), { mode: 0o700 });
  writeFileSync(join(folder, 'bin', 'run'), '#!/bin/sh\necho ran\n', { mode: 0o700 });
  const run = (path: string): string =>
    spawnSync(join(path, 'bin', 'run'), { encoding: 'utf8', ...unprivileged }).stdout;
  const name = basename(folder);
  const readable = makeReadable(folder, name);
  if (!isRoot) {
    equal(readable, folder);
    equal(run(readable), 'ran\n');
    return;
  }
  t.after(() => rmSync(readable, { recursive: true }));
  notEqual(readable, folder);
  equal(run(readable), 'ran\n');
  equal(makeReadable(folder, name), readable);
  equal(makeReadable(readable, name), readable);

  rmSync(join(readable, 'bin'), { recursive: true });
  equal(makeReadable(folder, name), readable);
  equal(run(readable), 'ran\n');

  chownSync(readable, unprivileged.uid!, unprivileged.gid!);
  throws(() => makeReadable(folder, name), { message: /can be changed by other users.*remove it/ });
  chownSync(readable, 0, 0);
  chmodSync(readable, 0o777);
  throws(() => makeReadable(folder, name), { message: /can be changed by other users.*remove it/ });
});

function createPrivateFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-private-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}
