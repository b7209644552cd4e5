/**
 * A sequence that releases its resources exactly once: at its end, when it fails, and when its reader abandons it, even
 * before the first item. A generator that never began does not run its `finally`, so one that holds resources from the
 * start cannot release them itself.
 */
export function releaseAfter<T>(
  items: AsyncIterable<T> | AsyncIterator<T, void>,
  release: () => unknown,
): AsyncIterableIterator<T, void> {
  return new HoldingSequence(Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items, release);
}

class HoldingSequence<T> implements AsyncIterableIterator<T, void> {
  readonly #items: AsyncIterator<T, void>;
  #release: (() => unknown) | undefined;

  constructor(items: AsyncIterator<T, void>, release: () => unknown) {
    this.#items = items;
    this.#release = release;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<T, void>> {
    let isOver = true;
    try {
      const step = await this.#items.next();
      isOver = step.done === true;
      return step;
    } finally {
      if (isOver) await this.#end();
    }
  }

  async return(): Promise<IteratorResult<T, void>> {
    try {
      await this.#items.return?.();
    } finally {
      await this.#end();
    }
    return { done: true, value: undefined };
  }

  async #end(): Promise<void> {
    const release = this.#release;
    this.#release = undefined;
    await release?.();
  }
}
