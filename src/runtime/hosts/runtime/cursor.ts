/** A sequence in one process that is read in another, a few items at a time. */
import { RpcTarget } from '#rpc';
import { type HostReply, toHostReply, fromHostReply } from './host-reply.ts';

export class Cursor<T> extends RpcTarget {
  readonly #items: Iterator<T> | AsyncIterator<T>;
  readonly #batch: number;
  readonly #onEnd: () => void;

  constructor(
    items: Iterable<T> | AsyncIterable<T>,
    { batch, onEnd = () => {} }: { readonly batch: number; readonly onEnd?: () => void },
  ) {
    super();
    this.#items = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.#batch = batch;
    this.#onEnd = onEnd;
  }

  /** The next items; fewer than a batch at the end. */
  next(): Promise<HostReply<T[]>> {
    return toHostReply(async () => {
      const items: T[] = [];
      while (items.length < this.#batch) {
        const { done, value } = await this.#items.next();
        if (done === true) break;
        items.push(value);
      }
      return items;
    });
  }

  /** Called when the reader has finished. */
  [Symbol.dispose](): void {
    void (async () => await this.#items.return?.())()
      .catch(() => {})
      .finally(() => this.#onEnd());
  }
}

/** A `Cursor` of another process. */
export interface RemoteCursor<T> extends Disposable {
  next(): Promise<HostReply<T[]>>;
}

export async function* readCursor<T>(cursor: RemoteCursor<T>, batch: number): AsyncGenerator<T> {
  try {
    for (let isLast = false; !isLast;) {
      const items = fromHostReply(await cursor.next());
      isLast = items.length < batch;
      yield* items;
    }
  } finally {
    cursor[Symbol.dispose]();
  }
}
