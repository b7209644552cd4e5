/**
 * The storage of a key-value object: no file of its own, a place in the shared tables.
 *
 * A write goes into the *batch* of the turn; at the end of the turn the batch becomes one record and waits
 * *in flight* until it is durable and the tables have it; then only the cache remembers it. A read asks
 * them in that order, newest first, and the disk last.
 */
import type { Tables } from '#tables';
import type { Ledger, Recorded } from '../ledger/ledger.ts';
import type { Entry, Owner } from '../ledger/records.ts';
import { toBinaryKey } from './binary-keys.ts';
import type { BinaryRange, KeyValues, MaybePromise, ReadOptions, Row, WriteOptions } from './key-values.ts';
import { mergeRange } from './merge-range.ts';
import type { CachedValue, ValueCache } from './value-cache.ts';

/** Writes that belong together: in order, they are `deleteAll` (if cleared), then the changes. */
interface Batch {
  cleared: boolean;
  readonly changes: Map<string, { readonly value: Uint8Array | null; readonly noCache: boolean }>;
}

export class KvStore implements KeyValues {
  readonly #ledger: Ledger;
  readonly #tables: Tables;
  readonly #cache: ValueCache;
  readonly #shelf: Map<string, CachedValue>;
  readonly #beforeWrite: () => void;
  readonly #onClose: () => void;
  #batch: Batch = emptyBatch();
  /** Oldest first. */
  #inFlight: Batch[] = [];
  /** How many batches the tables have taken. */
  #settled = 0;
  #alarm: number | null | undefined;
  #name: string | undefined;

  constructor(parts: {
    ledger: Ledger;
    tables: Tables;
    cache: ValueCache;
    name: string | undefined;
    beforeWrite: () => void;
    onClose: () => void;
  }) {
    this.#ledger = parts.ledger;
    this.#tables = parts.tables;
    this.#cache = parts.cache;
    this.#shelf = parts.cache.shelf();
    this.#beforeWrite = parts.beforeWrite;
    this.#onClose = parts.onClose;
    this.#name = parts.name;
  }

