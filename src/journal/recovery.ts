/**
 * Finds where the log ends after a start: walks the newest segment record by record. What follows the
 * last whole record is either a tail that a crash left incomplete, which is cut, or damage, which is
 * reported: see `record.ts` for how the two are told apart.
 */
import type { OpenFile } from '#base';
import { JournalDamageError } from './errors.ts';
import type { Position } from './position.ts';
import { type JournalRecord, readRecord, recordAlignment, recordHeaderBytes } from './record.ts';
import { segmentHeaderBytes } from './segment.ts';

export interface RecoveredEnd {
  readonly end: Position;
  /** Bytes behind the end that were not zeros: the rest of writes nobody was told about. */
  readonly cutBytes: number;
}

/** The end of the log in its newest segment. Clears what a crash left behind it. */
export function recoverEnd(file: OpenFile, start: Position): RecoveredEnd {
  const bytes = Buffer.alloc(file.sizeSync());
  file.readSync(bytes, 0);
  let end = start;
  for (let record = recordAt(bytes, start, end); record !== undefined; record = recordAt(bytes, start, end)) {
    end = record.end;
  }
  const offset = offsetOf(start, end);
  const rest = bytes.subarray(0, trimZeros(bytes, offset));
  const witness = findWitness(rest, start, end);
  if (witness !== undefined) {
    throw new JournalDamageError(
      `a record is broken, and the one at position ${witness.position} proves it was whole before`,
      { file: file.path, offset, position: end },
    );
  }
  const cutBytes = rest.length - offset;
  if (cutBytes > 0) {
    // Left in place, these bytes might one day line up behind new records and pass for one of them.
    file.writeSync(Buffer.alloc(cutBytes), offset);
    file.fsyncSync();
  }
  return { end, cutBytes };
}

/** The records of a segment between two positions; everything must be whole. */
export function* recordsOf(
  file: OpenFile,
  range: { start: Position; from: Position; to: Position },
): Generator<JournalRecord> {
  const bytes = Buffer.alloc(range.to - range.from);
  const offset = offsetOf(range.start, range.from);
  const got = file.readSync(bytes, offset);
  for (let position = range.from; position < range.to; ) {
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
function findWitness(bytes: Buffer, start: Position, broken: Position): JournalRecord | undefined {
  const last = bytes.length - recordHeaderBytes - segmentHeaderBytes + start;
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
