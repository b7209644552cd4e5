/**
 * Values that contain the bytes of journal records. The author of a value knows its bytes and can guess their position
 * in the log, but cannot know the salt of the segment.
 */
import { deepEqual, equal, notDeepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { crc32 } from 'node:zlib';
import { type Journal, type Position, formatPosition } from '#journal';
import {
  alter,
  appendEach,
  directory,
  emptyDisk,
  createNumbered,
  numbersIn,
  openJournal,
  segmentHeaderBytes,
} from './journal-disk.ts';
import type { SimulatedDisk } from './simulated-disk.ts';

const recordHeaderBytes = 32;
const noSalt = Buffer.alloc(8);

/** The bytes of a whole record for a position, which claims that everything before it was on disk. */
function forge(position: number, salt: Uint8Array): Buffer {
  const record = Buffer.alloc(recordHeaderBytes + 8);
  record.writeUInt32LE(record.length);
  record.writeBigUInt64LE(BigInt(position), 8);
  for (let at = 0; at < 8; at++) record[8 + at]! ^= salt[at]!;
  record.writeBigUInt64LE(BigInt(position), 16);
  record.writeUInt32LE(crc32(record.subarray(8)), 4);
  return record;
}

/** Appends a value that starts with such a record for its own position. */
async function appendForged(journal: Journal, salt: Uint8Array): Promise<Position> {
  const prefix = createNumbered(99, 8);
  const forged = forge(journal.end + recordHeaderBytes + prefix.length, salt);
  const { position, durable } = journal.append([prefix, forged, Buffer.alloc(64, 1)]);
  await durable;
  return position;
}

function pathOf(start: number): string {
  return `${directory}/${formatPosition(start as Position)}.log`;
}

function saltOf(disk: SimulatedDisk, start: number): Buffer {
  return disk.readFile(pathOf(start)).subarray(32, 40);
}

/** The state after a crash in which the end of a write reaches the disk and its first bytes do not. */
function tearHeader(disk: SimulatedDisk, start: number, position: Position): void {
  const offset = segmentHeaderBytes + position - start;
  alter(disk, pathOf(start), (bytes) => bytes.fill(0, offset, offset + recordHeaderBytes + 8));
}

test('Journal opens after a torn write of a value that contains a record for its own position', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk);
  await appendEach(journal, 2);
  const position = await appendForged(journal, noSalt);
  tearHeader(disk, 8, position);
  const again = await openJournal(disk);
  deepEqual(numbersIn(again), [0, 1]);
  equal(again.end, position);
  equal(again.cutBytes > 0, true);
  await again.append([createNumbered(2, 40)]).durable;
  deepEqual(numbersIn(await openJournal(disk)), [0, 1, 2]);
});

test('Journal gives each segment its own salt, so that a captured salt cannot forge records in the next', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk);
  await appendEach(journal, 4);
  const captured = saltOf(disk, 8);
  const [position] = await appendEach(journal, 1);
  notDeepEqual(saltOf(disk, position!), captured);
  notDeepEqual(captured, noSalt);
  const forged = await appendForged(journal, captured);
  tearHeader(disk, position!, forged);
  const again = await openJournal(disk);
  deepEqual(numbersIn(again), [0, 1, 2, 3, 0]);
});

test('Journal takes a record with the salt of its segment for one: the salt is what keeps a value from being it', async () => {
  const disk = emptyDisk();
  const journal = await openJournal(disk);
  await appendEach(journal, 2);
  const position = await appendForged(journal, saltOf(disk, 8));
  tearHeader(disk, 8, position);
  await rejects(openJournal(disk), { name: 'JournalDamageError', position });
});
