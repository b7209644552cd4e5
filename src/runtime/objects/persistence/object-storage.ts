/** What a runtime needs to keep its objects: a directory of its own, or a place in a cluster. */
import type { CommitQueue } from '#journal';
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
import type { DiskStats } from './disk-stats.ts';
import type { Fence } from './fence.ts';

export interface ObjectStorage {
  /** For everything that was appended. */
  readonly commits: Pick<CommitQueue, 'flush' | 'probe'>;
  /** The data of the key-value objects that have a ledger. */
  readonly tables: ObjectTables;
  readonly ledgers: OpenLedgers;
  readonly scratch: Scratch;
  readonly classes: ClassRegistry;
  /** The way that the records of an object take, which it shares with others. */
  commitsOf(owner: Owner): CommitQueue;
  /** None if no other process can ever go on with the object. */
  fenceOf(owner: Owner): Fence | undefined;
  /** Of an object that has a ledger. */
  historianOf(owner: Owner): Historian;
  stats(): DiskStats;

  /** The objects of a class that have stored something. */
  list(entry: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }>;
  nameOf(owner: Owner): Promise<string | undefined>;
  alarmOf(owner: Owner): Promise<number | undefined>;
  alarms(): AsyncGenerator<readonly [owner: Owner, time: number]>;
  storedValues(owner: Owner): AsyncGenerator<readonly [key: string, value: Uint8Array]>;

  /** Tells of the alarms that this process is to fire, at the start and from then on. */
  beginAlarms(): Promise<void>;
  /** Bounds what is only in memory. */
  flushIfNeeded(): void;
  /** Takes a snapshot of an object, in its own time. */
  snapshot(owner: Owner): void;
  /** Gives back history beyond the retention, or beyond a shorter time; answers how many pieces went. */
  giveBackHistory(retentionMs?: number): Promise<number>;
  /** Keeps every piece of history until the hold is disposed of. */
  holdHistory(): Promise<Disposable>;
  /** Resolves when nothing is on its way to be kept, whether it got there or not. */
  atRest(): Promise<void>;

  /**
   * Gives the objects to other processes, if there are any: each when it has nothing to do. `putAway` puts an object away if
   * it can be, and answers whether it is.
   */
  handOver(putAway: (owner: Owner) => boolean): Promise<void>;

  /** Answers a function that measures objects one by one. */
  measure(): (owner: Owner) => Promise<ObjectSize>;
  scrub(onProgress?: OnProgress): AsyncGenerator<Damage>;
  holdForBackup(): Promise<HeldDirectory>;
  repair(owner: Owner, options: RepairChoices): Promise<ObjectRepair[]>;
  close(): Promise<void>;
}
