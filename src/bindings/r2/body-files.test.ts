import { deepEqual } from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BodyFiles } from './body-files.ts';

test('BodyFiles.collect deletes the files that are not recorded, when a process uses a directory first', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-bodies-'));
  t.after(() => rmSync(root, { recursive: true }));
  const directory = join(root, 'bucket');
  mkdirSync(directory);
  for (const file of ['kept', 'left']) writeFileSync(join(directory, file), file);
  const files = new BodyFiles(directory);
  files.collect((file) => file === 'kept');
  deepEqual(readdirSync(directory), ['kept']);
  writeFileSync(join(directory, 'being-written'), '');
  // A later life of the bucket's object finds files that another one is writing.
  new BodyFiles(directory).collect((file) => file === 'kept');
  deepEqual(readdirSync(directory), ['being-written', 'kept']);
});
