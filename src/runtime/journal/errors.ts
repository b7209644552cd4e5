import type { Position } from './position.ts';

/**
 * Bytes on disk are not what was written there. They are never returned; the error names their place, so that it can be
 * examined.
 */
export class JournalDamageError extends Error {
  override readonly name = 'JournalDamageError';
  readonly code = 'JOURNAL_DAMAGED';
  readonly file: string;
  readonly offset: number;
  readonly position: Position;

  constructor(problem: string, place: { file: string; offset: number; position: Position }) {
    super(
      `cannot read the journal, ${problem}: ${place.file} at byte ${place.offset} (position ${place.position})`,
    );
    this.file = place.file;
    this.offset = place.offset;
    this.position = place.position;
  }
}

/** The appended records did not reach the disk and never will. `cause` is the error of the disk. */
export class JournalWriteError extends Error {
  override readonly name = 'JournalWriteError';
  readonly code = 'JOURNAL_WRITE_FAILED';

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`cannot make a write durable: ${reason}`, { cause });
  }
}

/** The position is in history that was dropped, or was never written. */
export class JournalRangeError extends RangeError {
  override readonly name = 'JournalRangeError';
  readonly code = 'JOURNAL_OUT_OF_RANGE';
}
