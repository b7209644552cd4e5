import { deepEqual, equal, ok, rejects, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { type Journal, JournalDamageError, type Position } from '#journal';
import { CrashReplay } from './crash-replay.ts';
import {
  alter,
  appendEach,
  directory,
  emptyDisk,
  numbersIn,
  openJournal,
  segmentHeaderBytes,
} from './journal-disk.ts';
import { SimulatedDisk } from './simulated-disk.ts';

interface Written {
  readonly disk: SimulatedDisk;
  readonly positions: readonly Position[];
  readonly segments: ReadonlyArray<{ readonly path: string; readonly start: number; readonly end: number }>;
}

/** Seven records in two segments, four in the first, closed cleanly or as after a crash. */
async function write({ clean }: { clean: boolean }): Promise<Written> {
  const disk = emptyDisk();
  const journal = await openJournal(disk);
  const positions = await appendEach(journal, 7);
  const segments = disk.readdirSync(directory).filter((name) => name.endsWith('.log'));
  const starts = segments.map((name) => Number.parseInt(name, 16));
  const end = journal.end;
  if (clean) await journal.close();
  return {
    disk,
    positions,
    segments: segments.map((name, index) => ({
      path: `${directory}/${name}`,
      start: starts[index]!,
      end: starts[index + 1] ?? end,
    })),
  };
}

/** A separate disk with one byte changed. */
function flipByte({ disk }: Written, path: string, offset: number, mask = 0x10): SimulatedDisk {
  const replay = new CrashReplay(disk);
  replay.playTo(disk.log.length);
  const copy = new SimulatedDisk(replay.kill());
  alter(copy, path, (bytes) => {
    bytes[offset]! ^= mask;
    return bytes;
  });
  return copy;
}

/** Opens and reads everything: the numbers of the records, or the damage. */
async function readAll(disk: SimulatedDisk): Promise<number[] | JournalDamageError> {
  let journal: Journal | undefined;
  try {
    journal = await openJournal(disk);
    return numbersIn(journal);
  } catch (error) {
    if (!(error instanceof JournalDamageError)) throw error;
    return error;
  } finally {
    await journal?.close();
    equal(disk.openFiles, 0, 'files are left open');
  }
}

/** The position of the record that a byte of a segment belongs to, and whether it is one of its padding bytes. */
function recordAround(
  { positions }: Written,
  segment: Written['segments'][number],
  offset: number,
): { number: number; position: number; padding: boolean } {
  const place = segment.start + offset - segmentHeaderBytes;
  const number = positions.findLastIndex((position) => position <= place);
  const position = positions[number]!;
  return { number, position, padding: place >= position + 32 + 900 };
}

const all = [0, 1, 2, 3, 4, 5, 6];

test('Journal reports each flipped byte of a cleanly closed log with its file and position, or reads it all', async () => {
  const written = await write({ clean: true });
  for (const segment of written.segments) {
    for (let offset = 0; offset < segmentHeaderBytes + segment.end - segment.start; offset++) {
      const found = await readAll(flipByte(written, segment.path, offset));
      const inHeader = offset < segmentHeaderBytes;
      const { position, padding } = recordAround(written, segment, offset);
      if (!inHeader && padding) {
        deepEqual(found, all, `padding at ${segment.path} byte ${offset}`);
        continue;
      }
      ok(found instanceof JournalDamageError, `${segment.path} byte ${offset} was not noticed`);
      const expected = inHeader ? segment.start : position;
      deepEqual(
        { file: found.file, offset: found.offset, position: found.position },
        {
          file: segment.path,
          offset: inHeader ? 0 : segmentHeaderBytes + expected - segment.start,
          position: expected,
        },
      );
    }
  }
});

test('Journal cuts a flipped last record of a log that was not closed, and nothing else', async () => {
  const written = await write({ clean: false });
  const segment = written.segments.at(-1)!;
  for (
    let offset = segmentHeaderBytes;
    offset < segmentHeaderBytes + segment.end - segment.start;
    offset += 3
  ) {
    const found = await readAll(flipByte(written, segment.path, offset));
    const { number, position, padding } = recordAround(written, segment, offset);
    if (padding) deepEqual(found, all);
    else if (number === 6) deepEqual(found, all.slice(0, -1));
    else equal((found as JournalDamageError).position, position);
  }
});

test('Journal clears bytes behind its end, and they stay away', async () => {
  const written = await write({ clean: false });
  const { path, start, end } = written.segments.at(-1)!;
  const offset = segmentHeaderBytes + end - start;
  const disk = flipByte(written, path, offset + 100);
  const journal = await openJournal(disk);
  equal(journal.cutBytes, 101);
  deepEqual(numbersIn(journal), all);
  equal(disk.readFile(path).subarray(offset).some(Boolean), false);
});

test('Journal reports a damaged record when it is read, and scrub finds one in each segment', async () => {
  const written = await write({ clean: true });
  const [first, second] = written.segments;
  const { disk, positions } = written;
  const journal = await openJournal(disk);
  for (const [{ path, start }, position] of [
    [first!, positions[1]!] as const,
    [second!, positions[5]!] as const,
  ]) {
    alter(disk, path, (bytes) => {
      bytes[segmentHeaderBytes + position - start + 40]! ^= 1;
      return bytes;
    });
    throws(() => journal.read(position), { name: 'JournalDamageError', position, file: path });
  }
  equal(journal.read(positions[0]!).position, positions[0]);
  deepEqual(await Array.fromAsync(journal.scrub(), ({ file, position }) => ({ file, position })), [
    { file: first!.path, position: positions[1] },
    { file: second!.path, position: positions[5] },
  ]);
});

test('Journal reports a segment that is cut anywhere, at the place where it now ends', async () => {
  const written = await write({ clean: true });
  for (const { path, start } of written.segments) {
    for (const length of [0, 31, 32, 39, 40, 48, 1000, 2000, 3000]) {
      const copy = flipByte(written, path, 0, 0);
      alter(copy, path, (bytes) => bytes.subarray(0, length));
      const found = await readAll(copy);
      ok(found instanceof JournalDamageError, `${path} cut at ${length} was not noticed`);
      deepEqual(
        { file: found.file, offset: found.offset, position: found.position },
        length < segmentHeaderBytes
          ? { file: path, offset: 0, position: start }
          : { file: path, offset: length, position: start + length - segmentHeaderBytes },
      );
    }
  }
});

test('Journal reports a missing segment, in the middle and at the end', async () => {
  for (const missing of [1, 2]) {
    const disk = emptyDisk();
    const journal = await openJournal(disk);
    await appendEach(journal, 12);
    await journal.close();
    const names = disk.readdirSync(directory).filter((name) => name.endsWith('.log'));
    disk.unlinkSync(`${directory}/${names[missing]}`);
    await rejects(openJournal(disk), {
      name: 'JournalDamageError',
      file: `${directory}/${names[missing - 1]}`,
      position: Number.parseInt(names[missing]!, 16),
    });
    equal(disk.openFiles, 0);
  }
});

test('Journal refuses a segment of a later version by saying so', async () => {
  const { disk, segments } = await write({ clean: true });
  alter(disk, segments[0]!.path, (bytes) => {
    bytes[8] = 3;
    return bytes;
  });
  await rejects(openJournal(disk), /a segment was written by a later version of Gatehouse/);
});
