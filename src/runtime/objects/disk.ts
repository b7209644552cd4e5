/**
 * Everything of a runtime that outlives it: one directory, and the code that writes to it.
 *
 * ```
 * <directory>/lock       held while the runtime lives
 * <directory>/journal/   every commit of every object, in order
 * <directory>/tables/    key-value data, alarms, names, heads: a view of the journal
 * <directory>/images/    snapshots and restored or imported databases
 * <directory>/live/      SQLite files of objects that are awake, or were; scratch, emptied at start
 * ```
 *
 * It also does housekeeping: tables are flushed before the journal runs too far ahead of them, objects whose log has
 * outgrown them get a snapshot, history beyond the retention is dropped. No caller waits for any of this; a failure is
 * logged and retried later.
 */
import type { Clock } from '#base';
import { type FileSystem, makeDirectory, realFileSystem } from '#files';
import { type CommitQueue, Journal } from '#journal';
import { DirectoryLock } from '#sqlite';
import { Tables } from '#tables';
import { Historian } from './history/historian.ts';
import { Images } from './history/images.ts';
import { type ObjectRepair, type RepairChoices, repairObject } from './history/repair-object.ts';
import { giveBackHistory } from './history/retention.ts';
import { readLastScrub, writeLastScrub } from './inspection/last-scrub.ts';
import { type Damage, scrubDirectory } from './inspection/scrub.ts';
import { measureJournal, measureObject, type ObjectSize } from './inspection/sizes.ts';
import { DirectoryClasses } from './ledger/class-registry.ts';
import { alarmOf, decodeEntry, reserved } from './ledger/catalogue.ts';
import { Ledger, readEntry } from './ledger/ledger.ts';
import { listAlarms, listObjects } from './ledger/list-objects.ts';
import { OpenLedgers } from './ledger/open-ledgers.ts';
import type { Owner } from './ledger/records.ts';
import { replay } from './ledger/replay.ts';
import { Scratch } from './files/scratch.ts';
import { type HeldDirectory, holdDirectory } from './backup/hold-directory.ts';
import { refuseHostedDirectory, refuseLostLog } from './files/refused-directories.ts';
import { Housekeeping } from './files/housekeeping.ts';
import type { ClassEntry } from './classes.ts';
import type { DurableObjectId } from './ids.ts';
import { flushRetryMs, replayBytesMax } from './limits.ts';
import type { DiskStats, ObjectStorage } from './persistence/object-storage.ts';
import type { OnProgress } from './progress.ts';

export interface DiskOptions {
  readonly directory: string;
  readonly clock: Clock;
  readonly durability: 'disk' | 'os';
  readonly retentionMs: number;
  readonly fs?: FileSystem | undefined;
  readonly segmentBytes?: number | undefined;
  /** Opens the directory although older files of the log are damaged or missing. */
  readonly salvage: boolean;
  /** Called when the alarm of an object has changed and the change is durable. */
  readonly onAlarm: (owner: Owner, time: number | undefined) => void;
  readonly log: (message: string, error?: unknown) => void;
}

interface Opened {
  readonly lock: DirectoryLock;
  readonly journal: Journal;
  readonly tables: Tables;
}

export class Disk implements ObjectStorage {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly ledgers: OpenLedgers;
  readonly classes: DirectoryClasses;
  readonly historian: Historian;
  readonly scratch: Scratch;
  readonly #options: DiskOptions;
  readonly #lock: DirectoryLock;
  readonly #images: Images;
  #flushing: Promise<void> | undefined;
  #flushNotBefore = 0;
  /** Housekeeping writes that failed and are retried. */
  readonly #failedWrites = { tables: 0, snapshots: 0 };
  readonly #housekeeping = new Housekeeping();

