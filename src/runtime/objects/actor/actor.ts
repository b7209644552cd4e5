/**
 * One life of an object: from its constructor until it is put away or breaks. It owns the instance, the gates, and the
 * storage; the slot that holds it owns its identity.
 *
 * Invariants:
 * - At most one actor of an object is not broken; its storage is the only writer of the object's records.
 * - An event runs only between the constructor and the end of the life, admitted by the input gate.
 * - The result of an event leaves through the output gate.
 * - Once it is broken, none of its output reaches a caller: waiting callers get the cause, storage refuses every
 *   operation, uncommitted writes are lost.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers';
import { type Clock, type Timer, assert } from '#base';
import { type WorkName, noteObject } from '#work';
import {
  abortError,
  inaccessibleError,
  nestedTooDeeplyError,
  sectionTimeoutError,
  toResetError,
} from '../errors.ts';
import { type Defer, InputGate } from '../gates/input-gate.ts';
import { OutputGate } from '../gates/output-gate.ts';
import type { ObjectLimits } from '../limits.ts';
import { type Fence, watchFence } from '../persistence/fence.ts';
import { type CommittingStore, Writes } from './writes.ts';
import { toCallerError } from '#rpc';
import type { SocketOwner } from '#sockets';

export type Lifecycle =
  | { readonly state: 'starting' }
  | { readonly state: 'running' }
  | { readonly state: 'asleep' }
  | { readonly state: 'broken'; readonly cause: Error };

export interface ActorParts {
  /** Its name in the record of what this process is working on. */
  readonly work: WorkName;
  readonly clock: Clock;
  readonly limits: ObjectLimits;
  /** Checked before any output leaves the object. */
  readonly fence?: Fence | undefined;
  /** Schedules macrotasks; Node's own, unless this is a simulation. */
  readonly defer?: Defer | undefined;
  /** What `fetch` in its code reaches, if not the network. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Asks for a record of the turns that have ended. */
  readonly scheduleRecord: (actor: Actor) => void;
  /** Called whenever the actor becomes idle or busy. */
  readonly onIdle: (actor: Actor, idle: boolean) => void;
  readonly onEnd: (actor: Actor) => void;
  /** Called when something happens; a virtual clock waits until it is done. */
  readonly onEvent: () => void;
  /** Called when the disk is asked; a virtual clock waits for the answer. */
  readonly onDisk: (answer: Promise<unknown>) => void;
  readonly log: (message: string, error?: unknown) => void;
}

export class Actor {
  readonly gate: InputGate;
  readonly output: OutputGate;
  readonly parts: ActorParts;
  #lifecycle: Lifecycle = { state: 'starting' };
  #instance: object | undefined;
  readonly writes = new Writes(this);
  #store: CommittingStore | undefined;
  #busy = 0;
  readonly #openCalls = new Set<(cause: Error) => void>();
  readonly #timers = new Set<Timer>();
  readonly #onBroken = new Set<() => void>();
  readonly #defer: Defer;
  /** The last output that waits for the output gate. */
  #lastWords: Promise<void> | undefined;

