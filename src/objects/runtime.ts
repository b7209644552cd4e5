/** One runtime owns one directory and every object in it. */
import { setImmediate } from 'node:timers';
import { type Clock, type Timer, VirtualClock, realClock } from '#base';
import type { Entry } from '#rpc';
import { AlarmService } from './alarm-service.ts';
import { checkOptions, type RuntimeOptions } from './runtime-options.ts';
import { type ClassEntry, type ClassOptions, recordedClasses, registerClasses } from './classes.ts';
import { Disk, type DiskStats } from './disk.ts';
import { ObjectHistory } from './history/object-history.ts';
import type { HeldDirectory } from './backup/hold-directory.ts';
import { measureJournal, type ObjectSize } from './inspection/sizes.ts';
import type { Repair } from './history/repair-object.ts';
import type { Damage } from './inspection/scrub.ts';
import { operate, type OperatorAction, type OperatorResult } from './inspection/operate.ts';
import type { OnProgress } from './progress.ts';
import { fromBinaryKey } from './stores/binary-keys.ts';
import { DurableObjectId, classNameOf, isDurableObjectId } from './ids.ts';
import type { AlarmOutcome } from './alarms/alarm-scheduler.ts';
import { alarmOf, classNumberMax, decodeEntry, reserved } from './ledger/catalogue.ts';
import { type Owner, decodeOwner } from './ledger/records.ts';
import type { Actor } from './actor/actor.ts';
import { patchGlobals } from './actor/patched-globals.ts';
import { closedError, codeUpdatedError } from './errors.ts';
import { LiveObjects } from './live/live-objects.ts';
import {
  type ObjectLimits,
  idleMsDefault,
  resolveLimits,
  retentionCheckMs,
  retentionMsDefault,
} from './limits.ts';
import { DurableObjectNamespace, ObjectEntry } from './namespace.ts';

/** Opens a directory and brings its objects within reach; overdue alarms fire at once. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  checkOptions(options);
  return await Runtime.open(options);
}

export interface RuntimeStats extends DiskStats {
  /** By class. */
  readonly objectsAwake: ReadonlyMap<string, number>;
}

interface RepairRequest {
  readonly dryRun?: boolean;
  /** Images that are there are taken to be whole. */
  readonly onlyMissing?: boolean;
  readonly onProgress?: OnProgress | undefined;
}

