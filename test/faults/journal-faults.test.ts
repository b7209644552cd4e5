import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { type Appended, JournalWriteError } from '#journal';
import { FaultyFileSystem } from './faulty-file-system.ts';
import {
  appendEach,
  emptyDisk,
  createNumbered,
  numbersIn,
  openJournal,
  segmentBytes,
} from './journal-disk.ts';

async function faultyJournal() {
  const disk = emptyDisk();
  const fs = new FaultyFileSystem(disk);
  return { disk, fs, journal: await openJournal(fs) };
}

/** Appends without waiting. */
function appendAll(journal: Awaited<ReturnType<typeof openJournal>>, numbers: readonly number[]): Appended[] {
  return numbers.map((number) => journal.append([createNumbered(number, 40)]));
}

test('Journal makes many records appended at the same time durable with one sync', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk, { segmentBytes: 1024 * 1024 });
  const before = disk.syncs;
  const numbers = Array.from({ length: 1_000 }, (_, number) => number);
  await Promise.all(appendAll(journal, numbers).map(({ durable }) => durable));
  equal(disk.syncs - before, 1);
  // While that sync runs, others append: they share the next one.
  const first = journal.append([createNumbered(0, 40)]);
  await Promise.resolve();
  await Promise.all([first, ...appendAll(journal, numbers)].map(({ durable }) => durable));
  equal(disk.syncs - before, 3);
});

test('Journal of durability os never syncs for a record, and syncs a segment before it starts the next', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk, { durability: 'os' });
  const before = disk.syncs;
  await appendEach(journal, 4);
  equal(disk.syncs, before);
  const last = disk.log.at(-1)!;
  ok(last.kind === 'write');
  await appendEach(journal, 1);
  const started = disk.log.findLastIndex((event) => event.kind === 'rename');
  ok(
    disk.log
      .slice(disk.log.indexOf(last), started)
      .some((event) => event.kind === 'sync' && event.file === last.file),
  );
});

test('Journal rejects all records that are not durable when a sync fails, and never returns them', async () => {
  const { disk, fs, journal } = await faultyJournal();
  await appendEach(journal, 2);
  fs.fail('sync', { code: 'EIO' });
  const [first] = appendAll(journal, [10, 11]);
  await Promise.resolve();
  const queued = appendAll(journal, [12, 13]);
  const flushed = journal.flush();
  for (const { durable } of [first!, ...queued]) {
    await rejects(durable, (error) => error instanceof JournalWriteError && /EIO/.test(error.message));
  }
  await rejects(flushed, JournalWriteError);
  deepEqual(numbersIn(journal), [0, 1]);
  equal(journal.end, journal.durableEnd);
  // A crash now, before anything else is written.
  deepEqual(numbersIn(await openJournal(disk)), [0, 1]);

  const [next] = appendAll(journal, [20]);
  equal(next!.position, first!.position);
  await next!.durable;
  deepEqual(numbersIn(journal), [0, 1, 20]);
  await journal.close();
  const again = await openJournal(disk);
  deepEqual(numbersIn(again), [0, 1, 20]);
  deepEqual(await Array.fromAsync(again.scrub()), []);
});

test('Journal rejects only what is not durable when the second of two batches fails', async () => {
  const { disk, fs, journal } = await faultyJournal();
  const numbers = [0, 1, 2, 3, 4, 5, 6];
  const settled: number[] = [];
  const appended = numbers.map((number) =>
    journal.append([createNumbered(number, 900)], () => settled.push(number)),
  );
  // They do not fit one segment: the roll between the two batches fails.
  fs.fail('rename', { code: 'EIO' });
  const outcomes = await Promise.allSettled(appended.map(({ durable }) => durable));
  const durable = numbers.filter((number) => outcomes[number]!.status === 'fulfilled');
  deepEqual(durable, [0, 1, 2, 3]);
  deepEqual(settled, durable);
  deepEqual(numbersIn(journal), durable);
  await journal.close();
  deepEqual(numbersIn(await openJournal(disk)), durable);
});

