import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { ReadyFile, readReady } from './ready-file.ts';

function temporary(t: TestContext): { directory: string; file: string } {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-ready-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return { directory, file: join(directory, 'ready.json') };
}

const ready = {
  api: 'http://127.0.0.1:1/client/v4',
  email: 'a@b',
  token: 'secret',
  account_id: 'c',
  zones: [{ id: 'd', name: 'e', plan: 'pro' }],
};

test('ReadyFile is written completely, and only its owner can read it', (t) => {
  const { directory, file } = temporary(t);
  const readyFile = new ReadyFile(file);
  assert.deepEqual(readyFile.takeOver(), {});
  readyFile.write(ready);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), ready);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(directory), ['ready.json']);
});

test('ReadyFile is moved aside while a server starts, and is not lost if the start fails', (t) => {
  const { directory, file } = temporary(t);
  new ReadyFile(file).write(ready);
  assert.equal(new ReadyFile(file).takeOver().token, 'secret');
  assert.deepEqual(readdirSync(directory), ['ready.json.before']);
  // That start was killed. The next one finds its remains.
  const next = new ReadyFile(file);
  assert.equal(next.takeOver().token, 'secret');
  next.putBack();
  assert.deepEqual(readdirSync(directory), ['ready.json']);
  const last = new ReadyFile(file);
  last.takeOver();
  last.write({ ...ready, token: 'other' });
  assert.deepEqual(readdirSync(directory), ['ready.json']);
  assert.equal(readReady(file)!.token, 'other');
});

test('ReadyFile is newer than its start, also if nothing in it has changed', (t) => {
  const { directory, file } = temporary(t);
  new ReadyFile(file).write(ready);
  utimesSync(file, 1, 1);
  const next = new ReadyFile(file);
  next.takeOver();
  const other = join(directory, 'other');
  writeFileSync(other, '');
  next.write(ready);
  assert.ok(statSync(file).mtimeMs >= Math.floor(statSync(other).mtimeMs));
  assert.equal(readReady(file)!.token, 'secret');
});

test('readReady accepts only the fields that it knows', (t) => {
  const { file } = temporary(t);
  assert.equal(readReady(file), undefined);
  for (const [text, expected] of [
    ['no JSON', undefined],
    ['[]', undefined],
    ['null', undefined],
    [
      '{"token": 1, "key": "a\\nb", "email": "a@b", "other": "x", "__proto__": {"api": "y"}}',
      { email: 'a@b' },
    ],
  ] as const) {
    writeFileSync(file, text);
    assert.deepEqual(readReady(file), expected, text);
  }
});

test('ReadyFile refuses a path that cannot be written', () => {
  assert.throws(
    () => new ReadyFile('/nope/ready.json'),
    /cannot be written to \/nope: choose another path with --ready-file/,
  );
});
