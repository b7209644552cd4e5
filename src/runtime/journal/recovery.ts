/**
 * Finds the end of the log after a start: walks the newest segment record by record. What follows the last complete record
 * is either a tail that a crash left incomplete, which is cut, or damage, which is reported: `record.ts` says how the two
 * are distinguished. Everything found is synced before anything is built on it, because a process that was killed may have
 * left complete records that never reached the disk.
 */
import type { OpenFile } from '#files';
import { JournalDamageError } from './errors.ts';
import type { Position } from './position.ts';
import { type JournalRecord, readRecord, recordAlignment } from './record.ts';
import { type SegmentHeader, type SegmentLayout, toOffset, toPosition } from './segment.ts';
import { SegmentContent } from './segment-content.ts';

export interface RecoveredEnd {
  readonly end: Position;
  /** When the last record was written; zero if there is none. */
  readonly time: number;
  /** Bytes after the end that were not zeros: the rest of writes that were never acknowledged. */
  readonly cutBytes: number;
}

/**
 * Finds the end of the log in its newest segment, and clears what a crash left after it. A new log ends at its start.
 */
export function recoverEnd(
  file: OpenFile,
  header: SegmentHeader,
  { isNew }: { readonly isNew: boolean },
): RecoveredEnd {
  if (isNew) return { end: header.start, time: 0, cutBytes: 0 };
  const size = file.sizeSync();
  // A crash never shortens a segment, because its length was synced before its name. Only the start of the next segment
  // does.
  if (size < header.fileBytes) {
    throw new JournalDamageError('the newest segment is truncated, or the one after it is missing', {
      file: file.path,
      offset: size,
      position: toPosition(header, size),
    });
  }
  const content = new SegmentContent(file, header);
  let end = header.start;
  let time = 0;
  for (let record = content.readRecordAt(end); record !== undefined; record = content.readRecordAt(end)) {
    end = record.end;
    time = record.time;
  }
  const offset = toOffset(header, end);
  const witness = findWitness(content, header, end);
  if (witness !== undefined) {
    throw new JournalDamageError(
      `a record is broken, and the one at position ${witness.position} proves it was whole before`,
      { file: file.path, offset, position: end },
    );
  }
  const cutBytes = Math.max(0, content.end - offset);
  // Remaining bytes might later line up after new records and pass for one of them.
  if (cutBytes > 0) file.writeSync(Buffer.alloc(cutBytes), offset);
  file.fsyncSync();
  return { end, time, cutBytes };
}

/**
 * Strikes out records that did not become durable, so that they are not found complete after a restart: without the length
 * of the first one, the log ends before it. If the disk refuses this write too, the records are in doubt until the log
 * continues in another file.
 */
export async function strikeOut(file: OpenFile, offset: number): Promise<void> {
  try {
    file.writeSync(Buffer.alloc(recordAlignment), offset);
    await file.fdatasync();
  } catch {
    // The failure that led here is the one to report.
  }
}

/** The records of a segment between two positions; each of them must be complete. */
export function* readRecords(
  file: OpenFile,
  layout: SegmentLayout,
  range: { from: Position; to: Position },
): Generator<JournalRecord> {
  const bytes = Buffer.alloc(range.to - range.from);
  const offset = toOffset(layout, range.from);
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

/** Finds a complete record after the broken one that was written after `broken` had been on disk. */
function findWitness(
  content: SegmentContent,
  layout: SegmentLayout,
  broken: Position,
): JournalRecord | undefined {
  const last = toPosition(layout, content.end - 1);
  for (let position = broken + recordAlignment; position <= last; position += recordAlignment) {
    const record = content.readRecordAt(position as Position);
    if (record !== undefined && record.settled > broken) return record;
  }
  return undefined;
}
