import { deepEqual } from 'node:assert/strict';
import fs, { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readLastScrub, writeLastScrub } from './last-scrub.ts';

test('writeLastScrub has the result on disk before it takes the place of the old one', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-last-scrub-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const calls: string[] = [];
  for (const name of ['fsyncSync', 'renameSync'] as const) {
    const original = fs[name] as (...args: unknown[]) => void;
    t.mock.method(fs, name, (...args: unknown[]) => {
      calls.push(name);
      original(...args);
    });
  }
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  for (const problems of [0, 2]) {
    calls.length = 0;
    writeLastScrub(directory, { finishedAtMs: 1_000, problems });
    // The last call syncs the name in the directory.
    deepEqual(calls, ['fsyncSync', 'renameSync', 'fsyncSync']);
    deepEqual(readLastScrub(directory), { finishedAtMs: 1_000, problems });
  }
  deepEqual(readdirSync(directory), ['last-scrub.json']);
});
