/**
 * Records turns that have ended. One macrotask records the turns of every object, so that their records share a
 * sync. An object that ends one turn after the other while nobody waits for any of them, as in a loop of transactions, is
 * recorded when somebody does, when it pauses, or when enough have ended. While a sync runs, a record would only wait
 * for the next one: turns that end meanwhile are gathered, and recorded together when the journal is free. They are
 * committed already: an object cannot tell whether the disk is busy.
 *
 * Invariant: a record is made in a macrotask of its own, so no turn is open while it is, but for a transaction.
 */
import { setImmediate } from 'node:timers';
import type { CommitQueue } from '#journal';
import type { Actor } from './actor.ts';

export class Turns {
  readonly #journal: CommitQueue;
  readonly #onRecorded: () => void;
  readonly #ended = new Set<Actor>();
  #held: Actor[] = [];

  /** `onRecorded` is called whenever turns were looked at. */
  constructor(journal: CommitQueue, onRecorded: () => void) {
    this.#journal = journal;
    this.#onRecorded = onRecorded;
  }

  /** Whether anything written is still to be recorded. */
  get waiting(): boolean {
    return this.#ended.size > 0 || this.#held.length > 0;
  }

  /** The actor has turns to record. */
  add(actor: Actor): void {
    if (this.#ended.size === 0) setImmediate(this.#record);
    this.#ended.add(actor);
  }

  readonly #record = (): void => {
    const actors: Actor[] = [];
    for (const actor of this.#ended) {
      if (actor.writes.takeNews()) continue;
      this.#ended.delete(actor);
      actors.push(actor);
    }
    if (this.#ended.size > 0) setImmediate(this.#record);
    if (actors.length > 0) this.#recordAll(actors);
  };

  #recordAll(actors: readonly Actor[]): void {
    if (!this.#journal.busy) {
      for (const actor of actors) actor.writes.record();
    } else {
      // If the sync fails, whoever waited for it knows by the next macrotask: nobody goes on from a lost record.
      if (this.#held.length === 0) this.#journal.whenFree(() => setImmediate(this.#recordHeld));
      this.#held.push(...actors);
    }
    this.#onRecorded();
  }

  readonly #recordHeld = (): void => {
    const actors = this.#held;
    this.#held = [];
    for (const actor of actors) actor.writes.record();
    this.#onRecorded();
  };
}
