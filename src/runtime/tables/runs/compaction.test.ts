import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { realFileSystem } from '#files';
import { type RunWeight, chooseMerge, mergeRuns } from './compaction.ts';
import { runsTarget } from '../limits.ts';
import { Memtable } from '../memtable.ts';
import { makeEntryKey, makePrefixRange } from '../row.ts';
import { RunSet } from './run-set.ts';
import { bytes, ownerNumber, temporaryDirectory } from '../testing.ts';

const run = (bytes: number, deletionCount = 0): RunWeight => ({ bytes, rowCount: bytes, deletionCount });
const choose = (...bytes: number[]): unknown => chooseMerge(bytes.map((each) => run(each)));

test('chooseMerge leaves few runs, and runs of well graded sizes, alone', () => {
  assert.equal(choose(), undefined);
  assert.equal(choose(10), undefined);
  assert.equal(choose(10, 10, 10), undefined);
  assert.equal(choose(10, 20, 40, 80, 160), undefined);
});

test('chooseMerge takes four runs of similar size, and older ones that are no larger than all of them', () => {
  assert.deepEqual(choose(10, 10, 10, 10), { first: 0, end: 4 });
  assert.deepEqual(choose(10, 10, 10, 10, 100), { first: 0, end: 4 });
  assert.deepEqual(choose(10, 10, 10, 10, 40, 500), { first: 0, end: 5 });
  assert.deepEqual(choose(1, 10, 10, 10, 10, 500), { first: 1, end: 5 });
});

test('chooseMerge takes everything when a third of the rows are deletions', () => {
  assert.deepEqual(chooseMerge([run(50, 50), run(100)]), { first: 0, end: 2 });
  assert.equal(chooseMerge([run(49, 49), run(100)]), undefined);
});

test('chooseMerge keeps the number of runs bounded whatever their sizes, rewriting each byte a few times', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 1e6 }), { minLength: 300, maxLength: 300 }), (flushes) => {
      let runs: RunWeight[] = [];
      let written = 0;
      for (const bytes of flushes) {
        runs = [run(bytes), ...runs];
        for (let choice = chooseMerge(runs); choice !== undefined; choice = chooseMerge(runs)) {
          const { first, end } = choice;
          const merged = runs.slice(first, end).reduce((sum, each) => sum + each.bytes, 0);
          written += merged;
          runs = runs.toSpliced(first, end - first, run(merged));
        }
        assert.ok(runs.length <= runsTarget);
      }
      const total = flushes.reduce((sum, bytes) => sum + bytes, 0);
      assert.ok(written < 8 * total, `rewritten ${written / total} times`);
    }),
    { numRuns: 50 },
  );
});

test('mergeRuns keeps deletions and drops until the oldest run is part of the merge', async (t) => {
  const directory = temporaryDirectory(t);
  const set = RunSet.open({ fs: realFileSystem, directory, durable: false, cacheBytesMax: 0 });
  const [dropped, trimmed] = [ownerNumber(1), ownerNumber(2)];
  const write = async (fill: (memtable: Memtable) => void): Promise<void> => {
    const memtable = new Memtable(0);
    fill(memtable);
    const rows = memtable.openCursor(makePrefixRange(''), false);
    const by = await set.write({ rows, filterEntriesMax: 20, keepDeletions: true });
    await set.replace({ old: [], by, position: 1 });
  };
  await write((memtable) => {
    memtable.set(makeEntryKey(dropped, 'a'), bytes('1'));
    memtable.set(makeEntryKey(trimmed, 'a'), bytes('1'));
    memtable.set(makeEntryKey(trimmed, 'b'), bytes('1'));
  });
  await write((memtable) => memtable.set(makeEntryKey(dropped, 'b'), bytes('2')));
  await write((memtable) => {
    memtable.drop(dropped);
    memtable.set(makeEntryKey(trimmed, 'a'), null);
  });
  const { signal } = new AbortController();
  const counts = (): unknown => set.newestFirst.map(({ footer }) => [footer.rowCount, footer.deletionCount]);
  await mergeRuns(set, set.newestFirst.slice(0, 2), signal);
  assert.deepEqual(counts(), [
    [2, 2],
    [3, 0],
  ]);
  await mergeRuns(set, set.newestFirst, signal);
  assert.deepEqual(counts(), [[1, 0]]);
  await set.close();
});

test('mergeRuns stops when its signal aborts, and leaves nothing behind', async (t) => {
  const directory = temporaryDirectory(t);
  const set = RunSet.open({ fs: realFileSystem, directory, durable: false, cacheBytesMax: 0 });
  for (const owner of [ownerNumber(1), ownerNumber(2)]) {
    const memtable = new Memtable(0);
    for (let i = 0; i < 20_000; i++) memtable.set(makeEntryKey(owner, String(i)), bytes('1'));
    const rows = memtable.openCursor(makePrefixRange(''), false);
    const by = await set.write({ rows, filterEntriesMax: 40_000, keepDeletions: true });
    await set.replace({ old: [], by, position: 1 });
  }
  const names = readdirSync(directory);
  await assert.rejects(mergeRuns(set, set.newestFirst, AbortSignal.abort(new Error('enough'))), /enough/);
  assert.equal(set.newestFirst.length, 2);
  assert.deepEqual(readdirSync(directory), names);
  await set.close();
});
