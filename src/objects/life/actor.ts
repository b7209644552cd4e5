/**
 * One life of an object: from its constructor to the moment it is put away or breaks. It owns the instance,
 * the gates, and the storage; the slot it stands in owns its identity.
 *
 * Invariants:
 * - At most one actor of an object is not broken; its storage is the only writer of the object's records.
 * - An event runs only between the constructor and the end, let in by the input gate.
 * - What an event answers leaves through the output gate.
 * - Once broken, nothing of it reaches anybody: waiting callers get the cause, storage refuses everything,
 *   what was not committed is gone.
 */
import { setImmediate } from 'node:timers';
import { type Clock, type Timer, assert } from '#base';
import type { Recorded } from '../ledger/ledger.ts';
import {
  abortError,
  constraintsViolatedError,
  inaccessibleError,
  nestedTooDeeplyError,
  sectionTimeoutError,
  writeFailedError,
} from './broken.ts';
import { currentContext, runInContext } from './context.ts';
import { InputGate } from '../gates/input-gate.ts';
import { OutputGate } from '../gates/output-gate.ts';
import type { ObjectLimits } from '../limits.ts';
import { JournalWriteError } from '#journal';
import { toCallerError } from '#rpc';

export type Lifecycle =
  | { readonly state: 'starting' }
  | { readonly state: 'running' }
  | { readonly state: 'asleep' }
  | { readonly state: 'broken'; readonly cause: Error };

/** The part of a storage the actor itself needs. */
export interface CommittingStore {
  /** The record of what was written since the last one, if anything was. */
  commit(): Recorded | undefined;
  /** Marks the end of a turn whose commit may wait for more; absent where committing costs next to nothing. */
  holdTurn?(): void;
  /** Undoes what was written since the last mark; answers whether anything before it is still to be committed. */
  dropTurn?(): boolean;
  close(): void;
}

export interface ActorParts {
  readonly clock: Clock;
  readonly limits: ObjectLimits;
  /** Asks for `commitTurn` at the end of this turn of the event loop. */
  readonly scheduleCommit: (actor: Actor) => void;
  /** Called whenever the actor has nothing left to do, or has something to do again. */
  readonly onIdle: (actor: Actor, idle: boolean) => void;
  readonly onEnd: (actor: Actor) => void;
  /** Something happened; a virtual clock waits for the end of it. */
  readonly onEvent: () => void;
  /** The disk is asked; a virtual clock waits for the answer. */
  readonly onDisk: (answer: Promise<unknown>) => void;
  readonly log: (message: string, error?: unknown) => void;
}

interface Batch {
  readonly durable: PromiseWithResolvers<void>;
  /** Resolved when the batch has its place in the journal. */
  readonly recorded: PromiseWithResolvers<void>;
  /** Whether the end of the turn is going to be told. */
  scheduled: boolean;
  /** Somebody wants the state at the end of this turn: nothing of a later one may share its record. */
  awaited: boolean;
}

export class Actor {
  readonly gate = new InputGate();
  readonly output = new OutputGate();
  readonly parts: ActorParts;
  #lifecycle: Lifecycle = { state: 'starting' };
  #instance: object | undefined;
  #store: CommittingStore | undefined;
  #batch: Batch | undefined;
  #newestDurable: Promise<void> | undefined;
  #busy = 0;
  #transactions = 0;
  readonly #openCalls = new Set<(cause: Error) => void>();
  readonly #timers = new Set<Timer>();

