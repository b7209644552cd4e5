/**
 * Where the objects of a simulation are stored, as other runtimes use a directory or a cluster. It outlives the lives
 * of objects, and crashes on its owner's command. It keeps the promises of a directory: an acknowledged write is never
 * lost, and a commit is stored whole or not at all.
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
  /** The location of the SQLite files of awake objects. */
  readonly scratch: Scratch;
  readonly now: () => number;
  /** Makes commits of one object durable after some time: resolves when they are, rejects if they cannot be. */
  readonly sync: (owner: Owner) => Promise<void>;
  /** How long a read of keys takes; by default, no time. */
  readonly read?: ReadDelay;
  /** Whether the host may hang: see `stall`. */
  readonly canStall?: boolean;
}

/** The runtime that uses the home. */
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

  /** Holds back the output of objects while the host hangs; undefined if it never does. */
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
   * The host stops and another takes over: every object ends, and none of its output leaves. Of an object's pending
   * commits, `keptOf` says how many were stored, although no caller learns of it; the others are lost.
   */
  crash(cause: Error, keptOf: (owner: Owner, pending: number) => number): void {
    this.#isDown = true;
    this.#tenant?.onStopped(cause);
    // What waits for the host to resume must fail now, without an unhandled rejection.
    this.#stall?.promise.catch(() => {});
    this.#stall?.reject(cause);
    this.#stall = undefined;
    for (const [owner, log] of this.#logs) log.crash(log.pending === 0 ? 0 : keptOf(owner, log.pending));
    this.#isDown = false;
    for (const owner of this.#logs.keys()) this.#tenant?.onAlarm(owner, this.alarmOf(owner));
  }

  /**
   * The host hangs: code in it continues, but no output leaves it, as its lease may be over. It continues with
   * `resume`, or another host has taken over, which ends everything in it: `crash`.
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

  /** Deletes everything that was stored. No object may be awake. */
  clear(): void {
    for (const owner of this.#logs.keys()) this.#tenant?.onAlarm(owner, undefined);
    this.#logs.clear();
    this.tables.clear();
    this.images.clear();
    this.scratch.kept.clear();
  }

  /** Resolves when no commit is pending. */
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
