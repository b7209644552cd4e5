/**
 * The objects of a runtime that is part of a cluster. Durable state is in the cluster: the log of each object, its
 * images, its checkpoint. Local files are scratch: the data of key-value objects that were claimed, in tables, and the
 * files of SQL objects that are awake.
 *
 * An object stays claimed when it is put away, so that waking it again needs no request to the cluster.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { type Clock, realClock } from '#base';
import { type CommitQueue, JournalStats, type Position, noPosition } from '#journal';
import { DirectoryLock } from '#sqlite';
import { type TableChange, Tables } from '#tables';
import type { HeldDirectory } from '../backup/hold-directory.ts';
import type { ClassEntry } from '../classes.ts';
import { refuseHostedDirectory, refuseOwnObjects } from '../files/refused-directories.ts';
import { Scratch } from '../files/scratch.ts';
import { Historian } from '../history/historian.ts';
import { Housekeeping } from '../files/housekeeping.ts';
import { DurableObjectId } from '../ids.ts';
import type { ObjectSize } from '../inspection/sizes.ts';
import { type ObjectEntry, encodeEntry } from '../ledger/catalogue.ts';
import type { ClassRegistry } from '../ledger/class-registry.ts';
import { Ledger, readEntry } from '../ledger/ledger.ts';
import type { ObjectTables } from '../ledger/object-tables.ts';
import { OpenLedgers } from '../ledger/open-ledgers.ts';
import { type Owner, decodeOwner } from '../ledger/records.ts';
import { handOverLookMs, handOverMsMax, snapshotLogWeightMin } from '../limits.ts';
import type { DiskStats, ObjectStorage } from '../persistence/object-storage.ts';
import type { Fence } from '../persistence/fence.ts';
import { loadClaim } from './load-claim.ts';
import { ClusterImages } from './cluster-images.ts';
import type { ClusterPort, ObjectClaim } from './cluster-port.ts';
import { ObjectLog } from './object-log.ts';
import { OrphanAlarms } from './orphan-alarms.ts';
import { encodePairs } from './pairs.ts';
import { giveBackDays } from './retention.ts';

export interface ClusterStorageOptions {
  readonly cluster: ClusterPort;
  readonly directory: string;
  readonly clock: Clock;
  readonly retentionMs: number;
  /** Called when the alarm of an object of this process has changed and the change is durable. */
  readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  /** Called when objects of this process have been claimed by another. */
  readonly onLost: (owners: readonly Owner[], cause: Error) => void;
  readonly log: (message: string, error?: unknown) => void;
}

interface ClaimedObject {
  readonly log: ObjectLog;
  readonly historian: Historian;
  /** The bytes of its data at the last checkpoint; none for SQL storage, which is in its snapshots. */
  pairsBytes: number;
}

/**
 * A cache of the database, emptied at each start. It is a separate folder because a directory that had objects before it
 * joined a cluster may still have their `tables` and `images`, even if their log is lost.
 */
function claimedFolder(directory: string): string {
  return `${directory}/claimed`;
}

export class ClusterStorage implements ObjectStorage {
  readonly tables: ObjectTables;
  readonly ledgers: OpenLedgers;
  readonly scratch: Scratch;
  readonly classes: ClassRegistry;
  readonly #options: ClusterStorageOptions;
  readonly #lock: DirectoryLock;
  readonly #tables: Tables;
  readonly #images: ClusterImages;
  readonly #claimed = new Map<Owner, ClaimedObject>();
  readonly #housekeeping = new Housekeeping();
  readonly #stats = new JournalStats();
  readonly #orphans: OrphanAlarms;
  #applied = 0;
  #failedSnapshots = 0;
  #flushing: Promise<void> | undefined;