  constructor(parts: ActorParts) {
    this.parts = parts;
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  get instance(): object {
    assert(this.#instance !== undefined, 'an object has been constructed before it is used');
    return this.#instance;
  }

  /** The cause, if this life has ended badly. */
  get broken(): Error | undefined {
    return this.#lifecycle.state === 'broken' ? this.#lifecycle.cause : undefined;
  }

  /** Why storage may not be used: this life has ended, badly or by being put away. */
  get ended(): Error | undefined {
    return this.#lifecycle.state === 'asleep' ? inaccessibleError() : this.broken;
  }

  /** Brings the object to life; events wait at the gate until it, and what it blocks for, is done. */
  async start(prepare: () => Promise<CommittingStore>, construct: () => object): Promise<void> {
    const release = this.gate.lock();
    this.begin();
    try {
      const prepared = prepare();
      this.parts.onDisk(prepared);
      this.#store = await prepared;
      if (this.broken !== undefined) return this.#store.close();
      this.#instance = runInContext({ actor: this, gate: this.gate }, construct);
      this.#lifecycle = { state: 'running' };
    } catch (error) {
      this.break(toCallerError(error, { durableObjectReset: true }));
    } finally {
      this.end();
      // A turn later, so that what the constructor blocks for has locked the gate before events come in.
      setImmediate(release);
    }
  }

  /** Lets one event in and answers with what it answers, once that may be said. */
  enter<T>(event: () => Promise<T>): Promise<T> {
    if (this.broken !== undefined) return Promise.reject(this.broken);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.begin();
    const finish = (): void => {
      this.#openCalls.delete(fail);
      this.end();
    };
    const fail = (cause: unknown): void => {
      finish();
      reject(cause);
    };
    this.#openCalls.add(fail);
    const succeed = (answer: T): void => {
      finish();
      resolve(answer);
    };
    const say = (speak: () => void): void => {
      if (this.broken !== undefined) return;
      const held = this.output.wait();
      // If the write fails the actor breaks, and its cause is what the caller gets.
      if (held === undefined) speak();
      else
        held.then(
          () => this.broken === undefined && speak(),
          () => {},
        );
    };
    this.gate.enter(() => {
      runInContext({ actor: this, gate: this.gate }, event).then(
        (answer) => say(() => succeed(answer)),
        (error: unknown) => say(() => fail(error)),
      );
    });
    return promise;
  }

  /** Counts something in progress, which keeps the object awake. */
  begin(): void {
    this.parts.onEvent();
    if (this.#busy++ === 0) this.parts.onIdle(this, false);
  }

  end(): void {
    assert(this.#busy > 0, 'what ends has begun');
    this.parts.onEvent();
    if (--this.#busy === 0 && this.#lifecycle.state === 'running') this.parts.onIdle(this, true);
  }

  get idle(): boolean {
    return this.#busy === 0 && this.#batch === undefined && this.#timers.size === 0 && !this.gate.waiting;
  }

  waitUntil(promise: unknown): void {
    this.begin();
    Promise.resolve(promise).then(
      () => this.end(),
      (error: unknown) => {
        this.parts.log('a promise given to waitUntil() was rejected', error);
        this.end();
      },
    );
  }

  /** Runs `body` with every other event kept out. `onThrow` decides what a failure means. */
  section<T>(body: () => T | Promise<T>, onThrow: 'reset' | 'reject'): Promise<T> {
    const { gate } = currentContext() ?? { gate: this.gate };
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.broken !== undefined) return promise;
    if (gate.depth >= this.parts.limits.criticalSectionDepthMax) {
      this.break(nestedTooDeeplyError());
      return promise;
    }
    this.begin();
    const { clock, limits } = this.parts;
    const timer = clock.setTimer(clock.now() + limits.criticalSectionMsMax, () =>
      this.break(sectionTimeoutError()),
    );
    this.#timers.add(timer);
    gate.enterSection((inner, leave) => {
      const settle = (answer: () => void): void => {
        timer.cancel();
        this.#timers.delete(timer);
        this.end();
        if (this.broken !== undefined) return;
        answer();
        // The caller goes on in the microtasks of this turn, still alone.
        setImmediate(leave);
      };
      const failed = (error: unknown): void =>
        settle(() => {
          if (onThrow === 'reject') return reject(error);
          this.break(toCallerError(error, { durableObjectReset: true }));
        });
      const run = async (): Promise<T> => await body();
      // Not at once: the caller's own line after the call comes first, as everywhere with promises.
      queueMicrotask(() => {
        if (this.broken !== undefined) return settle(() => {});
        runInContext({ actor: this, gate: inner }, run).then((value) => settle(() => resolve(value)), failed);
      });
    });
    return promise;
  }

  /** A timer of the object's own code: fires through the gate it was set behind. */
  setTimer(at: number, callback: () => void): Timer {
    const context = currentContext() ?? { actor: this, gate: this.gate };
    const timer = this.parts.clock.setTimer(at, () => {
      this.begin();
      this.#timers.delete(timer);
      context.gate.enter(() => {
        this.end();
        if (this.broken === undefined) runInContext(context, callback);
      });
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        timer.cancel();
        this.#timers.delete(timer);
      },
    };
  }

  /** Sends something out once everything written before is durable, and brings the answer back in. */
  reach<T>(message: () => Promise<T>): Promise<T> {
    if (this.broken !== undefined) return silence();
    const held = this.output.wait();
    const sent =
      held === undefined
        ? message()
        : held.then(() => (this.broken === undefined ? message() : silence<T>()));
    return this.receive(sent);
  }

  /** Brings the answer of something outside back into the object, through the gate it left by. */
  receive<T>(outside: Promise<T>): Promise<T> {
    const context = currentContext();
    if (context === undefined) return outside;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.begin();
    const enter = (answer: () => void): void => {
      if (this.broken !== undefined) return this.end();
      context.gate.enter(() => {
        this.end();
        answer();
      });
    };
    outside.then(
      (value) => enter(() => resolve(value)),
      (error: unknown) => enter(() => reject(error)),
    );
    return promise;
  }

  /** Resolves a read that needed the disk; until its continuation has run, nobody else comes in. */
  readLocked<T>(read: Promise<T>, allowConcurrency: boolean): Promise<T> {
    this.parts.onDisk(read);
    if (allowConcurrency) return this.receive(read);
    const { gate } = currentContext() ?? { gate: this.gate };
    const release = gate.lock();
    this.begin();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const finish = (answer: () => void): void => {
      this.end();
      if (this.broken !== undefined) return;
      answer();
      setImmediate(release);
    };
    read.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
    return promise;
  }

  /** To be called before each write: gives it a batch, and holds the output until that is durable. */
  beforeWrite({ confirmed = true }: { confirmed?: boolean } = {}): void {
    if (this.ended !== undefined) throw this.ended;
    const batch = this.#ensureBatch();
    // Inside a transaction nothing is promised yet: its words wait only for what was written before it.
    if (confirmed && this.#transactions === 0) this.output.hold(batch.durable.promise);
  }

  #ensureBatch(): Batch {
    if (this.#batch === undefined) {
      this.#batch = {
        durable: Promise.withResolvers(),
        recorded: Promise.withResolvers(),
        scheduled: false,
        awaited: false,
      };
      this.#batch.durable.promise.catch(() => {});
      this.begin();
    }
    if (!this.#batch.scheduled && this.#transactions === 0) {
      this.#batch.scheduled = true;
      this.parts.scheduleCommit(this);
    }
    return this.#batch;
  }

  /** A transaction across turns begins: what was written before it is committed first, apart from it. */
  enterTransaction(): void {
    if (this.broken !== undefined) throw this.broken;
    if (this.#transactions === 0) this.commitTurn();
    this.#transactions++;
  }

  /** The transaction is over; what it left is committed as a batch of its own, and the output waits for it. */
  leaveTransaction(): void {
    this.#transactions--;
    if (this.#transactions > 0 || this.broken !== undefined) return;
    this.output.hold(this.#ensureBatch().durable.promise);
    this.commitTurn();
  }

  /** Ends the turn without committing it yet, if the storage can tell it from what follows. */
  holdTurn(): boolean {
    const batch = this.#batch;
    if (batch === undefined || batch.awaited || this.broken !== undefined || this.#transactions > 0)
      return false;
    if (this.#store?.holdTurn === undefined) return false;
    this.#store.holdTurn();
    batch.scheduled = false;
    return true;
  }

  /** Forgets what this turn has written and commits what the turns before it did. */
  dropTurn(): void {
    if (this.#store?.dropTurn?.() === true) this.commitTurn();
  }

  /** Ends the turn: what was written becomes one record. */
  commitTurn(): void {
    const batch = this.#batch;
    if (batch === undefined || this.broken !== undefined || this.#transactions > 0) return;
    this.#batch = undefined;
    let recorded: Recorded | undefined;
    try {
      recorded = this.#store!.commit();
    } catch (error) {
      batch.recorded.resolve();
      this.end();
      this.break(
        isConstraintViolation(error) ? constraintsViolatedError(error) : writeFailedError(error as Error),
      );
      return;
    }
    batch.recorded.resolve();
    const durable = recorded?.durable ?? this.#newestDurable ?? Promise.resolve();
    this.#newestDurable = durable;
    durable.then(
      () => {
        if (this.#newestDurable === durable) this.#newestDurable = undefined;
        batch.durable.resolve();
        this.end();
      },
      (error: JournalWriteError) => {
        this.end();
        const cause = writeFailedError(error);
        this.break(cause);
        batch.durable.reject(cause);
      },
    );
  }

  /** Resolves when everything written so far has its place in the journal. */
  async recorded(): Promise<void> {
    const batch = this.#settlingBatch;
    if (batch === undefined) return;
    batch.awaited = true;
    // Turns that were held have ended: there is no later moment to wait for.
    if (!batch.scheduled) this.commitTurn();
    await batch.recorded.promise;
  }

  /** Resolves when everything written so far is durable, confirmed or not. */
  async durable(): Promise<void> {
    await (this.#settlingBatch?.durable.promise ?? this.#newestDurable);
  }

  /** The batch that ends with this turn. A transaction's does not: whoever waits for it inside waits for himself. */
  get #settlingBatch(): Batch | undefined {
    return this.#transactions === 0 ? this.#batch : undefined;
  }

  abort(reason: unknown): never {
    const cause = abortError(reason);
    this.break(cause);
    throw cause;
  }

  /** Ends this life at once. */
  break(cause: Error): void {
    if (this.#lifecycle.state === 'broken' || this.#lifecycle.state === 'asleep') return;
    this.#lifecycle = { state: 'broken', cause };
    this.gate.break(cause);
    this.output.break(cause);
    this.#batch?.recorded.resolve();
    this.#finish();
    for (const fail of [...this.#openCalls]) fail(cause);
  }

  /** Puts an idle object away. */
  sleep(): void {
    assert(this.idle && this.#lifecycle.state === 'running', 'only an idle object is put away');
    this.#lifecycle = { state: 'asleep' };
    this.#finish();
  }

  /** Turns that had ended are kept even if their commit was still to come, unless it cannot be done. */
  #keepEndedTurns(): void {
    if (this.#transactions > 0) return;
    try {
      if (this.#store?.dropTurn?.() === true) this.#store.commit();
    } catch (error) {
      this.parts.log('the last writes of an object that was reset could not be kept', error);
    }
  }

  #finish(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#keepEndedTurns();
    try {
      this.#store?.close();
    } finally {
      this.parts.onEnd(this);
    }
  }
}

/** What a broken object hears: nothing. Its code goes no further. */
function silence<T>(): Promise<T> {
  return new Promise(() => {});
}

function isConstraintViolation(error: unknown): error is Error {
  return error instanceof Error && error.message.includes('SQLITE_CONSTRAINT');
}
