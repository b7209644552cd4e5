/** What a runtime needs to store its objects: a directory of its own, or a place in a cluster. */
import type { JournalStats, CommitQueue } from '#journal';
import type { LastScrub } from '../inspection/last-scrub.ts';
import type { HeldDirectory } from '../backup/hold-directory.ts';
import type { ClassEntry } from '../classes.ts';
import type { Scratch } from '../files/scratch.ts';
import type { Historian } from '../history/historian.ts';
import type { ObjectRepair, RepairChoices } from '../history/repair-object.ts';
import type { DurableObjectId } from '../ids.ts';
import type { Damage } from '../inspection/scrub.ts';
import type { ObjectSize } from '../inspection/sizes.ts';
import type { ClassRegistry } from '../ledger/class-registry.ts';
import type { ObjectTables } from '../ledger/object-tables.ts';
import type { OpenLedgers } from '../ledger/open-ledgers.ts';
import type { Owner } from '../ledger/records.ts';
import type { OnProgress } from '../progress.ts';
import type { Fence } from './fence.ts';

export interface ObjectStorage {
  /** Covers everything that was appended. */
  readonly commits: Pick<CommitQueue, 'flush' | 'probe'>;
  /** The data of the key-value objects that have a ledger. */
  readonly tables: ObjectTables;
  readonly ledgers: OpenLedgers;
  readonly scratch: Scratch;
  readonly classes: ClassRegistry;
  /** The commit queue for the records of an object, which it shares with other objects. */
  commitsOf(owner: Owner): CommitQueue;
  /** Undefined if no other process can ever take over the object. */
  fenceOf(owner: Owner): Fence | undefined;
  /** The historian of an object that has a ledger. */
  historianOf(owner: Owner): Historian;
  stats(): DiskStats;

  /** The objects of a class that have stored something. */
  list(entry: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }>;
  nameOf(owner: Owner): Promise<string | undefined>;
  alarmOf(owner: Owner): Promise<number | undefined>;
  alarms(): AsyncGenerator<readonly [owner: Owner, time: number]>;
  storedValues(owner: Owner): AsyncGenerator<readonly [key: string, value: Uint8Array]>;

  /** Reports the alarms that this process must fire, at the start and from then on. */
  beginAlarms(): Promise<void>;
  /** Bounds what exists only in memory. */
  flushIfNeeded(): void;
  /** Takes a snapshot of an object in the background. */
  snapshot(owner: Owner): void;
  /** Drops history beyond the retention, or beyond a shorter time; returns how many pieces were dropped. */
  giveBackHistory(retentionMs?: number): Promise<number>;
  /** Keeps every piece of history until the hold is disposed of. */
  holdHistory(): Promise<Disposable>;
  /** Resolves when no write is pending, whether the writes succeeded or not. */
  atRest(): Promise<void>;

  /**
   * Gives the objects to other processes, if there are any: each when it has nothing to do. `putAway` puts an object
   * away if possible, and returns whether it is.
   */
  handOver(putAway: (owner: Owner) => boolean): Promise<void>;

  /** Returns a function that measures objects one by one. */
  measure(): (owner: Owner) => Promise<ObjectSize>;
  scrub(onProgress?: OnProgress): AsyncGenerator<Damage>;
  holdForBackup(): Promise<HeldDirectory>;
  repair(owner: Owner, options: RepairChoices): Promise<ObjectRepair[]>;
  close(): Promise<void>;
}

/** For monitoring; counters start with the process. */
export interface DiskStats {
  /** From the oldest record still kept to the newest. */
  readonly journalBytes: number;
  readonly journal: JournalStats;
  /** By the part that failed to be written. */
  readonly failedWrites: Readonly<Record<'journal' | 'tables' | 'snapshots', number>>;
  readonly lastScrub: LastScrub | undefined;
}
