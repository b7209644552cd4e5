import { deepEqual, equal } from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Position } from '#journal';
import type { Owner } from '../ledger/records.ts';
import { keptDatabasesMax } from '../limits.ts';
import { KeptDatabases } from './kept-databases.ts';

const at = (position: number): Position => position as Position;
const named = (owner: string): Owner => owner as Owner;

function temporary(t: TestContext): { write: (name: string) => string; files: () => string[] } {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-kept-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return {
    write(name) {
      const path = join(directory, name);
      writeFileSync(path, 'database');
      return path;
    },
    files: () => readdirSync(directory).sort(),
  };
}

test('KeptDatabases gives a file back once, to whoever wants the state that it holds', async (t) => {
  const { write, files } = temporary(t);
  const kept = new KeptDatabases();
  const path = write('a-1');
  kept.keep(named('a'), { path, position: at(5) }, Promise.resolve());
  await Promise.resolve();
  equal(kept.take(named('b'), at(5)), undefined);
  equal(kept.take(named('a'), at(5)), path);
  equal(kept.take(named('a'), at(5)), undefined);
  deepEqual(files(), ['a-1']);
});

test('KeptDatabases removes a file of another state, one that is not durable, and one with a log beside it', async (t) => {
  const { write, files } = temporary(t);
  const kept = new KeptDatabases();
  kept.keep(named('older'), { path: write('older'), position: at(5) }, Promise.resolve());
  kept.keep(named('lost'), { path: write('lost'), position: at(6) }, Promise.reject(new Error('disk')));
  kept.keep(named('pending'), { path: write('pending'), position: at(7) }, new Promise(() => {}));
  write('logged-wal');
  kept.keep(named('logged'), { path: write('logged'), position: at(8) }, Promise.resolve());
  await Promise.resolve();
  await Promise.resolve();
  for (const [owner, position] of [
    ['older', 9],
    ['lost', 6],
    ['pending', 7],
    ['logged', 8],
  ] as const)
    equal(kept.take(named(owner), at(position)), undefined);
  deepEqual(files(), []);
});

test('KeptDatabases lets the oldest go when there are too many, and all of them when it is cleared', async (t) => {
  const { write, files } = temporary(t);
  const kept = new KeptDatabases();
  for (let i = 0; i <= keptDatabasesMax; i++)
    kept.keep(named(`${i}`), { path: write(`${i}`), position: at(1) }, Promise.resolve());
  equal(files().includes('0'), false);
  equal(files().length, keptDatabasesMax);
  kept.clear();
  deepEqual(files(), []);
});
