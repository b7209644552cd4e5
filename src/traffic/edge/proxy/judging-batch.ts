/**
 * Judges the requests that arrived together as one batch. Each request from the kernel finds the processor caches
 * filled with other work; judged back to back, the requests of one turn of the event loop find them filled with rules.
 * The effects of the verdicts, mostly writes to sockets, come after all of them for the same reason.
 *
 * A request waits only for the end of the turn in which its head arrived: the ready bytes of other requests are read
 * first either way.
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