  get #owner(): Owner {
    return this.#ledger.owner;
  }

  get(key: string, options: ReadOptions = {}): MaybePromise<Uint8Array | undefined> {
    const binary = toBinaryKey(key);
    const known = this.#known(binary, options.noCache !== true);
    if (known !== undefined) return known ?? undefined;
    const found = this.#tables.get(this.#owner, binary);
    if (!(found instanceof Promise)) {
      this.#remember(binary, found, options);
      return found;
    }
    const settled = this.#settled;
    return found.then((value) => {
      // What was written since is not this read's to tell, but must not be hidden by what it remembers.
      if (settled === this.#settled && this.#known(binary, false) === undefined)
        this.#remember(binary, value, options);
      return value;
    });
  }

  put(key: string, value: Uint8Array, options: WriteOptions = {}): void {
    this.#beforeWrite();
    this.#batch.changes.set(toBinaryKey(key), { value, noCache: options.noCache === true });
  }

  delete(key: string, options: WriteOptions = {}): MaybePromise<boolean> {
    const existed = this.get(key, { noCache: true });
    this.#beforeWrite();
    this.#batch.changes.set(toBinaryKey(key), { value: null, noCache: options.noCache === true });
    return existed instanceof Promise ? existed.then((value) => value !== undefined) : existed !== undefined;
  }

  /** The writes of a transaction, by binary key; null deletes. */
  putAll(changes: ReadonlyMap<string, Uint8Array | null>): void {
    this.#beforeWrite();
    for (const [binary, value] of changes) this.#batch.changes.set(binary, { value, noCache: false });
  }

  list(range: BinaryRange, options: ReadOptions = {}): MaybePromise<Row[]> {
    const layers = [this.#batch, ...this.#inFlight.toReversed()];
    const cleared = layers.findIndex((layer) => layer.cleared);
    const visible = cleared === -1 ? layers : layers.slice(0, cleared + 1);
    const overlay = new Map<string, Uint8Array | null>();
    for (const layer of visible.toReversed()) {
      for (const [key, { value }] of layer.changes) overlay.set(key, value);
    }
    if (cleared !== -1) return mergeRange(range, overlay, []);
    // Deleted keys in the overlay may hide as many of the tables' rows: ask for that many more.
    const limit = range.limit === undefined ? {} : { limit: range.limit + overlay.size };
    const bounds = {
      start: range.start,
      reverse: range.reverse,
      ...(range.end === undefined ? {} : { end: range.end }),
    };
    const settled = this.#settled;
    return this.#tables.list(this.#owner, { ...bounds, ...limit }).then((rows) => {
      for (const [key, value] of settled === this.#settled ? rows : []) {
        if (this.#known(key, false) === undefined) this.#remember(key, value, options);
      }
      return mergeRange(range, overlay, rows);
    });
  }

  deleteAll(): void {
    this.#beforeWrite();
    this.#batch = { cleared: true, changes: new Map() };
  }

  getAlarm(): number | null {
    return this.#alarm !== undefined ? this.#alarm : (this.#ledger.entry.alarm ?? null);
  }

  setAlarm(time: number | null): void {
    this.#beforeWrite();
    this.#alarm = time;
  }

  /** Turns the batch of this turn into a record; undefined if there is nothing to record. */
  commit(): Recorded | undefined {
    const batch = this.#batch;
    const alarm = this.#alarm === (this.#ledger.entry.alarm ?? null) ? undefined : this.#alarm;
    this.#alarm = undefined;
    if (!batch.cleared && batch.changes.size === 0 && alarm === undefined) return undefined;
    this.#batch = emptyBatch();
    this.#inFlight.push(batch);
    const name = this.#ledger.entry.name === undefined ? this.#name : undefined;
    const entries = entriesOf(batch);
    return this.#ledger.append(
      {
        chained: false,
        ...(name === undefined ? {} : { name }),
        ...(alarm === undefined ? {} : { alarm }),
        ...(entries.length === 0 ? {} : { entries }),
      },
      () => this.#settle(batch),
    );
  }

  /** Forgets the batch of this turn. */
  discard(): void {
    this.#batch = emptyBatch();
    this.#alarm = undefined;
  }

  close(): void {
    this.#cache.clear(this.#shelf);
    this.#onClose();
  }

  /** The newest word on a key that memory has: its bytes, null for absent, undefined for unknown. */
  #known(key: string, touch: boolean): Uint8Array | null | undefined {
    for (let index = this.#inFlight.length; index >= 0; index--) {
      const layer = index === this.#inFlight.length ? this.#batch : this.#inFlight[index]!;
      const change = layer.changes.get(key);
      if (change !== undefined) return change.value;
      if (layer.cleared) return null;
    }
    return this.#cache.get(this.#shelf, key, touch);
  }

  #remember(key: string, value: Uint8Array | undefined, options: ReadOptions): void {
    if (options.noCache !== true) this.#cache.set(this.#shelf, key, value ?? null);
  }

  #settle(batch: Batch): void {
    this.#settled++;
    this.#inFlight = this.#inFlight.filter((other) => other !== batch);
    if (batch.cleared) this.#cache.clear(this.#shelf);
    for (const [key, { value, noCache }] of batch.changes) {
      if (noCache) this.#cache.forget(this.#shelf, key);
      else this.#cache.set(this.#shelf, key, value);
    }
  }
}

function emptyBatch(): Batch {
  return { cleared: false, changes: new Map() };
}

function entriesOf(batch: Batch): Entry[] {
  const entries: Entry[] = batch.cleared ? [{ op: 'deleteAll' }] : [];
  for (const [key, { value }] of batch.changes) {
    entries.push(value === null ? { op: 'delete', key } : { op: 'put', key, value });
  }
  return entries;
}
