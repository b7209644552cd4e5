/** The objects that are awake: each is woken by its first caller, and put away when it has been idle for a while. */
import { setImmediate } from 'node:timers';
import type { Clock } from '#base';
import { WorkName } from '#work';
import { ObjectSockets } from '#sockets';
import type { AlarmParts } from '../alarms/alarm-handler.ts';
import { AlarmRun } from '../alarms/alarm-run.ts';
import type { ClassEntry } from '../classes.ts';
import { decodeOwner, type Owner } from '../ledger/records.ts';
import { describeObject } from './paused-objects.ts';
import type { ObjectStorage } from '../persistence/object-storage.ts';
import type { ObjectLimits } from '../limits.ts';
import type { DurableObjectState } from '../state.ts';
import { ValueCache } from '../stores/value-cache.ts';
import { Actor } from '../actor/actor.ts';
import { enterForSocket } from '../actor/socket-owner.ts';
import { isRestart } from '../errors.ts';
import { DatabasePool } from '../files/database-pool.ts';
import { IdleQueue } from './idle-queue.ts';
import type { Simulation } from '../memory/simulation.ts';
import { EndedTurns } from '../actor/ended-turns.ts';
import { type Awake, wake } from './wake.ts';

export interface LiveObjectsParts {
  readonly disk: ObjectStorage;
  readonly clock: Clock;
  readonly limits: ObjectLimits;
  readonly idleMs: number;
  /** What objects get as `env`. */
  readonly env: unknown;
  /** What objects get as `ctx.exports`. */
  readonly exports: object;
  readonly simulation?: Simulation | undefined;
  readonly log: (message: string, error?: unknown) => void;
}

/** An object that is awake or waking. */
export interface Resident {
  readonly actor: Actor;
  /** Resolves when the object is awake. */
  readonly alarm: Promise<WokenParts>;
  /** Whether a failed run of the object's alarm may be retried. */
  retryAlarm: boolean;
}

interface WokenParts extends AlarmParts {
  /** The object's own `ctx`. */
  readonly state: DurableObjectState;
}

export class LiveObjects {
  readonly #parts: LiveObjectsParts;
  readonly #cache: ValueCache;
  readonly #pool: DatabasePool;
  readonly #idle: IdleQueue<Actor>;
  readonly #turns: EndedTurns;
  readonly #residents = new Map<Owner, Resident>();
  /** The sockets of objects that have any, awake or not. */
  readonly #sockets = new Map<Owner, ObjectSockets>();
  /** A counter that grows with every event. */
  #activity = 0;
  /** Requests of objects to the disk that are still pending. */
  #diskAsked = 0;
  #closed: Error | undefined;

