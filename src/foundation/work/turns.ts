/** Runs changes of the same object one after the other, in the order of the requests. */
export class Turns {
  readonly #changing = new Map<string, Promise<unknown>>();

  take<T>(name: string, change: () => Promise<T>): Promise<T> {
    const done = (this.#changing.get(name) ?? Promise.resolve()).then(change);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#changing.get(name) === settled) this.#changing.delete(name);
      });
    this.#changing.set(name, settled);
    return done;
  }

  /** Resolves when all pending changes are done. */
  async settle(): Promise<void> {
    await Promise.all(this.#changing.values());
  }
}
