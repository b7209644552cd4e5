/** A runtime owns one directory and every object in it. */
import { setImmediate } from 'node:timers';
import { type Clock, type Timer, VirtualClock, realClock } from '#base';
import type { Address, LinkEntry } from '#rpc';
import { AlarmService } from './alarm-service.ts';
import { checkOptions, type RuntimeOptions } from './runtime-options.ts';
import { type ClassEntry, type ClassOptions, recordedClasses, registerClasses, Unwoken } from './classes.ts';
import type { ObjectStorage } from './persistence/object-storage.ts';
import { openStorage } from './homes/open-storage.ts';
import type { RoutedObject } from './clustered/cluster-port.ts';
import { ObjectHistory } from './history/object-history.ts';
import type { HeldDirectory } from './backup/hold-directory.ts';
import type { Repair } from './history/repair-object.ts';
import type { Damage } from './inspection/scrub.ts';
import { operate, type OperatorAction, type OperatorResult } from './inspection/operate.ts';
import type { OnProgress } from './progress.ts';
import { fromBinaryKey } from './stores/binary-keys.ts';
import { DurableObjectId, classNameOf, isDurableObjectId } from './ids.ts';
import type { AlarmOutcome } from './alarms/alarm-scheduler.ts';
import { classNumberMax } from './ledger/catalogue.ts';
import { type Owner, decodeOwner } from './ledger/records.ts';
import { type Actor, currentContext } from './actor/actor.ts';
import { patchGlobals } from './actor/patched-globals.ts';
import { closedError, codeUpdatedError } from './errors.ts';
import { LiveObjects } from './live/live-objects.ts';
import { type ObjectLimits, idleMsDefault, resolveLimits, retentionCheckMs } from './limits.ts';
import { PausedObjects } from './live/paused-objects.ts';
import type { DurableObjectState } from './state.ts';
import { DurableObjectNamespace, ObjectEntry, addressOf, createObjectStub } from './namespace.ts';
import type {
  MeasuredObject,
  ObjectRuntime,
  RepairRequest,
  RuntimeStats,
  SetAlarm,
  StoredObject,
} from './object-runtime.ts';

/** Opens a directory and makes its objects callable; overdue alarms fire at once. */
export async function createRuntime(options: RuntimeOptions): Promise<Runtime> {
  return await Runtime.open(options);
}

