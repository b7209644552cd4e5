/**
 * Records turns that have ended. One macrotask records the turns of every object, so that their records share a sync.
 * An object that ends one turn after another while no caller waits for any of them, as in a loop of transactions, is
 * recorded when a caller waits, when the object pauses, or when enough turns have ended. While a sync runs, a record
 * would only wait for the next one: turns that end meanwhile are collected, and recorded together when the journal is
 * free. They are committed already: an object cannot observe whether the disk is busy.
 *
 * Invariant: a record is made in a macrotask of its own, so no turn is open at that time, except a transaction.
 */
import { setImmediate } from 'node:timers';
import type { CommitQueue } from '#journal';
import type { Defer } from '../gates/input-gate.ts';
import type { Actor } from './actor.ts';

export class EndedTurns {
  readonly #onRecorded: () => void;
  readonly #defer: Defer;
  /** Objects with ended turns, each with the queue for its records. */
  readonly #ended = new Map<Actor, CommitQueue>();
  /** Objects whose queue was busy. */
  readonly #held = new Map<CommitQueue, Actor[]>();

  /** `onRecorded` is called after each pass over the ended turns. */
  constructor(onRecorded: () => void, defer: Defer = setImmediate) {
    this.#onRecorded = onRecorded;
    this.#defer = defer;
  }

  /** Whether any turn is still to be recorded. */
  get waiting(): boolean {
    return this.#ended.size > 0 || this.#held.size > 0;
  }

  /** Adds an actor that has turns to record. */
  add(actor: Actor, queue: CommitQueue): void {
    if (this.#ended.size === 0) this.#defer(this.#record);
    this.#ended.set(actor, queue);
  }

  readonly #record = (): void => {
    // Which queues are free is determined before anything is recorded: the records of one free queue share a sync.
    const free: Actor[] = [];
    let count = 0;
    for (const [actor, queue] of this.#ended) {
      if (actor.writes.takeNews()) continue;
      this.#ended.delete(actor);
      count++;
      if (queue.busy) this.#hold(actor, queue);
      else free.push(actor);
    }
    if (this.#ended.size > 0) this.#defer(this.#record);
    if (count > 0) this.#recordAll(free);
  };

  #recordAll(actors: readonly Actor[]): void {
    for (const actor of actors) actor.writes.record();
    this.#onRecorded();
  }

  #hold(actor: Actor, queue: CommitQueue): void {
    const held = this.#held.get(queue);
    if (held !== undefined) return void held.push(actor);
    this.#held.set(queue, [actor]);
    // If the sync fails, its waiters have been notified by the next macrotask: none continues from a lost record.
    queue.whenFree(() => this.#defer(() => this.#recordHeld(queue)));
  }

  #recordHeld(queue: CommitQueue): void {
    const actors = this.#held.get(queue)!;
    this.#held.delete(queue);
    this.#recordAll(actors);
  }
}
