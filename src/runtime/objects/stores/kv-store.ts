/**
 * The storage of a key-value object: no file of its own, a place in the shared tables.
 *
 * A write goes into the batch of its *turn*; when the turn ends, the batch joins those of the turns that *ended* before
 * it. They become one record and wait *in flight* until it is durable and the tables have it; then only the cache
 * remembers them. A read looks in the batches, newest first, and in the tables last.
 */
import type { Ledger, Recorded } from '../ledger/ledger.ts';
import type { ObjectTables } from '../ledger/object-tables.ts';
import type { LedgerEntry, Owner } from '../ledger/records.ts';
import { toBinaryKey } from './binary-keys.ts';
import { KeyLists } from './key-lists.ts';
import type {
  BinaryRange,
  KeyValues,
  MaybePromise,
  ReadOptions,
  KeyValuePair,
  CacheOptions,
} from './key-values.ts';
import { mergeRange } from './merge-range.ts';
import type { CachedValue, ValueCache } from './value-cache.ts';

/** Remembering a longer list would evict from the cache what others need. */
const rememberedRowsMax = 1024;

/** Writes that belong together: `deleteAll` first (if `cleared`), then the changes. */
interface WriteBatch {
  cleared: boolean;
  readonly changes: Map<string, { readonly value: Uint8Array | null; readonly noCache: boolean }>;
}

export class KvStore implements KeyValues {
  readonly #ledger: Ledger;
  readonly #tables: ObjectTables;
  readonly #cache: ValueCache;
  readonly #shelf: Map<string, CachedValue>;
  readonly #beforeWrite: () => void;
  readonly #onClose: () => void;
  #turn: WriteBatch = emptyBatch();
  /** The writes of turns that ended since the last record. */
  #ended: WriteBatch = emptyBatch();
  /** Oldest first. */
  #inFlight: WriteBatch[] = [];
  /** How many batches have settled in the tables. */
  #settled = 0;
  #turnAlarm: number | null | undefined;
  #endedAlarm: number | null | undefined;
  #name: string | undefined;
  readonly #keyLists = new KeyLists();

  constructor(parts: {
    ledger: Ledger;
    tables: ObjectTables;
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
      // This read must not return later writes, but what it remembers must not hide them.
      if (settled === this.#settled && this.#known(binary, false) === undefined)
        this.#remember(binary, value, options);
      return value;
    });
  }

  put(key: string, value: Uint8Array, options: CacheOptions = {}): void {
    const binary = toBinaryKey(key);
    this.#beforeWrite();
    // Also when it is empty: a list in progress must notice the change.
    if (this.#keyLists.isEmpty || !this.#known(binary, false)) this.#keyLists.clear();
    this.#turn.changes.set(binary, { value, noCache: options.noCache === true });
  }

  delete(key: string, options: CacheOptions = {}): MaybePromise<boolean> {
    const existed = this.get(key, { noCache: true });
    this.#beforeWrite();
    this.#keyLists.clear();
    this.#turn.changes.set(toBinaryKey(key), { value: null, noCache: options.noCache === true });
    return existed instanceof Promise ? existed.then((value) => value !== undefined) : existed !== undefined;
  }

  /** The writes of a transaction, by binary key; null deletes. */
  putAll(changes: ReadonlyMap<string, Uint8Array | null>): void {
    this.#beforeWrite();
    this.#keyLists.clear();
    for (const [binary, value] of changes) this.#turn.changes.set(binary, { value, noCache: false });
  }

  list(range: BinaryRange, options: ReadOptions = {}): MaybePromise<KeyValuePair[]> {
    const keys = this.#keyLists.get(range);
    return (keys === undefined ? undefined : this.#knownRows(keys)) ?? this.#listTables(range, options);
  }

  /** The rows of these keys, unless memory lacks one of the values. */
  #knownRows(keys: readonly string[]): KeyValuePair[] | undefined {
    const rows: KeyValuePair[] = [];
    for (const key of keys) {
      const value = this.#known(key, true);
      if (value === undefined || value === null) return undefined;
      rows.push([key, value]);
    }
    return rows;
  }

  #listTables(range: BinaryRange, options: ReadOptions): MaybePromise<KeyValuePair[]> {
    const { overlay, isCleared } = this.#layOver();
    if (isCleared) return mergeRange(range, overlay, []);
    // Deleted keys in the overlay may hide as many rows of the tables: request that many more.
    const limit = range.limit === undefined ? {} : { limit: range.limit + overlay.size };
    const bounds = {
      start: range.start,
      reverse: range.reverse,
      ...(range.end === undefined ? {} : { end: range.end }),
    };
    const settled = this.#settled;
    const { changes } = this.#keyLists;
    return this.#tables.list(this.#owner, { ...bounds, ...limit }).then((rows) => {
      const merged = mergeRange(range, overlay, rows);
      if (options.noCache !== true && merged.length <= rememberedRowsMax) {
        if (settled === this.#settled) this.#rememberRows(rows);
        if (changes === this.#keyLists.changes) this.#keyLists.set(range, merged.map(this.#cachedKey));
      }
      return merged;
    });
  }

