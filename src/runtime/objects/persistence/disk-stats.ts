import type { JournalStats } from '#journal';
import type { LastScrub } from '../inspection/last-scrub.ts';

/** For monitoring; counters start with the process. */
export interface DiskStats {
  /** From the oldest record still kept to the newest. */
  readonly journalBytes: number;
  readonly journal: JournalStats;
  /** By the part that failed to be written. */
  readonly failedWrites: Readonly<Record<'journal' | 'tables' | 'snapshots', number>>;
  readonly lastScrub: LastScrub | undefined;
}
