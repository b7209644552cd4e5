import { SerialWork } from '#work';

/**
 * Work on the files of a directory that no caller waits for: snapshots, and history beyond the retention. One task runs
 * at a time. During a hold none runs, so that no file of history is removed under a slow reader.
 */
export class Housekeeping extends SerialWork {
  /** The current hold, and how many callers share it. */
  #hold: { readonly begun: Promise<void>; readonly end: () => void; holders: number } | undefined;

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
