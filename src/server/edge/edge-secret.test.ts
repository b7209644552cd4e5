import { deepEqual, equal, throws } from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openEdgeSecret } from './edge-secret.ts';

test('openEdgeSecret creates a secret that only its owner can read, keeps it, and refuses a damaged one', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-secret-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'edge.secret');
  const secret = openEdgeSecret(file);
  equal(secret.length, 32);
  equal(statSync(file).mode & 0o777, 0o600);
  deepEqual(openEdgeSecret(file), secret);
  writeFileSync(file, 'short\n');
  throws(() => openEdgeSecret(file), /is damaged: delete it/);
});
