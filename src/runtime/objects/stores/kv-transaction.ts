import { toBinaryKey } from './binary-keys.ts';
import type { BinaryRange, KeyValues, MaybePromise, ReadOptions, KeyValuePair } from './key-values.ts';
import type { KvStore } from './kv-store.ts';
import { mergeRange } from './merge-range.ts';

/** A transaction on a key-value object: its own writes over the storage's, applied together when it commits. */
export class KvTransaction implements KeyValues {
  readonly #under: KvStore;
  readonly #changes = new Map<string, Uint8Array | null>();
  #alarm: number | null | undefined;

  constructor(under: KvStore) {
    this.#under = under;
  }

  get(key: string, options?: ReadOptions): MaybePromise<Uint8Array | undefined> {
    const own = this.#changes.get(toBinaryKey(key));
    return own !== undefined ? (own ?? undefined) : this.#under.get(key, options);
  }

  put(key: string, value: Uint8Array): void {
    this.#changes.set(toBinaryKey(key), value);
  }

  delete(key: string): MaybePromise<boolean> {
    const existed = this.get(key, { noCache: true });
    this.#changes.set(toBinaryKey(key), null);
    return existed instanceof Promise ? existed.then((value) => value !== undefined) : existed !== undefined;
  }

  async list(range: BinaryRange): Promise<KeyValuePair[]> {
    const limit = range.limit === undefined ? undefined : range.limit + this.#changes.size;
    return mergeRange(range, this.#changes, await this.#under.list({ ...range, limit }));
  }

  getAlarm(): number | null {
    return this.#alarm !== undefined ? this.#alarm : this.#under.getAlarm();
  }

  setAlarm(time: number | null): void {
    this.#alarm = time;
  }

  /** Passes every write to the storage, which commits them together. */
  commit(): void {
    if (this.#changes.size > 0) this.#under.putAll(this.#changes);
    if (this.#alarm !== undefined) this.#under.setAlarm(this.#alarm);
  }
}
