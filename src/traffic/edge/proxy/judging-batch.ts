/**
 * Judges together what arrived together. Each request that comes from the kernel finds the caches of the processor filled
 * with other work; judged one after the other, the requests of one turn of the event loop find them filled with rules. What
 * follows from the verdicts, which is mostly writing to sockets, comes behind all of them, for the same reason.
 *
 * A request waits for the end of the turn in which its head arrived, and for nothing else: the bytes of others that are
 * ready are read first either way.
 */
export interface BatchedRequest {
  judge(): void;
  /** Called after `judge`, in the same turn. */
  act(): void;
}

export class JudgingBatch {
  #gathered: BatchedRequest[] = [];
  readonly #onTurnEnd: (callback: () => void) => void;

  constructor(onTurnEnd: (callback: () => void) => void = setImmediate) {
    this.#onTurnEnd = onTurnEnd;
  }

  add(request: BatchedRequest): void {
    if (this.#gathered.push(request) === 1) this.#onTurnEnd(this.#run);
  }

  readonly #run = (): void => {
    const requests = this.#gathered;
    this.#gathered = [];
    for (const request of requests) request.judge();
    for (const request of requests) request.act();
  };
}
