/**
 * Work on the files of a directory that no caller waits for: snapshots, history beyond the retention. One piece of it at a
 * time. While somebody holds it, none of it runs, so that no file of history is removed under a reader that takes a
 * while.
 */
export class Housekeeping {
  #last: Promise<unknown> = Promise.resolve();
  /** The hold that is in effect, and how many share it. */
  #hold: { readonly begun: Promise<void>; readonly end: () => void; holders: number } | undefined;

  /** Runs work when what was asked for before is done. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  /** Resolves when the work in progress is done; then none runs until the hold is disposed of. */
  async hold(): Promise<Disposable> {
    this.#hold ??= this.#beginHold();
    const hold = this.#hold;
    hold.holders++;
    await hold.begun;
    return {
      [Symbol.dispose]: () => {
        if (--hold.holders > 0) return;
        this.#hold = undefined;
        hold.end();
      },
    };
  }

  /** Resolves when everything asked for so far is done. */
  async settled(): Promise<void> {
    await this.#last;
  }

  #beginHold(): { begun: Promise<void>; end: () => void; holders: number } {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    void this.run(async () => {
      begun.resolve();
      await ended.promise;
    });
    return { begun: begun.promise, end: ended.resolve, holders: 0 };
  }
}
