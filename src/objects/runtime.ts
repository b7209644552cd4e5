/**
 * One runtime owns one directory and every object in it.
 *
 * ```
 * <directory>/lock       held while the runtime lives
 * <directory>/journal/   every commit of every object, in order
 * <directory>/tables/    key-value data, alarms, names, heads: a view of the journal
 * <directory>/images/    snapshots and restored or imported databases
 * <directory>/live/      SQLite files of objects that are awake; scratch, emptied at start
 * ```
 */
import { mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setImmediate } from 'node:timers';
import { type Clock, type FileSystem, VirtualClock, realClock, realFileSystem } from '#base';
import { Journal } from '#journal';
import { DirectoryLock } from '#sqlite';
import { Tables } from '#tables';
import { Actor } from './actor.ts';
import { AlarmRun } from './alarm-run.ts';
import { type AlarmOutcome, AlarmScheduler, type DueAlarm } from './alarm-scheduler.ts';
import { type AlarmParts, dropAlarm, runAlarm } from './alarms.ts';
import { installAmbient } from './ambient.ts';
import { closedError, codeUpdatedError } from './broken.ts';
import { alarmOf, classNumberMax, reserved } from './catalogue.ts';
import { type ClassEntry, type ClassOptions, recordedClasses, registerClasses } from './classes.ts';
import { DatabasePool } from './database-pool.ts';
import { Historian } from './history/historian.ts';
import { Images } from './history/images.ts';
import { ObjectHistory } from './history/object-history.ts';
import { giveBackHistory } from './history/retention.ts';
import { type DurableObjectId, classNameOf, isDurableObjectId } from './ids.ts';
import { IdleQueue } from './idle-queue.ts';
import { LedgerBook } from './ledger-book.ts';
import { type ObjectLimits, idleMsDefault, replayBytesMax, resolveLimits, retentionCheckMs, retentionMsDefault } from './limits.ts';
import { DurableObjectNamespace } from './namespace.ts';
import { type Owner, decodeOwner } from './records.ts';
import { replay } from './replay.ts';
import { ValueCache } from './storage/value-cache.ts';
import { type Awake, wake } from './wake.ts';

export interface RuntimeOptions {
  /** Where everything is kept. Made if missing; one runtime at a time. */
  readonly directory: string;
  /** The classes of the objects, or `recorded` to open a directory without their code: nothing wakes, no alarm fires. */
  readonly classes: Readonly<Record<string, ClassOptions>> | 'recorded';
  /** What objects get as `env`. Read when an object is constructed, so it may be filled later. */
  readonly env?: unknown;
  /** A `VirtualClock` lets tests hold time in their hand. */
  readonly clock?: Clock;
  /** `disk` (default): what was acknowledged survives a power cut. `os`: it survives a crash of the process only. */
  readonly durability?: 'disk' | 'os';
  readonly limits?: Partial<ObjectLimits>;
  /** How far back recovery reaches, 30 days by default. */
  readonly retentionMs?: number;
  /** How long an object with nothing to do stays in memory, 10 seconds by default. */
  readonly idleMs?: number;
  /** Where warnings go; `console.error` by default. */
  readonly log?: (message: string, error?: unknown) => void;
  /** @internal Tests replace the disk. */
  readonly fs?: FileSystem;
  /** @internal Tests make the files of the journal small, to see many of them. */
  readonly segmentBytes?: number;
}

