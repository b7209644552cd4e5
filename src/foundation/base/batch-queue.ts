/**
 * The bounded queue for batching: items are added one by one, and sent together. `add` never waits and never throws.
 *
 * ```ts
 * const spans = new BatchQueue<Span>({ send: post, heldMax: 8_192, batchMax: 512, delay: 1_000, onLost: count });
 * if (!spans.add(span)) dropped++;
 * await spans.close(2_000);
 * ```
 *
 * Invariants:
 * - Items are sent in the order in which they were added, each in one batch; those that `send` did not complete come
 *   first in the next.
 * - The items held, waiting or in flight, weigh no more than `heldMax`: an item that does not fit is refused.
 * - No more than `underWayMax` batches are in flight at once, and none weighs more than `batchMax`, unless it is one
 *   item.
 * - The first item waits for others for `delay`, but no longer than until there are `enough`. Items added while a batch
 *   was in flight have waited already.
 * - Each accepted item is sent, or passed to `onLost` because `send` rejected its batch; never both.
 */
import { type Clock, realClock, type Timer } from './clock.ts';

export interface BatchQueueOptions<Item> {
  /** Resolves when the batch is done: the whole batch, or its first items if it resolves to their number. */
  readonly send: (batch: readonly Item[]) => Promise<number | void>;
  readonly onLost: (batch: readonly Item[], error: unknown) => void;
  /** No item is waiting or in flight any more. */
  readonly onEmpty?: () => void;
  /** The weight of an item, 1 by default; the limits apply to sums of weights. */
  readonly weigh?: (item: Item) => number;
  readonly heldMax: number;
  /** By default unlimited. */
  readonly batchMax?: number;
  /** By default `batchMax`. */
  readonly enough?: number;
  /** In milliseconds, or until the end of this turn of the event loop. */
  readonly delay: number | 'turn';
  readonly underWayMax?: number;
  /** The pause after a lost batch, before the next: the cause of the failure will not disappear at once. */
  readonly pauseMs?: number;
  readonly clock?: Clock;
}

export class BatchQueue<Item> {
  readonly #options: BatchQueueOptions<Item>;
  readonly #clock: Clock;
  #items: Item[] = [];
  #itemsWeight = 0;
  #heldWeight = 0;
  readonly #underWay = new Set<Promise<void>>();
  /** Delays the next batch; `flush` does not wait for it. */
  #timer: Timer | undefined;
  #batchesLost = 0;
  #isClosed = false;

  constructor(options: BatchQueueOptions<Item>) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
  }

  /** The total weight of waiting and in-flight items. */
  get held(): number {
    return this.#heldWeight;
  }

  /** Returns false if there is no room for the item, or the queue is closed. */
  add(item: Item): boolean {
    const weight = this.#weigh(item);
    if (this.#isClosed || this.#heldWeight + weight > this.#options.heldMax) return false;
    this.#items.push(item);
    this.#itemsWeight += weight;
    this.#heldWeight += weight;
    this.#schedule();
    return true;
  }

  /** Sends the present items. Resolves when none is left, or when a batch was lost. */
  async flush(): Promise<void> {
    const batchesLost = this.#batchesLost;
    while (this.#heldWeight > 0 && this.#batchesLost === batchesLost) {
      this.#start();
      await Promise.race(this.#underWay);
    }
  }

  /** Sends the remaining items, for a limited time, and accepts no more. Returns whether nothing is still in flight. */
  async close(msMax: number): Promise<boolean> {
    const { promise: isOver, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimer(this.#clock.now() + msMax, resolve);
    await Promise.race([this.flush(), isOver]);
    timer.cancel();
    this.#isClosed = true;
    return this.#underWay.size === 0;
  }

  #weigh(item: Item): number {
    return this.#options.weigh?.(item) ?? 1;
  }

  get #canStart(): boolean {
    return this.#items.length > 0 && this.#underWay.size < (this.#options.underWayMax ?? 1);
  }

  #schedule(): void {
    const { delay, batchMax = Infinity, enough = batchMax } = this.#options;
    if (!this.#canStart) return;
    if (delay !== 'turn' && this.#itemsWeight >= enough) this.#start();
    else this.#timer ??= delay === 'turn' ? this.#waitForTurn() : this.#wait(delay);
  }

  #wait(ms: number): Timer {
    return this.#clock.setTimer(this.#clock.now() + ms, () => this.#start(), 'housekeeping');
  }

  #waitForTurn(): Timer {
    const handle = setImmediate(() => this.#start());
    return { cancel: () => clearImmediate(handle) };
  }

  #start(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    while (this.#canStart) {
      const sending = this.#send(this.#take()).then((isDone) => {
        this.#underWay.delete(sending);
        if (isDone) this.#goOn();
        else this.#pause();
        if (this.#heldWeight === 0) this.#options.onEmpty?.();
      });
      this.#underWay.add(sending);
    }
  }

  #goOn(): void {
    if (this.#options.delay === 'turn') this.#schedule();
    else this.#start();
  }

  #pause(): void {
    const { pauseMs } = this.#options;
    if (pauseMs === undefined) return this.#goOn();
    this.#timer?.cancel();
    this.#timer = this.#wait(pauseMs);
  }

  #take(): Item[] {
    const { batchMax = Infinity } = this.#options;
    let weight = 0;
    let count = 0;
    for (const item of this.#items) {
      const sum = weight + this.#weigh(item);
      if (count > 0 && sum > batchMax) break;
      weight = sum;
      count++;
    }
    this.#itemsWeight -= weight;
    return this.#items.splice(0, count);
  }

  /** Returns false if the batch is lost. */
  async #send(batch: readonly Item[]): Promise<boolean> {
    let done: number = batch.length;
    try {
      done = (await this.#options.send(batch)) ?? batch.length;
      return true;
    } catch (error) {
      this.#batchesLost++;
      this.#options.onLost(batch, error);
      return false;
    } finally {
      const undone = batch.slice(done);
      this.#items.unshift(...undone);
      this.#itemsWeight += this.#sum(undone);
      this.#heldWeight -= this.#sum(batch.slice(0, done));
    }
  }

  #sum(items: readonly Item[]): number {
    return items.reduce((sum, item) => sum + this.#weigh(item), 0);
  }
}