export class Runtime implements ObjectRuntime {
  readonly #options: RuntimeOptions;
  readonly #clock: Clock;
  readonly #disk: ObjectStorage;
  readonly #liveObjects: LiveObjects;
  readonly #alarms: AlarmService;
  readonly #paused: PausedObjects;
  #classes: ReadonlyMap<string, ClassEntry> = new Map();
  #retentionTimer: Timer | undefined;
  #detachClock: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: RuntimeOptions, limits: ObjectLimits, disk: ObjectStorage) {
    const { clock = realClock, env, exports = {}, idleMs = idleMsDefault, simulation } = options;
    const { log = defaultLog } = options;
    this.#options = options;
    this.#clock = clock;
    this.#disk = disk;
    this.#paused = new PausedObjects(options.paused);
    this.#liveObjects = new LiveObjects({ disk, clock, limits, idleMs, env, exports, simulation, log });
    this.#alarms = new AlarmService({
      clock,
      retriesMax: limits.alarmRetriesMax,
      random: simulation?.random,
      liveObjects: this.#liveObjects,
      paused: this.#paused,
      fenceOf: (owner) => disk.fenceOf(owner),
      classOf: (owner) => this.#classOf(owner),
      log,
    });
  }

  /** @internal */
  static async open(options: RuntimeOptions): Promise<Runtime> {
    // No alarm changes, and nothing is lost, before there is a runtime to be notified of it.
    let parts: { readonly alarms: AlarmService; readonly liveObjects: LiveObjects } | undefined;
    let disk: ObjectStorage | undefined;
    try {
      checkOptions(options);
      const limits = resolveLimits(options.limits);
      disk = await openStorage(options, {
        onAlarm: (owner, time) => parts?.alarms.set(owner, time),
        onLost: (owners, cause) => parts?.liveObjects.breakThese(owners, cause),
        onStopped: (cause) => parts?.liveObjects.breakAll(cause),
        log: options.log ?? defaultLog,
      });
      const runtime = new Runtime(options, limits, disk);
      parts = { alarms: runtime.#alarms, liveObjects: runtime.#liveObjects };
      await runtime.#begin();
      return runtime;
    } catch (error) {
      // The cluster was joined for this runtime: without leaving it, its lease would keep the process from exiting.
      if (disk === undefined) await options.cluster?.leave().catch(() => {});
      else await disk.close();
      throw error;
    }
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    const { ids } = this.#class(className);
    return new DurableObjectNamespace<T>({ ids, open: (id) => this.openEntry(id) });
  }

  /** The entry that answers the calls of one stub of an object. */
  openEntry(id: DurableObjectId): LinkEntry {
    const { cluster, simulation } = this.#options;
    if (simulation !== undefined)
      return simulation.route(this.#routed(id), currentContext()?.actor.parts.work.text);
    return cluster === undefined ? new ObjectEntry(id, this.#obtain) : cluster.route(this.#routed(id));
  }

  /** An object as the hosts of a cluster address it. */
  #routed(id: DurableObjectId): RoutedObject {
    const owner = this.#class(classNameOf(id)).ownerOf(id);
    return { owner, address: addressOf(id), open: () => new ObjectEntry(id, this.#obtain) };
  }

  #idAt({ className, id, name }: Address): DurableObjectId {
    if (className === undefined || id === undefined || !/^[0-9a-f]{64}$/.test(id))
      throw new TypeError('an object is named by its class and its id');
    return this.#class(className).ids.fromAddress(id, name);
  }

  readonly #obtain = (id: DurableObjectId): Actor => {
    // Looked up by name each time: its code may have been replaced.
    const entry = this.#class(classNameOf(id));
    const refusal = this.#paused.refusalOf(entry.name, id.toString());
    if (refusal !== undefined) throw refusal;
    return this.#liveObjects.obtain(entry, entry.ownerOf(id), id.name).actor;
  };

  /** The names of the classes. */
  get classNames(): string[] {
    return [...this.#classes.keys()];
  }

  /** An object's past, for operators: read it, restore it, export it, import into it. */
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
    const disk = this.#disk;
    return new ObjectHistory({
      scratch: disk.scratch,
      name: id.name,
      ids: entry.ids,
      // Only callers that hold the ledger read this.
      get historian() {
        return disk.historianOf(owner);
      },
      holdHistory: () => this.#disk.holdHistory(),
      withLedger: (work) => this.#disk.ledgers.use(owner, work),
      committed: async () => await this.#liveObjects.find(owner)?.writes.recorded(),
      reset: (cause) => this.#liveObjects.find(owner)?.break(cause),
    });
  }

  /** Every object that has stored something, with the name it was addressed by, if any. */
  async *objects(className: string): AsyncGenerator<StoredObject> {
    yield* this.#disk.list(this.#class(className));
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

  /** The stored values of an object with key-value storage, in the order of their keys, encoded as on disk. */
  async *storedValues(id: DurableObjectId): AsyncGenerator<[key: string, value: Uint8Array]> {
    const entry = this.#class(classNameOf(id));
    if (entry.storage !== 'kv')
      throw new TypeError(`storedValues() reads key-value storage, ${entry.name} has SQL storage`);
    for await (const [key, value] of this.#disk.storedValues(entry.ownerOf(id)))
      yield [fromBinaryKey(key), value];
  }

  /** When the alarm of an object is due; undefined if it has none. */
  alarmTime(id: DurableObjectId): Promise<number | undefined> {
    return this.#disk.alarmOf(this.#class(classNameOf(id)).ownerOf(id));
  }

  /** Every alarm that is set, of this runtime's classes, in no order. */
  async *alarms(): AsyncGenerator<SetAlarm> {
    for await (const [owner, time] of this.#disk.alarms()) {
      const className = this.#classOf(owner)?.name;
      if (className === undefined) continue;
      yield { className, id: new DurableObjectId(decodeOwner(owner).idHex, className), time };
    }
  }

  /** Fires the alarm of an object now, as if its time had come. */
  runAlarm(id: DurableObjectId): Promise<AlarmOutcome | 'none' | 'running'> {
    return this.#alarms.runNow(this.#class(classNameOf(id)).ownerOf(id));
  }

  /** @internal Puts away every object that has nothing to do; returns how many. */
  putIdleAway(): number {
    return this.#liveObjects.putIdleAway();
  }

  /**
   * @internal Puts an object away once it has nothing left to do, as if it had been idle for long; resolves to whether
   * it was awake. Its hibernating sockets stay open, unless `closesSockets` is set.
   */
  async evict(id: DurableObjectId, { closesSockets }: { readonly closesSockets: boolean }): Promise<boolean> {
    const owner = this.#class(classNameOf(id)).ownerOf(id);
    return await this.#liveObjects.evict(owner, { closesSockets });
  }

  /** @internal Puts every object away once it has nothing left to do. */
  async evictAll(options: { readonly closesSockets: boolean }): Promise<void> {
    const owners = [...this.#liveObjects.owners()];
    await Promise.all(owners.map((owner) => this.#liveObjects.evict(owner, options)));
  }

  /** @internal Runs code as an event of an object, with its instance and its `ctx`. */
  async runInside<T>(
    id: DurableObjectId,
    body: (instance: object, state: DurableObjectState) => T,
  ): Promise<Awaited<T>> {
    const entry = this.#class(classNameOf(id));
    const { actor, alarm: parts } = this.#liveObjects.obtain(entry, entry.ownerOf(id), id.name);
    return await actor.enter(async () => await body(actor.instance, (await parts).state));
  }

  /** Changes an object as an operator: by an event of the object, durable when it resolves. Resets the object. */
  operate(id: DurableObjectId, action: OperatorAction): Promise<OperatorResult> {
    const entry = this.#class(classNameOf(id));
    // Even without its code, the object's storage is accessible.
    const woken = this.#options.classes === 'recorded' ? { ...entry, class: Unwoken } : entry;
    return operate(this.#liveObjects.obtain(woken, entry.ownerOf(id), id.name), action, entry.storage);
  }

  /** The name that an object was addressed by when it stored something, if it was addressed by name. */
  nameOf(id: DurableObjectId): Promise<string | undefined> {
    return this.#disk.nameOf(this.#class(classNameOf(id)).ownerOf(id));
  }

  /** The storage kind of the objects of a class. */
  storageOf(className: string): 'kv' | 'sql' {
    return this.#class(className).storage;
  }

  /** An unused path for a temporary file of this size. */
  scratchPath(name: string, bytes: number): string {
    return this.#disk.scratch.pathFor(name, bytes);
  }

  /**
   * Reads everything on disk, in pieces between which objects are served, and reports what is damaged or missing, with
   * file and place.
   */
  async *scrub({ onProgress }: { readonly onProgress?: OnProgress } = {}): AsyncGenerator<Damage> {
    yield* this.#disk.scrub(onProgress);
  }

  /** Keeps the files on disk, to be copied as of one position while the objects continue. Dispose of it afterwards. */
  holdForBackup(): Promise<HeldDirectory> {
    return this.#disk.holdForBackup();
  }

  /**
   * Rebuilds missing or damaged snapshots and base images from the log, and reports what cannot be rebuilt. Deletes
   * nothing. `repairDirectory` does the same for a directory that cannot be opened.
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
      for await (const { id, name } of this.#disk.list(entry)) {
        onProgress?.({ step: 'checking the histories of objects', done: ++objects, total: undefined });
        for (const repair of await this.#disk.repair(entry.ownerOf(id), { dryRun, onlyMissing })) {
          yield { ...repair, object: { className, id: id.toString(), name } };
        }
      }
    }
  }

  /**
   * Resolves if the disk accepts writes; otherwise rejects with the disk's error. After a failed write it tries
   * another, so that it notices when there is space again; otherwise it costs nothing.
   */
  checkWritable(): Promise<void> {
    return this.#disk.commits.probe();
  }

  /**
   * Drops history beyond the retention now, instead of within the hour, or beyond a shorter time. Returns how many
   * files were removed.
   */
  giveBackHistory({ retentionMs }: { readonly retentionMs?: number } = {}): Promise<number> {
    return this.#disk.giveBackHistory(retentionMs);
  }

  /** Every object with its size on disk. Reads the whole journal first. */
  async *sizes(): AsyncGenerator<MeasuredObject> {
    const measure = this.#disk.measure();
    for (const entry of this.#classes.values()) {
      for await (const { id, name } of this.#disk.list(entry)) {
        yield { className: entry.name, id, name, ...(await measure(entry.ownerOf(id))) };
      }
    }
  }

  /** Replaces the code of the objects, all of which are reset. */
  async replaceClasses(classes: Readonly<Record<string, ClassOptions>>): Promise<void> {
    this.#classes = await registerClasses(classes, this.#disk.classes, this.#options.simulation?.idsOf);
    this.#paused.clear();
    this.#liveObjects.breakAll(codeUpdatedError());
  }

  /** Makes everything durable and releases the directory. Calls in progress get an error. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #begin(): Promise<void> {
    const { classes, isAsleep = false } = this.#options;
    if (classes === 'recorded') {
      this.#classes = await recordedClasses(this.#disk.classes);
      return;
    }
    if (!isAsleep) patchGlobals({ virtualTime: this.#clock.virtual });
    this.#classes = await registerClasses(classes, this.#disk.classes, this.#options.simulation?.idsOf);
    if (isAsleep) return;
    if (this.#clock instanceof VirtualClock) {
      this.#detachClock = this.#clock.attach(async () => void (await this.untilIdle()));
    }
    this.#options.cluster?.serve({
      resolve: (address) => this.#routed(this.#idAt(address)),
      createStub: (address, holder) => {
        const id = this.#idAt(address);
        return createObjectStub(id, this.openEntry(id), holder) as object;
      },
    });
    await this.#disk.beginAlarms();
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

  /** Resolves after several turns without any event or pending disk operation; returns how many events there were. */
  async untilIdle(): Promise<number> {
    const liveObjects = this.#liveObjects;
    for (let quiet = 0, seen = liveObjects.activity; quiet < quietTurns; quiet++) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
      await this.#disk.atRest();
      if (seen === liveObjects.activity && !liveObjects.waiting) continue;
      seen = liveObjects.activity;
      quiet = 0;
    }
    return liveObjects.activity;
  }

  async #close(): Promise<void> {
    this.#retentionTimer?.cancel();
    await this.#disk.handOver((owner) => this.#liveObjects.putAway(owner));
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
