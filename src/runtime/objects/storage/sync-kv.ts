/** `storage.kv`: the key-value data of an SQL object without promises. */
import { markAsUncloneable } from 'node:worker_threads';
import { wrongType } from '#base';
import { decodeValue, encodeValue } from '#values';
import type { Actor } from '../actor/actor.ts';
import { tagAs, toKey, toOptions } from './arguments.ts';
import { fromBinaryKey } from '../stores/binary-keys.ts';
import { type ListOptions, compileRange } from './list-range.ts';
import type { SqlStore } from '../stores/sql-store.ts';
import { checkKey, checkValue } from './size-checks.ts';

const face = 'SyncKvStorage';

export class SyncKvStorage {
  readonly #actor: Actor;
  readonly #store: () => SqlStore;
  /** Grows with every `list()`, which ends the earlier iterators. */
  #listings = 0;

  /** @internal */
  constructor(actor: Actor, store: () => SqlStore) {
    this.#actor = actor;
    this.#store = store;
    markAsUncloneable(this);
  }

  get<T = unknown>(key: string): T | undefined {
    if (arguments.length === 0) throw wrongType({ method: 'get', face }, 1, 'string');
    const bytes = this.#store().get(checkKey(toKey(key), this.#actor.parts.limits));
    return bytes === undefined ? undefined : (decodeValue(bytes) as T);
  }

  put<T>(key: string, value: T): void;
  put(...args: [key?: unknown, value?: unknown]): void {
    if (args.length < 2)
      throw wrongType({ method: 'put', face }, args.length + 1, args.length === 0 ? 'string' : 'Value');
    const store = this.#store();
    const key = checkKey(toKey(args[0]), this.#actor.parts.limits);
    const value = checkValue(encodeValue(args[1]), this.#actor.parts.limits);
    this.#actor.writes.before();
    store.put(key, value);
  }

  delete(key: string): boolean {
    if (arguments.length === 0) throw wrongType({ method: 'delete', face }, 1, 'string');
    const store = this.#store();
    const checked = checkKey(toKey(key), this.#actor.parts.limits);
    this.#actor.writes.before();
    return store.delete(checked);
  }

  list<T = unknown>(options?: ListOptions): IteratorObject<[string, T], undefined> {
    const store = this.#store();
    const range = compileRange(toOptions<ListOptions>(options, { method: 'list', face }, 1, 'ListOptions'));
    const listing = ++this.#listings;
    // Getting the storage throws once the object's life has ended.
    const current = (): boolean => this.#store() === store && listing === this.#listings;
    return new ListIterator(
      range === undefined ? [][Symbol.iterator]() : store.iterate(range),
      current,
    ) as IteratorObject<[string, T], undefined>;
  }
}
tagAs(SyncKvStorage.prototype, face);

class ListIterator extends Iterator<[string, unknown], undefined> {
  readonly #rows: Iterator<[string, Uint8Array]>;
  readonly #current: () => boolean;

  constructor(rows: Iterator<[string, Uint8Array]>, current: () => boolean) {
    super();
    this.#rows = rows;
    this.#current = current;
  }

  override next(): IteratorResult<[string, unknown], undefined> {
    if (!this.#current()) {
      throw new Error(
        'kv.list() iterator was invalidated because a new call to kv.list() was started. Only one kv.list() iterator can exist at a time.',
      );
    }
    const step = this.#rows.next();
    if (step.done === true) return { done: true, value: undefined };
    const [key, value] = step.value;
    return { done: false, value: [fromBinaryKey(key), decodeValue(value)] };
  }

  override get [Symbol.toStringTag](): string {
    return 'ListIterator';
  }
}
