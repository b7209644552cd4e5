/**
 * Ends turns. One macrotask ends the turn of every object that wrote in it, so that their records share a sync.
 * While a sync runs, a commit would only wait for the next one: it may as well take what is written until then, so
 * turns are held, each marked off from the next, and committed together when the journal is free.
 */
import { setImmediate } from 'node:timers';
import type { Journal } from '#journal';
import type { Actor } from './actor.ts';

export class Turns {
  readonly #journal: Journal;
  readonly #onEnded: () => void;
  #open: Actor[] = [];
  readonly #held = new Set<Actor>();
  #gathering = false;

  /** `onEnded` is called whenever turns have ended or were committed. */
  constructor(journal: Journal, onEnded: () => void) {
    this.#journal = journal;
    this.#onEnded = onEnded;
  }

  /** Whether anything written is still to be committed. */
  get waiting(): boolean {
    return this.#open.length > 0 || this.#held.size > 0;
  }

  /** The actor has written for the first time in its turn. */
  add(actor: Actor): void {
    if (this.#open.length === 0) setImmediate(this.#end);
    this.#open.push(actor);
  }

  readonly #end = (): void => {
    const actors = this.#open;
    this.#open = [];
    const gather = this.#journal.busy;
    for (const actor of actors) {
      if (gather && actor.writes.holdTurn()) this.#held.add(actor);
      else actor.writes.commitTurn();
    }
    if (this.#held.size > 0 && !this.#gathering) {
      this.#gathering = true;
      // Not at once: if the sync failed, whoever waited for it must know first, lest he goes on from a lost record.
      this.#journal.whenFree(() => queueMicrotask(this.#commitHeld));
    }
    this.#onEnded();
  };

  readonly #commitHeld = (): void => {
    const actors = [...this.#held];
    this.#held.clear();
    this.#gathering = false;
    for (const actor of actors) actor.writes.commitTurn();
    this.#onEnded();
  };
}
