/** Work that must not overlap: each begins when all that was requested before is over, however that ended. */
export class SerialWork {
  #last: Promise<unknown> = Promise.resolve();

  /** Settles as the work does. */
  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when all work requested so far is over. */
  async settled(): Promise<void> {
    await this.#last;
  }

  /** Resolves when all work is over, what was requested meanwhile included. */
  async untilIdle(): Promise<void> {
    for (let last: unknown; last !== this.#last;) {
      last = this.#last;
      await last;
    }
  }
}