  private constructor(options: ClusterStorageOptions, lock: DirectoryLock, tables: Tables) {
    const { cluster, directory } = options;
    this.#options = options;
    this.#lock = lock;
    this.#tables = tables;
    this.scratch = new Scratch(`${directory}/live`);
    this.#images = new ClusterImages(`${claimedFolder(directory)}/images`, (owner) => this.#claimOf(owner));
    // Each object settles on its own: the position of these tables is never read to see how far it has come.
    const apply = (changes: readonly TableChange[]): void => tables.apply(changes, ++this.#applied);
    this.tables = {
      get: (owner, key) => tables.get(owner, key),
      list: (owner, range) => tables.list(owner, range),
      iterate: (owner, range) => tables.iterate(owner, range),
      apply,
    };
    this.ledgers = new OpenLedgers({
      load: (owner) => this.#load(owner),
      onDrop: (owner) => this.#claimed.get(owner)?.log.close(),
    });
    const claim = (owner: Owner): Promise<void> => this.ledgers.use(owner, async () => {});
    this.#orphans = new OrphanAlarms({ ...options, claim });
    this.classes = {
      recorded: () => cluster.recordedClasses(),
      record: (key, name) => cluster.recordClass(key, name),
    };
    cluster.begin({ onLost: (cause) => this.#loseAll(cause) });
  }

  static async open(options: ClusterStorageOptions): Promise<ClusterStorage> {
    const { directory } = options;
    refuseHostedDirectory(directory);
    refuseOwnObjects(directory);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = DirectoryLock.acquire(directory);
    try {
      const claimed = claimedFolder(directory);
      rmSync(claimed, { recursive: true, force: true });
      for (const name of ['tables', 'images'])
        mkdirSync(`${claimed}/${name}`, { recursive: true, mode: 0o700 });
      const tables = Tables.open({ directory: `${claimed}/tables`, durable: false });
      return new ClusterStorage(options, lock, tables);
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  get commits(): Pick<CommitQueue, 'flush' | 'probe'> {
    return this.#options.cluster;
  }

  commitsOf(owner: Owner): CommitQueue {
    return this.#options.cluster.commitsOf(owner);
  }

  fenceOf(owner: Owner): Fence {
    return this.#options.cluster.fenceOf(owner);
  }

  historianOf(owner: Owner): Historian {
    return this.#claimed.get(owner)!.historian;
  }

  stats(): DiskStats {
    const failedWrites = {
      journal: this.#options.cluster.failures,
      tables: 0,
      snapshots: this.#failedSnapshots,
    };
    return { journalBytes: 0, journal: this.#stats, failedWrites, lastScrub: undefined };
  }

  async *list({
    number,
    name: className,
  }: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    for await (const { owner, name } of this.#options.cluster.listObjects(number))
      yield { id: new DurableObjectId(decodeOwner(owner).idHex, className, name), name };
  }

  async nameOf(owner: Owner): Promise<string | undefined> {
    return (await this.#options.cluster.factsOf(owner))?.name;
  }

  async alarmOf(owner: Owner): Promise<number | undefined> {
    return (await this.#options.cluster.factsOf(owner))?.alarm;
  }

  alarms(): AsyncGenerator<readonly [owner: Owner, time: number]> {
    return this.#options.cluster.listAlarms();
  }

  async *storedValues(owner: Owner): AsyncGenerator<readonly [key: string, value: Uint8Array]> {
    const ledger = await this.ledgers.acquire(owner);
    try {
      yield* this.#tables.iterate(owner);
    } finally {
      this.ledgers.release(ledger);
    }
  }

  /** Alarms of objects that no process has claimed are assigned to this process. */
  beginAlarms(): Promise<void> {
    return this.#orphans.begin();
  }

  flushIfNeeded(): void {
    if (this.#flushing !== undefined || !this.#tables.needsFlush) return;
    this.#flushing = this.#tables
      .flush()
      .catch((error: unknown) => this.#options.log('the tables could not be flushed', error))
      .finally(() => {
        this.#flushing = undefined;
      });
  }

  snapshot(owner: Owner): void {
    this.#housekeeping
      .run(() => this.ledgers.use(owner, (ledger) => this.#takeSnapshot(ledger)))
      .catch((error: unknown) => {
        this.#failedSnapshots++;
        this.#options.log('a snapshot could not be written', error);
      });
  }

  async giveBackHistory(retentionMs = this.#options.retentionMs): Promise<number> {
    const { clock, cluster, log } = this.#options;
    const keptMs = Math.min(retentionMs, this.#options.retentionMs);
    const parts = {
      clock,
      cluster,
      settle: (owner: Owner, last: Position) =>
        this.ledgers.use(owner, (ledger) => this.#settleOn(ledger, last)),
    };
    const work = this.#housekeeping.run(() => giveBackDays(parts, keptMs));
    work.catch((error: unknown) => log('could not release the space of history', error));
    return await work;
  }

  holdHistory(): Promise<Disposable> {
    return this.#housekeeping.hold();
  }

  async atRest(): Promise<void> {
    await this.commits.flush().catch(() => {});
    await this.#housekeeping.settled();
  }

  measure(): (owner: Owner) => Promise<ObjectSize> {
    throw refuseInCluster('sizes()');
  }

  // oxlint-disable-next-line require-yield -- nothing can be reported
  async *scrub(): AsyncGenerator<never> {
    throw refuseInCluster('scrub()');
  }

  holdForBackup(): Promise<HeldDirectory> {
    return Promise.reject(refuseInCluster('a backup'));
  }

  repair(): Promise<never> {
    return Promise.reject(refuseInCluster('repair()'));
  }

  async handOver(putAway: (owner: Owner) => boolean): Promise<void> {
    const { cluster } = this.#options;
    this.#orphans.stop();
    if (!(await cluster.beginLeaving())) return;
    // Real time even with a virtual clock, which other processes do not have; and monotonic, whatever the machine's
    // clock is set to.
    const giveUpAt = performance.now() + handOverMsMax;
    const isLate = (): boolean => performance.now() >= giveUpAt;
    do {
      await this.#releaseAll(putAway, isLate);
      await cluster.endLeaving();
      // A call in progress may have woken another object.
    } while (this.#claimed.size > 0 && !isLate());
  }

  /** Releases each object as soon as it has nothing to do. */
  async #releaseAll(putAway: (owner: Owner) => boolean, isLate: () => boolean): Promise<void> {
    const { log, onAlarm } = this.#options;
    while (this.#claimed.size > 0 && !isLate()) {
      for (const [owner, { log: objectLog }] of [...this.#claimed]) {
        if (!putAway(owner)) continue;
        this.#claimed.delete(owner);
        objectLog.close();
        onAlarm(owner, undefined);
        await objectLog.claim
          .release()
          .catch((error: unknown) => log('could not hand over an object', error));
      }
      const lookAt = realClock.now() + handOverLookMs;
      await new Promise<void>((resolve) => void realClock.setTimer(lookAt, resolve));
    }
  }

  async close(): Promise<void> {
    const { cluster, log } = this.#options;
    this.#orphans.stop();
    await this.atRest();
    await this.commits.flush().catch(() => {});
    // If this fails, the other hosts notice when the lease expires.
    await cluster.leave().catch((error: unknown) => log('could not report the end to the cluster', error));
    await this.#flushing;
    await this.#tables.close();
    this.scratch.clear();
    this.#lock[Symbol.dispose]();
  }

  #claimOf(owner: Owner): ObjectClaim {
    return this.#claimed.get(owner)!.log.claim;
  }

  async #load(owner: Owner): Promise<Ledger> {
    const { onAlarm } = this.#options;
    let claimed = this.#claimed.get(owner);
    let entry: ObjectEntry;
    if (claimed === undefined || claimed.log.isOver) {
      this.#claimed.delete(owner);
      claimed?.log.close();
      ({ claimed, entry } = await this.#claim(owner));
    } else {
      entry = await readEntry(this.tables, owner);
    }
    const { log } = claimed;
    return new Ledger(owner, entry, { journal: log, tables: this.tables, onAlarm });
  }

  async #claim(owner: Owner): Promise<{ claimed: ClaimedObject; entry: ObjectEntry }> {
    const { cluster, clock, onAlarm, retentionMs } = this.#options;
    const claim = await cluster.claim(owner);
    const images = this.#images;
    const log = new ObjectLog({
      owner,
      claim,
      label: cluster.label,
      clock,
      images,
      createSpoolPath: () => this.scratch.pathFor('records', 0),
      onGrown: () => this.#checkWeight(owner),
    });
    const { entry, pairsBytes } = await loadClaim(owner, log, this.tables);
    if (claim.isLost) {
      // `onLost` could not report the loss: the object was not registered yet.
      log.close();
      return await this.#claim(owner);
    }
    this.flushIfNeeded();
    const historian = new Historian({ journal: log, images, clock, retentionMs, loader: log });
    const claimed: ClaimedObject = { log, historian, pairsBytes };
    this.#claimed.set(owner, claimed);
    if (entry.alarm !== undefined) onAlarm(owner, entry.alarm);
    return { claimed, entry };
  }

  /** Called for SQL objects whose log has outgrown them, and for key-value objects now and then. */
  async #takeSnapshot(ledger: Ledger): Promise<void> {
    const { owner } = ledger;
    const claimed = this.#claimed.get(owner)!;
    if (ledger.entry.head === noPosition) return await this.#writePairs(owner, claimed);
    await claimed.historian.snapshot(ledger);
    await this.#writeCheckpoint(ledger, claimed);
  }

  /** The entry of a ledger covers everything appended, so it is written once all of that is durable. */
  async #writeCheckpoint(ledger: Ledger, { log }: ClaimedObject, floor?: Position): Promise<void> {
    const { appended } = log.marks;
    const { entry } = await ledger.settled();
    await log.writeCheckpoint({ ...appended, entry: encodeEntry(entry) }, floor);
  }

  /**
   * Writes all the data of a key-value object into one image. Writes that settle meanwhile may be in it or not: their
   * records are applied again on top of it, and each contains the value of a key, not a difference.
   */
  async #writePairs(owner: Owner, claimed: ClaimedObject, floor?: Position): Promise<void> {
    const { log } = claimed;
    const { durable } = log.marks;
    const { position } = durable;
    const entry = encodeEntry(await readEntry(this.tables, owner));
    let bytes = 0;
    const count = async function* (pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces) {
        bytes += piece.length;
        yield piece;
      }
    };
    const before = await log.claim.listImages();
    await log.claim.writeImage({ position, kind: 'pairs' }, count(encodePairs(this.#tables.iterate(owner))));
    await log.writeCheckpoint({ ...durable, entry }, floor);
    claimed.pairsBytes = bytes;
    for (const place of before) {
      if (place.kind === 'pairs' && place.position < position) await log.claim.removeImage(place);
    }
  }

  /** Makes the state after an object's records up to `last` the oldest one kept. */
  async #settleOn(ledger: Ledger, last: Position): Promise<void> {
    const claimed = this.#claimed.get(ledger.owner)!;
    const { historian, log } = claimed;
    const { entry } = await ledger.settled();
    if (entry.head === noPosition) return await this.#writePairs(ledger.owner, claimed, last);
    await ledger.exclusively(async () => {
      using _loaded = await log.loadRecords();
      const position = historian.newestUpTo(await ledger.settled(), last);
      historian.leaveBehind((last + 1) as Position);
      if (position !== noPosition) await historian.settleOn(ledger, position);
      await this.#writeCheckpoint(ledger, claimed, last);
    });
  }

  #loseAll(cause: Error): void {
    const { onAlarm, onLost } = this.#options;
    const lost = [...this.#claimed].filter(([, { log }]) => log.claim.isLost);
    for (const [owner] of lost) this.#claimed.delete(owner);
    onLost(
      lost.map(([owner]) => owner),
      cause,
    );
    for (const [owner, { log }] of lost) {
      log.close();
      onAlarm(owner, undefined);
    }
  }

  /** A key-value object whose log outweighs its data gets a checkpoint. */
  #checkWeight(owner: Owner): void {
    const claimed = this.#claimed.get(owner);
    if (claimed === undefined || claimed.log.weight <= Math.max(snapshotLogWeightMin, claimed.pairsBytes))
      return;
    claimed.log.weight = 0;
    this.snapshot(owner);
  }
}

/** For operations that the tools of the database perform and a runtime does not. */
function refuseInCluster(what: string): Error {
  return new Error(
    `${what} is for a data directory: the objects of this runtime are in a cluster, whose database has tools of its own`,
  );
}
