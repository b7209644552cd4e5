import { deepEqual, equal, match, notDeepEqual } from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEdgeSecret } from './edge-secret.ts';

test('openEdgeSecret creates a secret that only its owner can read, and keeps it when its file is lost or damaged', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-secret-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'edge.secret');
  const said: string[] = [];
  const open = (): Uint8Array => openEdgeSecret(file, (message) => void said.push(message));
  const secret = open();
  equal(secret.length, 32);
  for (const each of [file, `${file}.copy`]) equal(statSync(each).mode & 0o777, 0o600);
  deepEqual(open(), secret);
  deepEqual(said, []);

  const content = readFileSync(file);
  writeFileSync(file, 'short\n');
  deepEqual(open(), secret);
  deepEqual(readFileSync(file), content);
  rmSync(file);
  deepEqual(open(), secret);
  writeFileSync(`${file}.copy`, readFileSync(`${file}.copy`).subarray(0, 20));
  deepEqual(open(), secret);
  equal(said.length, 3);
  for (const each of said) match(each, /written again$/);

  for (const each of [file, `${file}.copy`]) writeFileSync(each, 'short\n');
  notDeepEqual(open(), secret);
  match(said.at(-1)!, /set aside, and a new one was created; visitors solve their challenges again$/);
  equal(readdirSync(directory).filter((name) => name.includes('.damaged-')).length, 2);
});
