/**
 * Where the objects of a simulation are kept: what a directory or a cluster is to other runtimes. It outlives the lives of
 * objects, and crashes when its owner says so. What a directory promises holds here as well: an acknowledged write is never
 * lost, a commit is there whole or not at all.
 */
import type { Scratch } from '../files/scratch.ts';
import { alarmOf, reserved } from '../ledger/catalogue.ts';
import type { RecordedClass } from '../ledger/class-registry.ts';
import type { Owner } from '../ledger/records.ts';
import type { Fence } from '../persistence/fence.ts';
import { MemoryImages } from './memory-images.ts';
import { MemoryLog } from './memory-log.ts';
import { MemoryTables, type ReadDelay } from './memory-tables.ts';

export interface MemoryHomeParts {
  /** Where the SQLite files of awake objects lie. */
  readonly scratch: Scratch;
  readonly now: () => number;
  /** Makes commits of one object durable, in its own time: resolves when they are, rejects if they cannot be. */
  readonly sync: (owner: Owner) => Promise<void>;
  /** How long a read of keys takes; none takes any time by default. */
  readonly read?: ReadDelay;
  /** Whether the host may hang: see `stall`. */
  readonly canStall?: boolean;
}

/** The runtime that has the home. */
interface Tenant {
  readonly onStopped: (cause: Error) => void;
  readonly onAlarm: (owner: Owner, time: number | undefined) => void;
}

export class MemoryHome {
  readonly scratch: Scratch;
  readonly tables: MemoryTables;
  readonly images = new MemoryImages();
  /** By key: the kind of storage, a colon and the unique key of the class. */
  readonly classes = new Map<string, RecordedClass>();
  readonly #parts: MemoryHomeParts;
  readonly #logs = new Map<Owner, MemoryLog>();
  #tenant: Tenant | undefined;
  #isDown = false;
  #stall: PromiseWithResolvers<void> | undefined;

  /** What holds back the words of objects while the host hangs; undefined if it never does. */
  readonly fence: Fence | undefined;

  constructor(parts: MemoryHomeParts) {
    this.#parts = parts;
    this.scratch = parts.scratch;
    this.tables = new MemoryTables(parts.read);
    if (parts.canStall === true) this.fence = new MemoryFence(this);
  }

  /** @internal */
  enter(tenant: Tenant): void {
    this.#tenant = tenant;
  }

  logOf(owner: Owner): MemoryLog {
    let log = this.#logs.get(owner);
    if (log === undefined) {
      const { now, sync } = this.#parts;
      log = new MemoryLog({ owner, now, sync, isDown: () => this.#isDown });
      this.#logs.set(owner, log);
    }
    return log;
  }

  alarmOf(owner: Owner): number | undefined {
    const bytes = this.tables.peek(reserved.alarms, owner);
    return bytes === undefined ? undefined : alarmOf(bytes);
  }

  /**
   * The host stops and another goes on: every object ends without a word. Of the commits of an object that are on their way,
   * `keptOf` says how many have arrived, though no caller hears of it; the others are lost.
   */
  crash(cause: Error, keptOf: (owner: Owner, pending: number) => number): void {
    this.#isDown = true;
    this.#tenant?.onStopped(cause);
    // What waited for the host to come back must not be heard any more.
    this.#stall?.promise.catch(() => {});
    this.#stall?.reject(cause);
    this.#stall = undefined;
    for (const [owner, log] of this.#logs) log.crash(log.pending === 0 ? 0 : keptOf(owner, log.pending));
    this.#isDown = false;
    for (const owner of this.#logs.keys()) this.#tenant?.onAlarm(owner, this.alarmOf(owner));
  }

  /**
   * The host hangs: code in it goes on, and nothing that it says leaves it, as its lease may be over. It comes back with
   * `resume`, or another has taken its place, which ends everything in it: `crash`.
   */
  stall(): void {
    this.#stall ??= Promise.withResolvers<void>();
  }

  resume(): void {
    this.#stall?.resolve();
    this.#stall = undefined;
  }

  get isRunning(): boolean {
    return this.#stall === undefined;
  }

  /** Waits while the host hangs. */
  async whenRunning(): Promise<void> {
    while (this.#stall !== undefined) await this.#stall.promise;
  }

  /** Forgets everything that was stored. No object may be awake. */
  clear(): void {
    for (const owner of this.#logs.keys()) this.#tenant?.onAlarm(owner, undefined);
    this.#logs.clear();
    this.tables.clear();
    this.images.clear();
    this.scratch.kept.clear();
  }

  /** Resolves when nothing is on its way. */
  async flush(): Promise<void> {
    for (const log of this.#logs.values()) await log.flush();
  }
}

class MemoryFence implements Fence {
  readonly #home: MemoryHome;

  constructor(home: MemoryHome) {
    this.#home = home;
  }

  get holds(): boolean {
    return this.#home.isRunning;
  }

  regained(): Promise<void> {
    return this.#home.whenRunning();
  }
}
