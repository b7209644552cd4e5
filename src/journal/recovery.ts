/**
 * Finds where the log ends after a start: walks the newest segment record by record. What follows the
 * last whole record is either a tail that a crash left incomplete, which is cut, or damage, which is
 * reported: see `record.ts` for how the two are told apart. What is found is synced before anybody builds on
 * it: a process that was killed may have left whole records that never reached the disk.
 */
import type { OpenFile } from '#base';
import { JournalDamageError } from './errors.ts';
import type { Position } from './position.ts';
import { type JournalRecord, readRecord, recordAlignment } from './record.ts';
import { checkHeader, segmentHeaderBytes } from './segment.ts';

export interface RecoveredEnd {
  readonly end: Position;
  /** When the last record was written; zero if there is none. */
  readonly time: number;
  /** Bytes behind the end that were not zeros: the rest of writes nobody was told about. */
  readonly cutBytes: number;
}

/** The end of the log in its newest segment. Clears what a crash left behind it. */
export function recoverEnd(file: OpenFile, start: Position): RecoveredEnd {
  const { fileBytes } = checkHeader(file, start);
  const bytes = Buffer.alloc(file.sizeSync());
  // A crash never shortens a segment: its length was on disk before its name was. The next segment does, though.
  if (bytes.length < fileBytes) {
    throw new JournalDamageError('the newest segment is cut short, or the one behind it is missing', {
      file: file.path,
      offset: bytes.length,
      position: (start + bytes.length - segmentHeaderBytes) as Position,
    });
  }
  file.readSync(bytes, 0);
  let end = start;
  let time = 0;
  for (let record = recordAt(bytes, start, end); record !== undefined; record = recordAt(bytes, start, end)) {
    end = record.end;
    time = record.time;
  }
  const offset = offsetOf(start, end);
  const restEnd = trimZeros(bytes, offset);
  const witness = findWitness(bytes, { start, broken: end, restEnd });
  if (witness !== undefined) {
    throw new JournalDamageError(
      `a record is broken, and the one at position ${witness.position} proves it was whole before`,
      { file: file.path, offset, position: end },
    );
  }
  const cutBytes = restEnd - offset;
  // Left in place, these bytes might one day line up behind new records and pass for one of them.
  if (cutBytes > 0) file.writeSync(Buffer.alloc(cutBytes), offset);
  file.fsyncSync();
  return { end, time, cutBytes };
}

/**
 * Takes back records that did not become durable, so that they are not found whole after a restart: without the
 * first one's length the log ends before it. A disk that refuses this, too, leaves them in doubt until the log
 * goes on in another file.
 */
export async function strikeOut(file: OpenFile, offset: number): Promise<void> {
  try {
    file.writeSync(Buffer.alloc(recordAlignment), offset);
    await file.fdatasync();
  } catch {
    // The failure that led here is the one to tell.
  }
}

/** The records of a segment between two positions; everything must be whole. */
export function* recordsOf(
  file: OpenFile,
  range: { start: Position; from: Position; to: Position },
): Generator<JournalRecord> {
  const bytes = Buffer.alloc(range.to - range.from);
  const offset = offsetOf(range.start, range.from);
  const got = file.readSync(bytes, offset);
  for (let position = range.from; position < range.to;) {
    const at = position - range.from;
    const record = readRecord(bytes.subarray(0, got), at, position);
    if (record === undefined || record.end > range.to) {
      throw new JournalDamageError('a record is broken', { file: file.path, offset: offset + at, position });
    }
    yield record;
    position = record.end;
  }
}

function recordAt(bytes: Buffer, start: Position, position: Position): JournalRecord | undefined {
  return readRecord(bytes, offsetOf(start, position), position);
}

/** A whole record behind the broken one at `broken` that was written after `broken` had been on disk. */
function findWitness(
  bytes: Buffer,
  { start, broken, restEnd }: { start: Position; broken: Position; restEnd: number },
): JournalRecord | undefined {
  // Only its first byte has to lie before the zeros: a record may end in zeros itself.
  const last = start + restEnd - 1 - segmentHeaderBytes;
  for (let position = broken + recordAlignment; position <= last; position += recordAlignment) {
    const record = recordAt(bytes, start, position as Position);
    if (record !== undefined && record.settled > broken) return record;
  }
  return undefined;
}

/** The offset behind the last byte that is not zero, at least `from`. */
function trimZeros(bytes: Buffer, from: number): number {
  let end = bytes.length;
  while (end - zeros.length >= from && bytes.compare(zeros, 0, zeros.length, end - zeros.length, end) === 0) {
    end -= zeros.length;
  }
  while (end > from && bytes[end - 1] === 0) end--;
  return end;
}

const zeros = Buffer.alloc(64 * 1024);

export function offsetOf(start: Position, position: Position): number {
  return segmentHeaderBytes + position - start;
}
