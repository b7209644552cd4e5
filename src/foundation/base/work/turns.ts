/** Does changes of the same thing one after the other, in the order in which they were asked for. */
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

  /** Resolves when those that are under way are done. */
  async settle(): Promise<void> {
    await Promise.all(this.#changing.values());
  }
}