export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #clock: Clock;
  readonly #disk: Disk;
  readonly #liveObjects: LiveObjects;
  readonly #alarms: AlarmService;
  #classes: ReadonlyMap<string, ClassEntry> = new Map();
  #retentionTimer: Timer | undefined;
  #detachClock: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: RuntimeOptions, limits: ObjectLimits, disk: Disk) {
    const { clock = realClock, env, exports = {}, idleMs = idleMsDefault, log = defaultLog } = options;
    this.#options = options;
    this.#clock = clock;
    this.#disk = disk;
    this.#liveObjects = new LiveObjects({ disk, clock, limits, idleMs, env, exports, log });
    this.#alarms = new AlarmService({
      clock,
      retriesMax: limits.alarmRetriesMax,
      liveObjects: this.#liveObjects,
      classOf: (owner) => this.#classOf(owner),
      log,
    });
  }

  /** @internal */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    const { clock = realClock, directory, durability = 'disk', fs, log = defaultLog, segmentBytes } = options;
    const { retentionMs = retentionMsDefault, salvage = false } = options;
    const limits = resolveLimits(options.limits);
    // Nothing changes an alarm before there is a runtime to be told of it.
    let alarms: AlarmService | undefined;
    const onAlarm = (owner: Owner, time: number | undefined): void => alarms?.set(owner, time);
    const disk = await Disk.open({
      directory,
      clock,
      durability,
      retentionMs,
      fs,
      segmentBytes,
      salvage,
      onAlarm,
      log,
    });
    try {
      const runtime = new Runtime(options, limits, disk);
      alarms = runtime.#alarms;
      await runtime.#begin();
      return runtime;
    } catch (error) {
      await disk.close();
      throw error;
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    const { ids } = this.#class(className);
    return new DurableObjectNamespace<T>({ ids, open: (id) => this.openEntry(id) });
  }

  /** What answers the calls of one stub of an object. */
  openEntry(id: DurableObjectId): Entry {
    return new ObjectEntry(id, this.#obtain);
  }

  readonly #obtain = (id: DurableObjectId): Actor => {
    // Asked for by name each time: the code behind it may have been replaced.
    const entry = this.#class(classNameOf(id));
    return this.#liveObjects.obtain(entry, entry.ownerOf(id), id.name).actor;
  };

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
      scratch: this.#disk.scratch,
      name: id.name,
      ids: entry.ids,
      historian: this.#disk.historian,
      holdHistory: () => this.#disk.holdHistory(),
      withLedger: (work) => this.#disk.ledgers.use(owner, work),
      committed: async () => await this.#liveObjects.find(owner)?.writes.recorded(),
      reset: (cause) => this.#liveObjects.find(owner)?.break(cause),
    });
  }

  /** Every object that has stored something, with the name it was reached by, if any. */
  async *objects(className: string): AsyncGenerator<{ id: DurableObjectId; name: string | undefined }> {
    yield* this.#disk.ledgers.list(this.#class(className));
  }

  /** For monitoring. */
  stats(): RuntimeStats {
    const awake = new Map(this.classNames.map((name) => [name, 0]));
    for (const owner of this.#liveObjects.owners()) {
      const name = this.#classOf(owner)?.name;
      if (name !== undefined) awake.set(name, awake.get(name)! + 1);
    }
    return { ...this.#disk.stats(), objectsAwake: awake };
  }

  /** The stored values of an object with key-value storage, in the order of their keys, as they are on disk. */
  async *storedValues(id: DurableObjectId): AsyncGenerator<[key: string, value: Uint8Array]> {
    const entry = this.#class(classNameOf(id));
    if (entry.storage !== 'kv')
      throw new TypeError(`storedValues() reads key-value storage, ${entry.name} has SQL storage`);
    for await (const [key, value] of this.#disk.tables.iterate(entry.ownerOf(id)))
      yield [fromBinaryKey(key), value];
  }

  /** When the alarm of an object is due; undefined if it has none. */
  async alarmTime(id: DurableObjectId): Promise<number | undefined> {
    const bytes = await this.#disk.tables.get(reserved.alarms, this.#class(classNameOf(id)).ownerOf(id));
    return bytes === undefined ? undefined : alarmOf(bytes);
  }

  /** Every alarm that is set, of the classes that this runtime has, in no order. */
  async *alarms(): AsyncGenerator<{ className: string; id: DurableObjectId; time: number }> {
    for await (const [owner, bytes] of this.#disk.tables.iterate(reserved.alarms)) {
      const className = this.#classOf(owner as Owner)?.name;
      if (className === undefined) continue;
      const id = new DurableObjectId(decodeOwner(owner as Owner).idHex, className);
      yield { className, id, time: alarmOf(bytes) };
    }
  }

  /** Fires the alarm of an object now, as if its time had come. */
  runAlarm(id: DurableObjectId): Promise<AlarmOutcome | 'none' | 'running'> {
    return this.#alarms.runNow(this.#class(classNameOf(id)).ownerOf(id));
  }

  /** Changes an object as an operator does: by an event of the object, durable when it resolves. Resets the object. */
  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult> {
    const entry = this.#class(classNameOf(id));
    return operate(this.#liveObjects.obtain(entry, entry.ownerOf(id), id.name), action, entry.storage);
  }

  /** The name that an object was reached by when it stored something, if it was by name. */
  async nameOf(id: DurableObjectId): Promise<string | undefined> {
    const owner = this.#class(classNameOf(id)).ownerOf(id);
    return decodeEntry(await this.#disk.tables.get(reserved.objects, owner)).name;
  }

  /** How the objects of a class store. */
  storageOf(className: string): 'kv' | 'sql' {
    return this.#class(className).storage;
  }

  /** A path nobody has used, for a file of this size that is needed for a while only. */
  scratchPath(name: string, bytes: number): string {
    return this.#disk.scratch.pathFor(name, bytes);
  }

  /**
   * Reads everything on disk, in pieces between which objects are served, and reports what is damaged or missing, with file
   * and place.
   */
  async *scrub({ onProgress }: { readonly onProgress?: OnProgress } = {}): AsyncGenerator<Damage> {
    yield* this.#disk.scrub(onProgress);
  }

  /** Everything on disk as of one position, to be copied while the objects go on. Dispose of it when the copy is done. */
  holdForBackup(): Promise<HeldDirectory> {
    return this.#disk.holdForBackup();
  }

  /**
   * Rebuilds the snapshots and base images that are missing or damaged from the log, and says what cannot be rebuilt.
   * Deletes nothing. `repairDirectory` does the same for a directory that cannot be opened.
   */
  async *repair({
    dryRun = false,
    onlyMissing = false,
    onProgress,
  }: RepairRequest = {}): AsyncGenerator<Repair> {
    let objects = 0;
    for (const entry of this.#classes.values()) {
      if (entry.storage !== 'sql') continue;
      const { name: className } = entry;
      for await (const { id, name } of this.#disk.ledgers.list(entry)) {
        onProgress?.({ step: 'checking the histories of objects', done: ++objects, total: undefined });
        for (const repair of await this.#disk.repair(entry.ownerOf(id), { dryRun, onlyMissing })) {
          yield { ...repair, object: { className, id: id.toString(), name } };
        }
      }
    }
  }

  /**
   * Resolves if the disk takes writes; otherwise it rejects with what the disk says. After a write that failed it tries
   * one, so that it notices when there is space again; otherwise it costs nothing.
   */
  checkWritable(): Promise<void> {
    return this.#disk.journal.probe();
  }

  /**
   * Gives back history beyond the retention now, instead of within the hour, or beyond a shorter time. Answers how many
   * files went.
   */
  giveBackHistory({ retentionMs }: { readonly retentionMs?: number } = {}): Promise<number> {
    return this.#disk.giveBackHistory(retentionMs);
  }

  /** Every object with what it takes on disk. Reads the whole journal first. */
  async *sizes(): AsyncGenerator<
    { className: string; id: DurableObjectId; name: string | undefined } & ObjectSize
  > {
    const journal = measureJournal(this.#disk.journal);
    for (const entry of this.#classes.values()) {
      for await (const { id, name } of this.#disk.ledgers.list(entry)) {
        yield { className: entry.name, id, name, ...(await this.#disk.measure(entry.ownerOf(id), journal)) };
      }
    }
  }

  /** Goes on with other code for the objects, all of which are reset. */
  async replaceClasses(classes: Readonly<Record<string, ClassOptions>>): Promise<void> {
    this.#classes = await registerClasses(classes, this.#disk);
    this.#liveObjects.breakAll(codeUpdatedError());
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
      this.#classes = await recordedClasses(this.#disk);
      return;
    }
    patchGlobals({ virtualTime: this.#clock.virtual });
    this.#classes = await registerClasses(classes, this.#disk);
    if (this.#clock instanceof VirtualClock) this.#detachClock = this.#clock.attach(() => this.#untilIdle());
    for await (const [owner, bytes] of this.#disk.tables.iterate(reserved.alarms)) {
      this.#alarms.set(owner as Owner, alarmOf(bytes));
    }
    this.#watchRetention();
  }

  #class(name: string): ClassEntry {
    const entry = this.#classes.get(name);
    if (entry === undefined) {
      throw new TypeError(`there is no class ${name} in this runtime: it has ${this.classNames.join(', ')}`);
    }
    return entry;
  }

  #classOf(owner: Owner): ClassEntry | undefined {
    const { classNumber } = decodeOwner(owner);
    if (classNumber >= classNumberMax) return undefined;
    return [...this.#classes.values()].find((entry) => entry.number === classNumber);
  }

  #watchRetention(): void {
    this.#retentionTimer = this.#clock.setTimer(
      this.#clock.now() + retentionCheckMs,
      () => {
        void this.giveBackHistory().catch(() => {});
        this.#watchRetention();
      },
      'housekeeping',
    );
  }

  /** Nothing happened for several turns, and nothing is on its way to or from disk. */
  async #untilIdle(): Promise<void> {
    const liveObjects = this.#liveObjects;
    for (let quiet = 0, seen = liveObjects.activity; quiet < quietTurns; quiet++) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await this.#disk.atRest();
      if (seen === liveObjects.activity && !liveObjects.waiting) continue;
      seen = liveObjects.activity;
      quiet = 0;
    }
  }

  async #close(): Promise<void> {
    this.#retentionTimer?.cancel();
    this.#alarms.stop();
    await this.#liveObjects.close(closedError());
    this.#detachClock?.();
    await this.#disk.close();
  }
}

const quietTurns = 4;

function defaultLog(message: string, error?: unknown): void {
  if (error === undefined) console.error(`gatehouse: ${message}`);
  else console.error(`gatehouse: ${message}:`, error);
}
