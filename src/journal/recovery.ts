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
import { type SegmentHeader, type SegmentLayout, offsetOf, positionAt } from './segment.ts';
import { SegmentContent } from './segment-content.ts';

export interface RecoveredEnd {
  readonly end: Position;
  /** When the last record was written; zero if there is none. */
  readonly time: number;
  /** Bytes behind the end that were not zeros: the rest of writes nobody was told about. */
  readonly cutBytes: number;
}

/** The end of the log in its newest segment. Clears what a crash left behind it. */
export function recoverEnd(file: OpenFile, header: SegmentHeader): RecoveredEnd {
  const size = file.sizeSync();
  // A crash never shortens a segment: its length was on disk before its name was. The next segment does, though.
  if (size < header.fileBytes) {
    throw new JournalDamageError('the newest segment is cut short, or the one behind it is missing', {
      file: file.path,
      offset: size,
      position: positionAt(header, size),
    });
  }
  const content = new SegmentContent(file, header);
  let end = header.start;
  let time = 0;
  for (let record = content.recordAt(end); record !== undefined; record = content.recordAt(end)) {
    end = record.end;
    time = record.time;
  }
  const offset = offsetOf(header, end);
  const witness = findWitness(content, header, end);
  if (witness !== undefined) {
    throw new JournalDamageError(
      `a record is broken, and the one at position ${witness.position} proves it was whole before`,
      { file: file.path, offset, position: end },
    );
  }
  const cutBytes = Math.max(0, content.end - offset);
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
  layout: SegmentLayout,
  range: { from: Position; to: Position },
): Generator<JournalRecord> {
  const bytes = Buffer.alloc(range.to - range.from);
  const offset = offsetOf(layout, range.from);
  const got = file.readSync(bytes, offset);
  for (let position = range.from; position < range.to;) {
    const at = position - range.from;
    const record = readRecord(bytes.subarray(0, got), at, { position, salt: layout.salt });
    if (record === undefined || record.end > range.to) {
      throw new JournalDamageError('a record is broken', { file: file.path, offset: offset + at, position });
    }
    yield record;
    position = record.end;
  }
}

/** A whole record behind the broken one at `broken` that was written after `broken` had been on disk. */
function findWitness(
  content: SegmentContent,
  layout: SegmentLayout,
  broken: Position,
): JournalRecord | undefined {
  const last = positionAt(layout, content.end - 1);
  for (let position = broken + recordAlignment; position <= last; position += recordAlignment) {
    const record = content.recordAt(position as Position);
    if (record !== undefined && record.settled > broken) return record;
  }
  return undefined;
}