test('Journal on a full disk fails to append, still reads, and recovers when space returns', async () => {
  const { disk, fs, journal } = await faultyJournal();
  await appendEach(journal, 8);
  fs.freeBytes = 100;
  // One segment was preallocated; then there is no space for another.
  await appendEach(journal, 4);
  for (let tries = 0; tries < 3; tries++) await rejects(appendEach(journal, 1), /ENOSPC/);
  equal(fs.freeBytes >= 100, true, 'a file that did not fit keeps the space');
  const twelve = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3];
  deepEqual(numbersIn(journal), twelve);
  deepEqual(numbersIn(await openJournal(disk)), twelve);
  fs.freeBytes = 2 * segmentBytes;
  await appendEach(journal, 2);
  deepEqual(numbersIn(journal), [...twelve, 0, 1]);
  await journal.close();
  deepEqual(numbersIn(await openJournal(disk)), [...twelve, 0, 1]);
});

test('Journal survives the failure of every single operation of a roll', async () => {
  for (const operation of ['open', 'write', 'sync', 'rename', 'syncDirectory', 'truncate'] as const) {
    for (let nth = 0; nth < 3; nth++) {
      const { disk, fs, journal } = await faultyJournal();
      await appendEach(journal, 4);
      fs.fail(operation, { code: 'EIO', after: nth });
      let failed = 0;
      for (let number = 0; number < 6; number++) {
        await appendEach(journal, 1).catch(() => failed++);
      }
      if (nth === 0) equal(fs.failures, 1, `${operation} was not reached`);
      const numbers = numbersIn(journal);
      equal(numbers.length, 10 - failed, `${operation} ${nth}`);
      await journal.close();
      const again = await openJournal(disk);
      deepEqual(numbersIn(again), numbers, `${operation} ${nth}`);
      await again.close();
      equal(disk.openFiles, 0, `${operation} ${nth}: files are left open`);
    }
  }
});

test('Journal closes cleanly even if its mark cannot be written', async () => {
  const { disk, fs, journal } = await faultyJournal();
  await appendEach(journal, 2);
  fs.fail('sync', { code: 'EIO', times: 2 });
  await journal.close();
  equal(disk.openFiles, 0);
  deepEqual(numbersIn(await openJournal(disk)), [0, 1]);
});

test('Journal.dropBefore keeps the order of segments when a removal fails', async () => {
  const { disk, fs, journal } = await faultyJournal();
  const positions = await appendEach(journal, 12);
  fs.fail('unlink', { code: 'EACCES' });
  await rejects(journal.dropBefore(positions[8]!), { code: 'EACCES' });
  equal(journal.start, positions[0]);
  await journal.dropBefore(positions[8]!);
  equal(journal.start, positions[8]);
  await journal.close();
  equal((await openJournal(disk)).start, positions[8]);
});

test('Journal keeps few files open, however many segments it writes and reads', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk);
  const positions = await appendEach(journal, 4 * 40);
  ok(disk.openFiles <= 2, `${disk.openFiles} files are open`);
  for (const position of positions) journal.read(position);
  ok(disk.openFiles <= 18, `${disk.openFiles} files are open`);
  await journal.close();
  equal(disk.openFiles, 0);
});

test('Journal remembers the time of its last record when its newest segment is empty', async () => {
  const disk = emptyDisk();
  const fs = new FaultyFileSystem(disk);
  const start = Date.UTC(2030, 0, 1);
  const journal = await openJournal(fs, { clock: new VirtualClock({ start }) });
  await appendEach(journal, 4);
  // The next segment is started, but its first record is not written.
  fs.fail('sync', { code: 'EIO', path: '.log' });
  await rejects(appendEach(journal, 1), JournalWriteError);
  const again = await openJournal(disk, { clock: new VirtualClock({ start: 0 }) });
  equal(again.segmentsBefore(again.end).length, 1);
  equal(again.append([createNumbered(4, 40)]).time, start);
});
