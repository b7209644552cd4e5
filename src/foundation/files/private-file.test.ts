import { deepEqual, equal, rejects } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { replaceFile } from './private-file.ts';

function createFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-private-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

test('replaceFile replaces the file at once, for its owner alone, and resolves with the result', async (t) => {
  const folder = createFolder(t);
  const file = join(folder, 'list');
  writeFileSync(file, 'old');
  const seen = await replaceFile(file, async (handle) => {
    await handle.writeFile('new');
    return readFileSync(file, 'utf8');
  });
  equal(seen, 'old');
  equal(readFileSync(file, 'utf8'), 'new');
  equal(statSync(file).mode & 0o777, 0o600);
  deepEqual(readdirSync(folder), ['list']);
});

test('replaceFile leaves the file as it was if writing fails, and nothing beside it', async (t) => {
  const folder = createFolder(t);
  const file = join(folder, 'list');
  writeFileSync(file, 'old');
  const failure = new Error('the source ended');
  await rejects(
    replaceFile(file, async (handle) => {
      await handle.writeFile('half');
      throw failure;
    }),
    failure,
  );
  equal(readFileSync(file, 'utf8'), 'old');
  deepEqual(readdirSync(folder), ['list']);
});

test('replaceFile names a file that it cannot write', async (t) => {
  const file = join(createFolder(t), 'missing', 'list');
  await rejects(
    replaceFile(file, async () => {}),
    { code: 'FILE_WRITE_FAILED', path: file },
  );
});
