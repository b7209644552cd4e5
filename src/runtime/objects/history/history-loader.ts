import type { Position } from '#journal';

/**
 * Brings what is kept elsewhere of one object to where the log and the images can read it at once. It stays there until
 * what these functions answer is disposed of.
 */
export interface HistoryLoader {
  /** Everything that the database after the record at `position` is put together from. */
  loadState(snapshots: readonly Position[], position: Position): Promise<Disposable>;
  /** Every record that is kept. */
  loadRecords(): Promise<Disposable>;
}
