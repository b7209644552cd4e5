/**
 * Limits how many bytes of response bodies one turn of the event loop relays. Node reads up to 2 MB from each ready
 * socket before it moves to the next, so hundreds of downloads at once, whether or not their clients read them, would
 * make every other visitor wait for a turn of hundreds of megabytes. When the budget of a turn is used up, connections
 * stop reading and resume in later turns, in the order in which they stopped.
 */

/** About a millisecond of copying. */
const turnBytesMax = 1024 * 1024;

/** What a resumed connection reads at least before it can be stopped again. */
const readBytes = 64 * 1024;

export class RelayTurns {
  #leftBytes = turnBytesMax;
  readonly #stopped = new Set<() => void>();
  #isTurnOpen = false;
  readonly #onTurnEnd: (callback: () => void) => void;

  constructor(onTurnEnd: (callback: () => void) => void = setImmediate) {
    this.#onTurnEnd = onTurnEnd;
  }

  /** Returns whether the turn has budget left. */
  spend(bytes: number): boolean {
    this.#leftBytes -= bytes;
    this.#openTurn();
    return this.#leftBytes > 0;
  }

  /** Calls `proceed` once, in a later turn with budget left. */
  await(proceed: () => void): void {
    this.#stopped.add(proceed);
    this.#openTurn();
  }

  forget(proceed: () => void): void {
    this.#stopped.delete(proceed);
  }

  #openTurn(): void {
    if (this.#isTurnOpen) return;
    this.#isTurnOpen = true;
    this.#onTurnEnd(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#isTurnOpen = false;
    this.#leftBytes = turnBytesMax;
    for (const proceed of this.#stopped.values().take(turnBytesMax / readBytes)) {
      this.#stopped.delete(proceed);
      proceed();
    }
    if (this.#stopped.size > 0) this.#openTurn();
  };
}
