/** Metrics of the store of the control plane. */
import type { Control } from '#control';
import { type Metric, Reading } from '#metrics';

type StoreStats = ReturnType<Control['stats']>;

/** `read` returns undefined until the store is open. */
export function createStoreMetrics(read: () => StoreStats | undefined): readonly Metric[] {
  return [
    new Reading(
      'gatehouse_journal_bytes',
      'Size of the history in the journal, from the oldest record to the newest.',
      () => read()?.journalBytes,
    ),
    new Reading(
      'gatehouse_journal_written_bytes_total',
      'Bytes written to the journal.',
      () => read()?.journal.writtenBytes,
      'counter',
    ),
    new Reading(
      'gatehouse_journal_records_total',
      'Records written to the journal.',
      () => read()?.journal.records,
      'counter',
    ),
    new Reading(
      'gatehouse_journal_sync_seconds',
      'Time until the disk has confirmed a write (fdatasync).',
      () => read()?.journal.syncSeconds,
      'histogram',
    ),
    new Reading(
      'gatehouse_failed_writes_total',
      'Writes that the disk refused, by part of the store.',
      () => Object.entries(read()?.failedWrites ?? {}).map(([part, count]) => [{ part }, count] as const),
      'counter',
    ),
    new Reading('gatehouse_objects_awake', 'Objects in memory, by class.', () =>
      Array.from(read()?.objectsAwake ?? [], ([name, count]) => [{ class: name }, count] as const),
    ),
    new Reading(
      'gatehouse_last_scrub_timestamp_seconds',
      'End of the last scrub; absent before the first.',
      () => {
        const scrub = read()?.lastScrub;
        return scrub && scrub.finishedAtMs / 1_000;
      },
    ),
    new Reading(
      'gatehouse_last_scrub_problems',
      'Problems found by the last scrub.',
      () => read()?.lastScrub?.problems,
    ),
  ];
}
