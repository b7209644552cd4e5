/**
 * How much of the bodies of origins one turn of the event loop passes on. Node reads up to 2 MB from each socket that has
 * bytes before it looks at the next, so hundreds of downloads at once, read by their clients or not, would make every other
 * visitor wait for a turn of hundreds of megabytes. Beyond the budget of a turn a connection stops reading, and goes on in
 * a later one, in the order in which they stopped.
 */

/** About a millisecond of copying. */
const turnBytesMax = 1024 * 1024;

/** What a connection that goes on reads at least before it can be stopped again. */
const readBytes = 64 * 1024;

export class RelayTurns {
  #leftBytes = turnBytesMax;
  readonly #stopped = new Set<() => void>();
  #isTurnOpen = false;
  readonly #onTurnEnd: (callback: () => void) => void;

  constructor(onTurnEnd: (callback: () => void) => void = setImmediate) {
    this.#onTurnEnd = onTurnEnd;
  }

  /** Returns whether the turn has room for more. */
  spend(bytes: number): boolean {
    this.#leftBytes -= bytes;
    this.#openTurn();
    return this.#leftBytes > 0;
  }

  /** Calls it once in a later turn that has room. */
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