  private constructor(options: DiskOptions, { lock, journal, tables }: Opened) {
    const { clock, directory, fs = realFileSystem, onAlarm, retentionMs } = options;
    this.journal = journal;
    this.tables = tables;
    this.scratch = new Scratch(`${directory}/live`);
    this.classes = new DirectoryClasses({ journal, tables });
    const load = async (owner: Owner): Promise<Ledger> =>
      new Ledger(owner, await readEntry(tables, owner), { journal, tables, onAlarm });
    this.ledgers = new OpenLedgers({ load });
    this.#options = options;
    this.#lock = lock;
    this.#images = new Images(fs, `${directory}/images`);
    this.historian = new Historian({ journal, images: this.#images, clock, retentionMs });
  }

  static async open(options: DiskOptions): Promise<Disk> {
    const { directory, clock, durability, fs = realFileSystem, segmentBytes, salvage } = options;
    refuseHostedDirectory(directory, fs);
    makeDirectory(directory);
    const lock = DirectoryLock.acquire(directory);
    try {
      makeDirectory(directory, fs);
      refuseLostLog(fs, directory);
      const sized = segmentBytes === undefined ? {} : { segmentBytes };
      const journal = await Journal.open({
        directory: `${directory}/journal`,
        fs,
        clock,
        durability,
        salvage,
        ...sized,
      });
      try {
        const beforePublish = (): Promise<void> => journal.harden();
        const tables = Tables.open({ directory: `${directory}/tables`, fs, beforePublish });
        await replay(journal, tables);
        return new Disk(options, { lock, journal, tables });
      } catch (error) {
        await journal.close();
        throw error;
      }
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  commitsOf(): CommitQueue {
    return this.journal;
  }

  /** The lock on the directory excludes every other process. */
  fenceOf(): undefined {}

  get commits(): CommitQueue {
    return this.journal;
  }

  historianOf(): Historian {
    return this.historian;
  }

  list(entry: ClassEntry): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    return listObjects(this.tables, entry);
  }

  /** The name that an object was addressed by when it stored something, if it was addressed by name. */
  async nameOf(owner: Owner): Promise<string | undefined> {
    return decodeEntry(await this.tables.get(reserved.objects, owner)).name;
  }

  async alarmOf(owner: Owner): Promise<number | undefined> {
    const bytes = await this.tables.get(reserved.alarms, owner);
    return bytes === undefined ? undefined : alarmOf(bytes);
  }

  alarms(): AsyncGenerator<readonly [owner: Owner, time: number]> {
    return listAlarms(this.tables);
  }

  storedValues(owner: Owner): AsyncGenerator<readonly [key: string, value: Uint8Array]> {
    return this.tables.iterate(owner);
  }

  async beginAlarms(): Promise<void> {
    for await (const [owner, time] of this.alarms()) this.#options.onAlarm(owner, time);
  }

  /** No other process can have the objects. */
  async handOver(): Promise<void> {}

  stats(): DiskStats {
    const { journal } = this;
    const { start, durableEnd, failures, stats } = journal;
    return {
      journalBytes: durableEnd - start,
      journal: stats,
      failedWrites: { journal: failures, ...this.#failedWrites },
      lastScrub: readLastScrub(this.#options.directory),
    };
  }

  /** Bounds what a start must replay. */
  flushIfNeeded(): void {
    const behind = this.journal.durableEnd - this.tables.position;
    if (this.#flushing !== undefined || !(this.tables.needsFlush || behind > replayBytesMax)) return;
    if (this.#options.clock.now() < this.#flushNotBefore) return;
    this.tables.touch(this.journal.durableEnd);
    this.#flushing = this.tables
      .flush()
      .catch((error: unknown) => {
        this.#failedWrites.tables++;
        this.#options.log('the tables could not be flushed; they stay in memory', error);
        this.#flushNotBefore = this.#options.clock.now() + flushRetryMs;
      })
      .finally(() => {
        this.#flushing = undefined;
      });
  }

  /** Takes a snapshot of an object in the background. */
  snapshot(owner: Owner): void {
    this.#housekeeping
      .run(() => this.ledgers.use(owner, (ledger) => this.historian.snapshot(ledger)))
      .catch((error: unknown) => {
        this.#failedWrites.snapshots++;
        this.#options.log('a snapshot could not be written', error);
      });
  }

  /** Reads the whole journal first. */
  measure(): (owner: Owner) => Promise<ObjectSize> {
    const parts = { journal: measureJournal(this.journal), images: this.#images, tables: this.tables };
    return (owner) => measureObject(owner, parts);
  }

  /** Drops history beyond the retention, or beyond a shorter time; returns how many files were removed. */
  async giveBackHistory(retentionMs = this.#options.retentionMs): Promise<number> {
    const horizon = this.#options.clock.now() - Math.min(retentionMs, this.#options.retentionMs);
    const work = this.#housekeeping.run(() => giveBackHistory(this, horizon));
    work.catch((error: unknown) => this.#options.log('could not release the space of history', error));
    return await work;
  }

  /** Keeps every file of history until the hold is disposed of. */
  holdHistory(): Promise<Disposable> {
    return this.#housekeeping.hold();
  }

  /** Resolves when no write is pending, whether the writes succeeded or not. */
  async atRest(): Promise<void> {
    await this.journal.flush().catch(() => {});
    await this.#housekeeping.settled();
  }

  /** Reads everything, in pieces, and reports what is damaged, and what is referred to but missing. */
  async *scrub(onProgress?: OnProgress): AsyncGenerator<Damage> {
    const { journal, tables, ledgers } = this;
    let problems = 0;
    for await (const damage of scrubDirectory({
      journal,
      tables,
      images: this.#images,
      ledgers,
      onProgress,
    })) {
      problems++;
      yield damage;
    }
    this.#recordScrub(problems);
  }

  /** A scrub that could not be recorded is harmless; the next one tries again. */
  #recordScrub(problems: number): void {
    try {
      writeLastScrub(this.#options.directory, { finishedAtMs: this.#options.clock.now(), problems });
    } catch (error) {
      this.#options.log('the result of the scrub could not be written', error);
    }
  }

  /** Keeps the files on disk, to be copied as of one position while the objects continue. */
  async holdForBackup(): Promise<HeldDirectory> {
    const { journal, tables } = this;
    const { clock } = this.#options;
    const hold = await this.holdHistory();
    return await holdDirectory({ journal, tables, images: this.#images, clock, hold });
  }

  /** Rebuilds an object's missing files. */
  repair(owner: Owner, options: RepairChoices): Promise<ObjectRepair[]> {
    const { journal } = this;
    const parts = { journal, images: this.#images, ...options };
    return this.ledgers.use(owner, (ledger) =>
      ledger.exclusively(async () => repairObject(parts, await ledger.settled())),
    );
  }

  async close(): Promise<void> {
    await this.atRest();
    // Records that housekeeping wrote settle in the tables, so the tables stay open until then.
    await this.journal.flush().catch(() => {});
    await this.#flushing;
    this.tables.touch(this.journal.durableEnd);
    await this.tables
      .flush()
      .catch((error: unknown) => this.#options.log('the tables could not be flushed', error));
    await this.tables.close();
    await this.journal.close();
    this.scratch.clear();
    this.#lock[Symbol.dispose]();
  }
}