  constructor(parts: ActorParts) {
    this.parts = parts;
    this.#defer = parts.defer ?? setImmediate;
    this.gate = new InputGate(this.#defer);
    const fence = parts.fence && watchFence(parts.fence, (error) => this.break(toResetError(error)));
    this.output = new OutputGate(() => this.writes.want(), fence);
  }

  get lifecycle(): Lifecycle {
    return this.#lifecycle;
  }

  get instance(): object {
    assert(this.#instance !== undefined, 'an object has been constructed before it is used');
    return this.#instance;
  }

  /** The cause, if this life was broken. */
  get broken(): Error | undefined {
    return this.#lifecycle.state === 'broken' ? this.#lifecycle.cause : undefined;
  }

  /** Why storage may not be used: this life has ended, because it broke or was put away. */
  get ended(): Error | undefined {
    return this.#lifecycle.state === 'asleep' ? inaccessibleError() : this.broken;
  }

  /** Starts the object; events wait at the gate until the constructor, and what it blocks for, is done. */
  async start(prepare: () => Promise<CommittingStore>, construct: () => object): Promise<void> {
    const release = this.gate.lock();
    this.begin();
    try {
      const prepared = prepare();
      this.parts.onDisk(prepared);
      this.#store = await prepared;
      this.writes.use(this.#store);
      if (this.broken !== undefined) return this.#store.close();
      this.#instance = runInContext({ actor: this, gate: this.gate }, construct);
      // A constructor may have called abort() and caught what that throws: its life has ended nevertheless.
      if (this.broken === undefined) this.#lifecycle = { state: 'running' };
    } catch (error) {
      this.break(toResetError(error));
    } finally {
      this.end();
      // One turn later, so that what the constructor blocks for has locked the gate before events are admitted.
      this.#defer(release);
    }
  }

  /** Admits one event and resolves with its result once the output gate permits. */
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

  scheduleRecord(): void {
    this.parts.scheduleRecord(this);
  }

  log(message: string, error?: unknown): void {
    this.parts.log(message, error);
  }

  /** Counts work in progress, which keeps the object awake until `end`. */
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
    return this.#busy === 0 && !this.writes.pending && this.#timers.size === 0 && !this.gate.waiting;
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

  /** Runs `body` while every other event is kept out. `onThrow` decides what a failure means. */
  section<T>(body: () => T | Promise<T>, onThrow: 'reset' | 'reject'): Promise<T> {
    const { gate } = currentContext() ?? { gate: this.gate };
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.broken !== undefined) return promise;
    if (gate.depth >= this.parts.limits.criticalSectionDepthMax)
      return Promise.reject(nestedTooDeeplyError());
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
        this.writes.afterTurn(() => {
          this.end();
          if (this.broken !== undefined) return;
          answer();
          // The caller continues in the microtasks of this turn, still alone.
          this.#defer(leave);
        });
      };
      const failed = (error: unknown): void => {
        // At once: what the section wrote in this turn is discarded with it.
        if (onThrow === 'reset') this.break(toCallerError(error, { durableObjectReset: true }));
        settle(() => reject(error));
      };
      const run = async (): Promise<T> => await body();
      // The section is a turn of its own: its caller's other writes in this turn are committed first.
      this.writes.afterTurn(() => {
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
        if (this.broken !== undefined || context.isDropped === true) return;
        try {
          runInContext(context, callback);
        } catch (error) {
          // A timer has no caller: its error must not end the process. Aborting its own object is not a failure.
          if (this.broken === undefined) this.parts.log('a timer of an object threw an error', error);
        }
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

  /** Sends a message once everything written before is durable, and admits the answer through the input gate. */
  reach<T>(message: () => Promise<T>): Promise<T> {
    if (this.broken !== undefined) return silence();
    const held = this.output.wait();
    const sent =
      held === undefined
        ? message()
        : held.then(() => (this.broken === undefined ? message() : silence<T>()));
    return this.receive(sent);
  }

  /** Admits an event of a socket, through the gate it was accepted behind. Its outcome is not awaited. */
  deliver(gate: InputGate, event: () => void): void {
    if (this.broken !== undefined) return;
    this.begin();
    gate.enter(() => {
      this.end();
      if (this.broken === undefined) event();
    });
  }

  /** Sends output that needs no answer, once everything written before is durable. Output leaves in order. */
  say(words: () => void): void {
    if (this.broken !== undefined) return;
    const held = this.output.wait() ?? this.#lastWords;
    if (held === undefined) return words();
    const said = held.then(
      () => {
        if (this.#lastWords === said) this.#lastWords = undefined;
        if (this.broken === undefined) words();
      },
      // The write has failed: the output is dropped.
      () => {},
    );
    this.#lastWords = said;
  }

  /** Calls `listener` if this life breaks, until the returned function is called. */
  whenBroken(listener: () => void): () => void {
    this.#onBroken.add(listener);
    return () => void this.#onBroken.delete(listener);
  }

  /** Admits an answer from outside into the object, through the gate the call left by. */
  receive<T>(outside: Promise<T>): Promise<T> {
    const context = currentContext();
    if (context === undefined) return outside;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.begin();
    const enter = (answer: () => void): void => {
      if (this.broken !== undefined || context.isDropped === true) return this.end();
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

  /** Resolves a read that needed the disk; until its continuation has run, no other event is admitted. */
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
      this.#defer(release);
    };
    read.then(
      (value) => finish(() => resolve(value)),
      (error: unknown) => finish(() => reject(error)),
    );
    return promise;
  }

  abort(reason: unknown): never {
    const cause = abortError(reason);
    this.break(cause);
    throw cause;
  }

  /** Breaks this life at once. */
  break(cause: Error): void {
    if (this.#lifecycle.state === 'broken' || this.#lifecycle.state === 'asleep') return;
    this.#lifecycle = { state: 'broken', cause };
    this.gate.break(cause);
    this.output.break(cause);
    this.#finish();
    for (const fail of [...this.#openCalls]) fail(cause);
    for (const listener of [...this.#onBroken]) listener();
  }

  /** Puts an idle object away. */
  sleep(): void {
    assert(this.idle && this.#lifecycle.state === 'running', 'only an idle object is put away');
    this.#lifecycle = { state: 'asleep' };
    this.#finish();
  }

  #finish(): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.writes.end();
    try {
      this.#store?.close();
    } finally {
      this.parts.onEnd(this);
    }
  }
}

/** What a broken object gets instead of an answer: a promise that never settles, so its code runs no further. */
function silence<T>(): Promise<T> {
  return new Promise(() => {});
}

/** The running object. Everything an event starts, across awaits, carries it and the gate that admits its answers. */
export interface EventContext {
  readonly actor: Actor;
  /** The object's own gate, or that of the critical section the event runs in. */
  readonly gate: InputGate;
  /** The event has timed out: answers it still waits for are discarded. */
  isDropped?: boolean;
  /** The object as the owner of sockets, once it has used one. */
  socketOwner?: SocketOwner;
}

const storage = new AsyncLocalStorage<EventContext>();

/** The object whose code is running, if any. */
export function currentContext(): EventContext | undefined {
  return storage.getStore();
}

/** Runs code that belongs to no object, regardless of the caller. */
export function runOutside<T>(work: () => T): T {
  return storage.exit(work);
}

/** Marks the object as running while its code runs synchronously: what it does after an `await` is not marked. */
function runInContext<T>(context: EventContext, work: () => T): T {
  noteObject(context.actor.parts.work.number);
  try {
    return storage.run(context, work);
  } finally {
    noteObject(0);
  }
}
