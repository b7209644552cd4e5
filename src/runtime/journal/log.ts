import type { JournalWriteError } from './errors.ts';
import type { Appended } from './options.ts';
import type { Position } from './position.ts';
import type { JournalRecord, RecordPart } from './record.ts';

/** What a log may want to know of a record without reading it. */
export interface RecordFacts {
  /** The name of the object, with the record that first tells it. */
  readonly name?: string;
  /** Whether it is part of a history that can be gone back to. */
  readonly chained?: boolean;
  /** When the alarm of the object is due from now on; null: it has none any more. */
  readonly alarm?: number | null;
}

/**
 * What an object needs of the log that its records are in: the journal of a directory, which has the records of all
 * objects, or what a cluster keeps of one. Positions grow from record to record, and `read` answers only for those from
 * `start` to `durableEnd`.
 */
export interface Log {
  /** Where it is kept, for messages. */
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

/** How busy the way to the disk is, for those who gather what they append. */
export interface CommitQueue {
  /** Whether records are on their way, so that one appended now would only wait. */
  readonly busy: boolean;
  /** Calls back once, when it is free again. To be called only while it is busy, and by one caller at a time. */
  whenFree(callback: () => void): void;
  /** Resolves when everything appended before is durable, rejects if it cannot be. */
  flush(): Promise<void>;
  /** Resolves if writes are taken; rejects with the reason why not. */
  probe(): Promise<void>;
}
