/** The counters of a runtime for monitoring. */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { createRuntime, DurableObject, type Runtime, VirtualClock } from '#objects';
import { eventually } from '../eventually.ts';
import { HeldDisk } from './held-disk.ts';

class Note extends DurableObject {
  async set(text: string): Promise<void> {
    await this.ctx.storage.put('text', text);
  }
}

async function open(t: TestContext, options: object = {}): Promise<Runtime> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-stats-'));
  const classes = { Note: { class: Note }, Other: { class: Note } };
  const clock = new VirtualClock({ start: 1_000_000 });
  const runtime = await createRuntime({ directory, classes, clock, log: () => {}, ...options });
  t.after(async () => {
    await runtime.close();
    rmSync(directory, { recursive: true });
  });
  return runtime;
}

test('Runtime.stats counts writes, syncs and the objects that are awake', async (t) => {
  const runtime = await open(t);
  const before = runtime.stats();
  deepEqual(
    [...before.objectsAwake],
    [
      ['Note', 0],
      ['Other', 0],
    ],
  );
  const note = runtime.namespace<Note>('Note');
  for (const name of ['a', 'b']) await note.getByName(name).set(name);
  const { journal, journalBytes, failedWrites, objectsAwake, lastScrub } = runtime.stats();
  const syncs = journal.syncSeconds.counts.reduce((sum, count) => sum + count, 0);
  ok(syncs >= 2, `${syncs} syncs`);
  ok(journal.records >= 2 && journal.writtenBytes > 0);
  ok(journalBytes >= journal.writtenBytes);
  deepEqual(failedWrites, { journal: 0, tables: 0, snapshots: 0 });
  deepEqual(
    [...objectsAwake],
    [
      ['Note', 2],
      ['Other', 0],
    ],
  );
  equal(lastScrub, undefined);
});

test('Runtime.stats knows when the last scrub ended, and what it found', async (t) => {
  const runtime = await open(t);
  for await (const _ of runtime.scrub());
  deepEqual(runtime.stats().lastScrub, { finishedAtMs: 1_000_000, problems: 0 });
});

test('Runtime.stats counts the writes that the disk refused', async (t) => {
  const disk = new HeldDisk();
  const runtime = await open(t, { fs: disk });
  const note = runtime.namespace<Note>('Note').getByName('a');
  await note.set('before');
  disk.hold('syncs');
  const lost = note.set('lost');
  await eventually(() => disk.held > 0);
  disk.fail();
  await rejects(async () => await lost);
  equal(runtime.stats().failedWrites.journal, 1);
});