/** Opens a directory and brings its objects within reach; overdue alarms fire at once. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  return await Runtime.open(options);
}

interface Resident {
  readonly actor: Actor;
  readonly alarm: Promise<AlarmParts>;
  retryAlarm: boolean;
}

export class Runtime {
  readonly #clock: Clock;
  readonly #options: RuntimeOptions;
  readonly #limits: ObjectLimits;
  readonly #lock: DirectoryLock;
  readonly #journal: Journal;
  readonly #tables: Tables;
  readonly #ledgers: LedgerBook;
  readonly #images: Images;
  readonly #historian: Historian;
  readonly #cache: ValueCache;
  readonly #pool: DatabasePool;
  readonly #scheduler: AlarmScheduler;
  readonly #idle: IdleQueue<Actor>;
  readonly #residents = new Map<Owner, Resident>();
  readonly #owners = new WeakMap<Actor, Owner>();
  #classes!: ReadonlyMap<string, ClassEntry>;
  #toCommit: Actor[] = [];
  /** Turns that have ended and wait, uncommitted, for the sync that is running. */
  readonly #held = new Set<Actor>();
  #gathering = false;
  #closing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #housekeeping: Promise<unknown> = Promise.resolve();
  #detachClock: (() => void) | undefined;
  /** Grows with everything that happens; the virtual clock waits until it stands still. */
  #activity = 0;
  /** What the disk has been asked for by objects and has not answered yet. */
  #diskAsked = 0;

  private constructor(options: RuntimeOptions, parts: { lock: DirectoryLock; journal: Journal; tables: Tables }) {
    const { directory, fs = realFileSystem } = options;
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#limits = resolveLimits(options.limits);
    this.#lock = parts.lock;
    this.#journal = parts.journal;
    this.#tables = parts.tables;
    this.#cache = new ValueCache(this.#limits.cacheBytesMax);
    this.#pool = new DatabasePool(this.#limits.openDatabasesMax);
    const retentionMs = options.retentionMs ?? retentionMsDefault;
    this.#images = new Images(fs, `${directory}/images`);
    this.#historian = new Historian({
      journal: this.#journal,
      images: this.#images,
      clock: this.#clock,
      retentionMs,
    });
    this.#scheduler = new AlarmScheduler({
      clock: this.#clock,
      retriesMax: this.#limits.alarmRetriesMax,
      fire: (owner, alarm) => this.#fireAlarm(owner, alarm),
      drop: (owner, alarm) => void this.#dropAlarm(owner, alarm),
    });
    this.#ledgers = new LedgerBook({
      journal: this.#journal,
      tables: this.#tables,
      onAlarm: (owner, time) => this.#scheduler.set(owner, time),
    });
    this.#idle = new IdleQueue(this.#clock, options.idleMs ?? idleMsDefault, (actor) => this.#putAway(actor));
  }

  /** @internal */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    const { directory, fs = realFileSystem, clock = realClock, durability = 'disk' } = options;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const lock = DirectoryLock.acquire(directory);
    try {
      makeDirectory(fs, directory);
      rmSync(`${directory}/live`, { recursive: true, force: true });
      mkdirSync(`${directory}/live`, { mode: 0o700 });
      const journal = await Journal.open({
        directory: `${directory}/journal`,
        fs,
        clock,
        durability,
        ...(options.segmentBytes === undefined ? {} : { segmentBytes: options.segmentBytes }),
      });
      const tables = Tables.open({
        directory: `${directory}/tables`,
        fs,
        beforePublish: () => journal.harden(),
      });
      await replay(journal, tables);
      const runtime = new Runtime(options, { lock, journal, tables });
      await runtime.#begin();
      return runtime;
    } catch (error) {
      lock[Symbol.dispose]();
      throw error;
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    const { ids } = this.#class(className);
    // Asked for by name each time: the code behind it may have been replaced.
    return new DurableObjectNamespace<T>({ ids, obtain: (id) => this.#obtain(this.#class(className), id) });
  }

  /** The names of the classes. */
  get classNames(): string[] {
    return [...this.#classes.keys()];
  }

  /** An object's past, for operators: look at it, go back to it, take it out and put it in. */
  history(target: DurableObjectId | { readonly id: DurableObjectId }): ObjectHistory {
    const id = isDurableObjectId(target) ? target : target.id;
    if (!isDurableObjectId(id)) throw new TypeError('history() takes the id or a stub of an object');
    const entry = this.#class(classNameOf(id));
    if (entry.storage !== 'sql') {
      throw new TypeError(
        `history() reaches objects with SQL storage: ${entry.name} has key-value storage, which keeps no history`,
      );
    }
    const owner = entry.ownerOf(id);
    return new ObjectHistory({
      directory: `${this.#options.directory}/live`,
      ids: entry.ids,
      historian: this.#historian,
      withLedger: (work) => this.#ledgers.use(owner, work),
      committed: async () => await this.#residents.get(owner)?.actor.recorded(),
      reset: (cause) => this.#residents.get(owner)?.actor.break(cause),
    });
  }

  /** Every object that has stored something, with the name it was reached by, if any. */
  async *objects(className: string): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    yield* this.#ledgers.list(this.#class(className));
  }

  /** Reads everything on disk and reports what is damaged, with file and place. */
  async *scrub(): AsyncGenerator<{ file: string; offset: number; problem: string }> {
    for (const { file, offset, message } of this.#journal.scrub()) yield { file, offset, problem: message };
    yield* this.#tables.scrub();
    yield* this.#images.scrub();
  }

  /** Gives back history beyond the retention now, instead of within the hour. Answers how many files went. */
  async giveBackHistory(): Promise<number> {
    const horizon = this.#clock.now() - (this.#options.retentionMs ?? retentionMsDefault);
    const parts = {
      journal: this.#journal,
      tables: this.#tables,
      historian: this.#historian,
      withLedger: this.#ledgers.use.bind(this.#ledgers),
    };
    const work = this.#housekeeping.then(() => giveBackHistory(parts, horizon));
    this.#housekeeping = work.catch((error: unknown) => this.#log('history could not be given back', error));
    return await work;
  }

  /** Resets every object of these classes and goes on with other code for them. */
  async replaceClasses(classes: Readonly<Record<string, ClassOptions>>): Promise<void> {
    await this.#register(classes);
    for (const { actor } of [...this.#residents.values()]) actor.break(codeUpdatedError());
  }

  /** Makes everything durable and lets the directory go. Calls in progress get an error. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(): Promise<void> {
    const { classes } = this.#options;
    if (classes === 'recorded') {
      this.#classes = await recordedClasses({ journal: this.#journal, tables: this.#tables });
      return;
    }
    installAmbient({ virtualTime: this.#clock.virtual });
    await this.#register(classes);
    if (this.#clock instanceof VirtualClock) {
      this.#detachClock = this.#clock.attach(() => this.#untilIdle());
    }
    for await (const [owner, bytes] of this.#tables.iterate(reserved.alarms)) {
      this.#scheduler.set(owner as Owner, alarmOf(bytes));
    }
    this.#watchRetention();
  }

  async #register(classes: Readonly<Record<string, ClassOptions>>): Promise<void> {
    this.#classes = await registerClasses(classes, { journal: this.#journal, tables: this.#tables });
  }

  #class(name: string): ClassEntry {
    const entry = this.#classes.get(name);
    if (entry === undefined) {
      throw new TypeError(`there is no class ${name} in this runtime: it has ${[...this.#classes.keys()].join(', ')}`);
    }
    return entry;
  }

  #obtain(entry: ClassEntry, id: DurableObjectId): Actor {
    return this.#resident(entry, entry.ownerOf(id), id.name).actor;
  }

  #resident(entry: ClassEntry, owner: Owner, name: string | undefined): Resident {
    const present = this.#residents.get(owner);
    if (present !== undefined) return present;
    if (this.#closing !== undefined) throw closedError();
    this.#activity++;
    const actor = new Actor({
      clock: this.#clock,
      limits: this.#limits,
      scheduleCommit: (one) => this.#scheduleCommit(one),
      onIdle: (one, idle) => (idle ? this.#idle.add(one) : this.#idle.delete(one)),
      onEnd: (one) => this.#forget(one),
      onEvent: () => this.#activity++,
      onDisk: (answer) => this.#countDisk(answer),
      log: (message, error) => this.#log(message, error),
    });
    const alarm = Promise.withResolvers<AlarmParts>();
    alarm.promise.catch(() => {});
    const resident: Resident = { actor, alarm: alarm.promise, retryAlarm: true };
    this.#residents.set(owner, resident);
    this.#owners.set(actor, owner);
    void this.#start(resident, { entry, owner, name }, alarm);
    return resident;
  }

  async #start(
    resident: Resident,
    { entry, owner, name }: { entry: ClassEntry; owner: Owner; name: string | undefined },
    alarm: PromiseWithResolvers<AlarmParts>,
  ): Promise<void> {
    const { actor } = resident;
    const run = new AlarmRun(() => typeof entry.class.prototype?.alarm === 'function' || actor.lifecycle.state === 'starting');
    let awake: Awake | undefined;
    const prepare = async () => {
      const ledger = await this.#ledgers.acquire(owner);
      const release = (): void => this.#ledgers.release(ledger);
      awake = await wake({
        actor,
        entry,
        ledger,
        name,
        run,
        historian: this.#historian,
        tables: this.#tables,
        cache: this.#cache,
        pool: this.#pool,
        liveDirectory: `${this.#options.directory}/live`,
        exports: {},
        giveUpAlarm: () => {
          resident.retryAlarm = false;
        },
        onGrown: () => this.#keepHouse(owner),
        release,
      }).catch((error: unknown) => {
        release();
        throw error;
      });
      alarm.resolve({ actor, run, store: awake.store });
      return awake.store;
    };
    await actor.start(prepare, () => new entry.class(awake!.state, this.#options.env));
    if (actor.broken !== undefined) alarm.reject(actor.broken);
  }

  /** One macrotask ends the turn of every object that wrote in it: their records share a sync. */
  #scheduleCommit(actor: Actor): void {
    if (this.#toCommit.length === 0) setImmediate(this.#endTurn);
    this.#toCommit.push(actor);
  }

  readonly #endTurn = (): void => {
    const actors = this.#toCommit;
    this.#toCommit = [];
    this.#activity++;
    // While a sync runs, a commit would only wait for the next one: it may as well take what is written until then.
    const gather = this.#journal.busy;
    for (const actor of actors) {
      if (gather && actor.holdTurn()) this.#held.add(actor);
      else actor.commitTurn();
    }
    if (this.#held.size > 0 && !this.#gathering) {
      this.#gathering = true;
      // Not at once: if the sync failed, whoever waited for it must know first, lest he goes on from a lost record.
      this.#journal.whenFree(() => queueMicrotask(this.#commitHeld));
    }
    if (this.#closing === undefined) this.#flushIfNeeded();
  };

  readonly #commitHeld = (): void => {
    const actors = [...this.#held];
    this.#held.clear();
    this.#gathering = false;
    this.#activity++;
    for (const actor of actors) actor.commitTurn();
  };

  #flushIfNeeded(): void {
    const behind = this.#journal.durableEnd - this.#tables.position;
    if (this.#flushing !== undefined || !(this.#tables.needsFlush || behind > replayBytesMax)) return;
    this.#tables.touch(this.#journal.durableEnd);
    this.#flushing = this.#tables
      .flush()
      .catch((error: unknown) => this.#log('the tables could not be flushed; they stay in memory', error))
      .finally(() => {
        this.#flushing = undefined;
      });
  }

  /** Takes a snapshot of an object whose log has outgrown it, in its own time. */
  #keepHouse(owner: Owner): void {
    const work = async (): Promise<void> =>
      await this.#ledgers.use(owner, async (ledger) => await this.#historian.snapshot(ledger));
    this.#housekeeping = this.#housekeeping
      .then(work)
      .catch((error: unknown) => this.#log('a snapshot could not be written', error));
  }

  #forget(actor: Actor): void {
    this.#idle.delete(actor);
    const owner = this.#owners.get(actor);
    if (owner !== undefined && this.#residents.get(owner)?.actor === actor) this.#residents.delete(owner);
  }

  #putAway(actor: Actor): void {
    if (actor.idle && actor.lifecycle.state === 'running') actor.sleep();
    else if (actor.lifecycle.state === 'running') this.#idle.add(actor);
  }

  async #fireAlarm(owner: Owner, alarm: DueAlarm): Promise<AlarmOutcome> {
    const entry = this.#classOf(owner);
    if (entry === undefined) {
      this.#log(`an alarm is due for class number ${decodeOwner(owner).classNumber}, which this runtime does not have`);
      return { result: 'settled', next: null };
    }
    let resident: Resident | undefined;
    try {
      resident = this.#resident(entry, owner, undefined);
      const { actor } = resident;
      const parts = await resident.alarm;
      return await actor.enter(async () => await runAlarm(parts, alarm, actor.instance));
    } catch (error) {
      if (this.#closing !== undefined) return { result: 'settled', next: null };
      if (resident?.retryAlarm === false) {
        await this.#dropAlarm(owner, alarm);
        return { result: 'settled', next: null };
      }
      return { result: 'failed', counted: (error as { retryable?: boolean }).retryable !== true };
    }
  }

  async #dropAlarm(owner: Owner, { scheduledTime }: DueAlarm): Promise<void> {
    const entry = this.#classOf(owner);
    if (entry === undefined || this.#closing !== undefined) return;
    try {
      const { actor, alarm } = this.#resident(entry, owner, undefined);
      const parts = await alarm;
      await actor.enter(async () => dropAlarm(parts, scheduledTime));
    } catch (error) {
      this.#log('an alarm that failed for the last time could not be deleted', error);
    }
  }

  #classOf(owner: Owner): ClassEntry | undefined {
    const { classNumber } = decodeOwner(owner);
    if (classNumber >= classNumberMax) return undefined;
    return [...this.#classes.values()].find((entry) => entry.number === classNumber);
  }

  #watchRetention(): void {
    this.#clock.setTimer(
      this.#clock.now() + retentionCheckMs,
      () => {
        if (this.#closing !== undefined) return;
        void this.giveBackHistory().catch(() => {});
        this.#watchRetention();
      },
      'housekeeping',
    );
  }

  #countDisk(answer: Promise<unknown>): void {
    const answered = (): void => {
      this.#diskAsked--;
      this.#activity++;
    };
    this.#diskAsked++;
    answer.then(answered, answered);
  }

  /** Nothing happened for several turns, and nothing is on its way to or from disk. */
  async #untilIdle(): Promise<void> {
    for (let quiet = 0, seen = this.#activity; quiet < quietTurns; quiet++) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await this.#journal.flush().catch(() => {});
      await this.#housekeeping;
      const waiting = this.#toCommit.length > 0 || this.#held.size > 0 || this.#diskAsked > 0;
      if (seen === this.#activity && !waiting) continue;
      seen = this.#activity;
      quiet = 0;
    }
  }

  async #close(): Promise<void> {
    this.#scheduler.stop();
    for (const { actor } of [...this.#residents.values()]) actor.commitTurn();
    await this.#journal.flush().catch(() => {});
    for (const { actor } of [...this.#residents.values()]) actor.break(closedError());
    this.#idle.stop();
    await this.#housekeeping;
    // What was committed meanwhile settles in the tables: they stay until then.
    await this.#journal.flush().catch(() => {});
    await this.#flushing;
    this.#detachClock?.();
    this.#tables.touch(this.#journal.durableEnd);
    await this.#tables.flush().catch((error: unknown) => this.#log('the tables could not be flushed', error));
    await this.#tables.close();
    await this.#journal.close();
    this.#lock[Symbol.dispose]();
  }

  #log(message: string, error?: unknown): void {
    const { log = defaultLog } = this.#options;
    log(message, error);
  }
}

/** Makes a directory, and its parents if need be, so that it is still there after a power cut. */
function makeDirectory(fs: FileSystem, path: string): void {
  const parent = dirname(path);
  try {
    fs.mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error;
    makeDirectory(fs, parent);
    fs.mkdirSync(path);
  }
  fs.fsyncDirectorySync(parent);
}

const quietTurns = 4;

function defaultLog(message: string, error?: unknown): void {
  if (error === undefined) console.error(`gatehouse: ${message}`);
  else console.error(`gatehouse: ${message}:`, error);
}
