/** A queue of items for one reader, who waits for the next. */
export class ItemQueue<Item> {
  readonly #items: Item[] = [];
  #failure: Error | undefined;
  #waiting: PromiseWithResolvers<void> | undefined;

  add(item: Item): void {
    this.#items.push(item);
    this.#waiting?.resolve();
  }

  /** The reader gets the error after the queued items. */
  fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.resolve();
  }

  clear(): void {
    this.#items.length = 0;
    this.#failure = undefined;
  }

  async next(): Promise<Item> {
    for (;;) {
      const [item] = this.#items.splice(0, 1);
      if (item !== undefined) return item;
      if (this.#failure !== undefined) throw this.#failure;
      this.#waiting = Promise.withResolvers<void>();
      await this.#waiting.promise;
    }
  }
}