  /** What is stored, given these rows of the tables. */
  overlay(range: BinaryRange, rows: KeyValuePair[]): KeyValuePair[] {
    const { overlay, isCleared } = this.#layOver();
    return mergeRange(range, overlay, isCleared ? [] : rows);
  }

  /** The changes in memory on top of the tables, and whether they hide all rows of the tables. */
  #layOver(): { readonly overlay: Map<string, Uint8Array | null>; readonly isCleared: boolean } {
    const layers = [this.#turn, this.#ended, ...this.#inFlight.toReversed()];
    const cleared = layers.findIndex((layer) => layer.cleared);
    const visible = cleared === -1 ? layers : layers.slice(0, cleared + 1);
    const overlay = new Map<string, Uint8Array | null>();
    for (const layer of visible.toReversed()) {
      for (const [key, { value }] of layer.changes) overlay.set(key, value);
    }
    return { overlay, isCleared: cleared !== -1 };
  }

  #rememberRows(rows: readonly KeyValuePair[]): void {
    for (const [key, value] of rows) {
      if (this.#known(key, false) === undefined) this.#cache.set(this.#shelf, key, value);
    }
  }

  /** The cache's string for a key, so that only one exists, which V8 has already hashed. */
  readonly #cachedKey = ([key]: KeyValuePair): string => this.#shelf.get(key)?.key ?? key;

  deleteAll(): void {
    this.#beforeWrite();
    this.#keyLists.clear();
    this.#turn = { cleared: true, changes: new Map() };
  }

  getAlarm(): number | null {
    if (this.#turnAlarm !== undefined) return this.#turnAlarm;
    return this.#endedAlarm !== undefined ? this.#endedAlarm : (this.#ledger.entry.alarm ?? null);
  }

  setAlarm(time: number | null): void {
    this.#beforeWrite();
    this.#turnAlarm = time;
  }

  /** Adds the turn's writes to those that will be recorded. */
  endTurn(): boolean {
    const turn = this.#turn;
    const ended = this.#ended;
    if (this.#turnAlarm !== undefined) this.#endedAlarm = this.#turnAlarm;
    this.#turnAlarm = undefined;
    this.#turn = emptyBatch();
    if (turn.cleared || isEmpty(ended)) this.#ended = turn;
    else for (const [key, change] of turn.changes) ended.changes.set(key, change);
    return false;
  }

  /** Appends one record of the turns that have ended; undefined if there is nothing to record. */
  record(): Recorded | undefined {
    const batch = this.#ended;
    const alarm = this.#endedAlarm === (this.#ledger.entry.alarm ?? null) ? undefined : this.#endedAlarm;
    this.#endedAlarm = undefined;
    if (isEmpty(batch) && alarm === undefined) return undefined;
    this.#ended = emptyBatch();
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

  close(): void {
    this.#cache.clear(this.#shelf);
    this.#onClose();
  }

  /** The newest state of a key in memory: its bytes, null for absent, undefined for unknown. */
  #known(key: string, touch: boolean): Uint8Array | null | undefined {
    for (let index = this.#inFlight.length + 1; index >= 0; index--) {
      const layer = this.#inFlight[index] ?? (index === this.#inFlight.length ? this.#ended : this.#turn);
      const change = layer.changes.get(key);
      if (change !== undefined) return change.value;
      if (layer.cleared) return null;
    }
    return this.#cache.get(this.#shelf, key, touch);
  }

  #remember(key: string, value: Uint8Array | undefined, options: ReadOptions): void {
    if (options.noCache !== true) this.#cache.set(this.#shelf, key, value ?? null);
  }

  #settle(batch: WriteBatch): void {
    this.#settled++;
    this.#inFlight = this.#inFlight.filter((other) => other !== batch);
    if (batch.cleared) this.#cache.clear(this.#shelf);
    for (const [key, { value, noCache }] of batch.changes) {
      if (noCache) this.#cache.forget(this.#shelf, key);
      else this.#cache.set(this.#shelf, key, value);
    }
  }
}

function emptyBatch(): WriteBatch {
  return { cleared: false, changes: new Map() };
}

function isEmpty(batch: WriteBatch): boolean {
  return !batch.cleared && batch.changes.size === 0;
}

function entriesOf(batch: WriteBatch): LedgerEntry[] {
  const entries: LedgerEntry[] = batch.cleared ? [{ op: 'deleteAll' }] : [];
  for (const [key, { value }] of batch.changes) {
    entries.push(value === null ? { op: 'delete', key } : { op: 'put', key, value });
  }
  return entries;
}
