import type { JournalWriteError } from './errors.ts';
import type { Appended } from './options.ts';
import type { Position } from './position.ts';
import type { JournalRecord, RecordPart } from './record.ts';

/** Facts about a record that a log may need without decoding it. */
export interface RecordFacts {
  /** The name of the object, with the first record that contains it. */
  readonly name?: string;
  /** Whether it is part of a history that can be restored from. */
  readonly chained?: boolean;
  /** When the object's alarm is due after this record; null: the object no longer has one. */
  readonly alarm?: number | null;
}

/**
 * What an object needs of the log that holds its records: the journal of a directory, which holds the records of all
 * objects, or the log that a cluster keeps for one object. Positions grow from record to record, and `read` answers
 * only for those from `start` to `durableEnd`.
 */
export interface Log {
  /** Where the log is kept, for messages. */
  readonly directory: string;
  readonly start: Position;
  readonly durableEnd: Position;
  /** The position the next record will get. */
  readonly end: Position;
  /** How often writing has failed: a record that was not durable at the time of the last failure never will be. */
  readonly failures: number;
  readonly lastFailure: JournalWriteError | undefined;
  append(payload: readonly Uint8Array[], settle?: () => void, facts?: RecordFacts): Appended;
  read(position: Position, allocate?: (bytes: number) => Buffer): JournalRecord;
  readPart(position: Position, part: RecordPart): Buffer;
}

/** How busy the path to the disk is, for callers that batch what they append. */
export interface CommitQueue {
  /** Whether records are being written, so that one appended now would only wait. */
  readonly busy: boolean;
  /** Calls back once, when the queue is free again. Call it only while it is busy, from one caller at a time. */
  whenFree(callback: () => void): void;
  /** Resolves when everything appended before is durable, rejects if it cannot be. */
  flush(): Promise<void>;
  /** Resolves if writes are accepted; rejects with the reason if they are not. */
  probe(): Promise<void>;
}
