/**
 * The durable log: checksummed records in an append-only sequence of files, with one `fdatasync` for all records
 * that are written at the same time. It does not know what the records mean.
 *
 * ```ts
 * const journal = await Journal.open({ directory, fs: realFileSystem, clock: realClock });
 * const { position, durable } = journal.append([Buffer.from('hello')]);
 * await durable;                                    // on disk
 * journal.read(position).payload;                   // checked bytes
 * for (const record of journal.scan(journal.start)) ...
 * ```
 */
export { JournalDamageError, JournalRangeError, JournalWriteError } from './journal/errors.ts';
export { cutJournal } from './journal/cut.ts';
export { Journal } from './journal/journal.ts';
export type { CommitQueue, Log, RecordFacts } from './journal/log.ts';
export { JournalStats } from './journal/journal-stats.ts';
export type { Appended, JournalOptions } from './journal/options.ts';
export {
  type Position,
  firstPosition,
  formatPosition,
  noPosition,
  parsePosition,
} from './journal/position.ts';
export type { JournalRecord, RecordPart } from './journal/record.ts';
export type { JournalFile } from './journal/segment-list.ts';