  constructor(parts: LiveObjectsParts) {
    this.#parts = parts;
    this.#cache = new ValueCache(parts.limits.cacheBytesMax);
    this.#pool = new DatabasePool(parts.limits.openDatabasesMax);
    const idle = { idleMs: parts.idleMs, idleMax: parts.limits.idleObjectsMax };
    this.#idle = new IdleQueue(parts.clock, idle, (actor) => this.#putAway(actor));
    this.#turns = new EndedTurns(() => {
      this.#activity++;
      if (this.#closed === undefined) parts.disk.flushIfNeeded();
    }, parts.simulation?.defer);
  }

  /** Identifies a moment: while it is unchanged, nothing has happened. */
  get activity(): number {
    return this.#activity;
  }

  /** Whether the objects wait for the disk. */
  get waiting(): boolean {
    return this.#turns.waiting || this.#diskAsked > 0;
  }

  /** The owners of the objects that are awake. */
  owners(): Iterable<Owner> {
    return this.#residents.keys();
  }

  /** The object if it is awake. */
  find(owner: Owner): Actor | undefined {
    return this.#residents.get(owner)?.actor;
  }

  /** The object, woken if necessary. */
  obtain(entry: ClassEntry, owner: Owner, name?: string): Resident {
    const present = this.#residents.get(owner);
    if (present !== undefined) return present;
    if (this.#closed !== undefined) throw this.#closed;
    this.#activity++;
    const actor = this.#createActor(entry, owner, name);
    const alarm = Promise.withResolvers<WokenParts>();
    alarm.promise.catch(() => {});
    const resident: Resident = { actor, alarm: alarm.promise, retryAlarm: true };
    this.#residents.set(owner, resident);
    void this.#start(resident, { entry, owner, name }, alarm);
    return resident;
  }

  /**
   * Puts an object away for another process, if it has nothing to do; returns whether it is not awake. Its sockets
   * close as at a restart: their clients reconnect, and reach the object in its process of that time.
   */
  putAway(owner: Owner): boolean {
    const actor = this.#residents.get(owner)?.actor;
    if (actor !== undefined && (actor.lifecycle.state !== 'running' || !actor.idle)) return false;
    actor?.sleep();
    this.#sockets.get(owner)?.end({ isRestart: true });
    this.#sockets.delete(owner);
    return true;
  }

  /** Puts away every object that has nothing to do, as if it had been idle for long; returns how many. */
  putIdleAway(): number {
    const isIdle = ({ actor }: Resident): boolean => actor.lifecycle.state === 'running' && actor.idle;
    const idle = [...this.#residents.values()].filter(isIdle);
    for (const { actor } of idle) actor.sleep();
    return idle.length;
  }

  /** Puts an object away as soon as it has nothing to do; resolves to whether it was awake. */
  async evict(owner: Owner, { closesSockets }: { readonly closesSockets: boolean }): Promise<boolean> {
    const actor = this.#residents.get(owner)?.actor;
    if (actor === undefined) return false;
    while (actor.lifecycle.state === 'starting' || (actor.lifecycle.state === 'running' && !actor.idle))
      await new Promise<void>((resolve) => void setImmediate(resolve));
    if (actor.lifecycle.state === 'running') actor.sleep();
    if (closesSockets) {
      this.#sockets.get(owner)?.end({ isRestart: true });
      this.#sockets.delete(owner);
    }
    return true;
  }

  /** Resets every object. */
  breakAll(cause: Error): void {
    for (const { actor } of [...this.#residents.values()]) actor.break(cause);
  }

  /** Resets those of these objects that are awake. */
  breakThese(owners: Iterable<Owner>, cause: Error): void {
    for (const owner of owners) this.#residents.get(owner)?.actor.break(cause);
  }

  /** Commits what the objects have written, then ends them; from now on no object can be woken. */
  async close(cause: Error): Promise<void> {
    this.#closed = cause;
    for (const { actor } of [...this.#residents.values()]) {
      actor.writes.endTurn();
      actor.writes.record();
    }
    await this.#parts.disk.commits.flush().catch(() => {});
    this.breakAll(cause);
    this.#idle.stop();
  }

  #createActor(entry: ClassEntry, owner: Owner, name: string | undefined): Actor {
    const { clock, disk, limits, log, simulation } = this.#parts;
    return new Actor({
      work: new WorkName(describeObject(entry.name, decodeOwner(owner).idHex, name)),
      clock,
      limits,
      fence: disk.fenceOf(owner),
      defer: simulation?.defer,
      fetch: simulation?.fetch,
      log,
      scheduleRecord: (actor) => this.#turns.add(actor, disk.commitsOf(owner)),
      onIdle: (actor, idle) => (idle ? this.#idle.add(actor) : this.#idle.delete(actor)),
      onEnd: (actor) => this.#forget(owner, actor),
      onEvent: () => this.#activity++,
      onDisk: (answer) => this.#countDisk(answer),
    });
  }

  async #start(
    resident: Resident,
    { entry, owner, name }: { entry: ClassEntry; owner: Owner; name: string | undefined },
    alarm: PromiseWithResolvers<WokenParts>,
  ): Promise<void> {
    const { disk, env } = this.#parts;
    const { actor } = resident;
    const isStarting = (): boolean => actor.lifecycle.state === 'starting';
    let constructor = entry.class;
    const run = new AlarmRun(() => typeof constructor.prototype?.alarm === 'function' || isStarting());
    let awake: Awake | undefined;
    const prepare = async () => {
      if (entry.load !== undefined) constructor = await entry.load();
      const ledger = await disk.ledgers.acquire(owner);
      const release = (): void => disk.ledgers.release(ledger);
      awake = await wake({
        actor,
        entry,
        ledger,
        name,
        run,
        disk,
        cache: this.#cache,
        pool: this.#pool,
        giveUpAlarm: () => {
          resident.retryAlarm = false;
        },
        exports: entry.exports ?? this.#parts.exports,
        openSockets: (ownName) => this.#openSockets(entry, owner, ownName),
        onGrown: () => disk.snapshot(owner),
        onAccess: this.#parts.simulation?.onAccess,
        release,
      }).catch((error: unknown) => {
        release();
        throw error;
      });
      alarm.resolve({ actor, run, store: awake.store, state: awake.state });
      return awake.store;
    };
    await actor.start(prepare, () => new constructor(awake!.state, entry.env ?? env));
    if (actor.broken !== undefined) alarm.reject(actor.broken);
  }

  #forget(owner: Owner, actor: Actor): void {
    this.#idle.delete(actor);
    if (this.#residents.get(owner)?.actor !== actor) return;
    this.#residents.delete(owner);
    const sockets = this.#sockets.get(owner);
    if (sockets === undefined) return;
    if (actor.broken === undefined) sockets.sleep();
    else sockets.end({ isRestart: isRestart(actor.broken) });
    if (sockets.size === 0) this.#sockets.delete(owner);
  }

  #openSockets(entry: ClassEntry, owner: Owner, name: string | undefined): ObjectSockets {
    let sockets = this.#sockets.get(owner);
    if (sockets === undefined) {
      const { clock, log } = this.#parts;
      sockets = new ObjectSockets({
        // Rejects after `close`, as for an object that breaks.
        enter: async (event, timeoutOf) =>
          await enterForSocket(this.obtain(entry, owner, name).actor, event, timeoutOf),
        now: () => clock.now(),
        log,
      });
      this.#sockets.set(owner, sockets);
    }
    return sockets;
  }

  #putAway(actor: Actor): void {
    if (actor.lifecycle.state !== 'running') return;
    if (actor.idle) actor.sleep();
    else this.#idle.add(actor);
  }

  #countDisk(answer: Promise<unknown>): void {
    const answered = (): void => {
      this.#diskAsked--;
      this.#activity++;
    };
    this.#diskAsked++;
    answer.then(answered, answered);
  }
}
