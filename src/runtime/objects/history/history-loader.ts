import type { Position } from '#journal';

/**
 * Fetches an object's history that is stored elsewhere, so that the log and the images can read it synchronously. It
 * stays until the returned value is disposed of.
 */
export interface HistoryLoader {
  /** Everything that the database after the record at `position` is materialised from. */
  loadState(snapshots: readonly Position[], position: Position): Promise<Disposable>;
  /** Every record that is kept. */
  loadRecords(): Promise<Disposable>;
}
