/**
 * The tables of an SQL object that its own SQL cannot reach, laid out as workerd lays them out: the
 * key-value data and the alarm. Each is created by the first write to it.
 *
 * Key-value writes are gathered in memory (`gathered-writes.ts`) and written to the table in one batch: before any SQL
 * runs that could observe them, before rows are listed, and before they are recorded. Once the object's SQL asks how
 * many rows were changed, nothing is gathered any more. Values read or written stay in the cache that key-value objects
 * also use.
 *
 * Keys are compared as bytes. A key that is not valid Unicode is bound as bytes and cast, so that it has the same bytes
 * as in the other kind of storage.
 */
import type { SQLInputValue } from 'node:sqlite';
import type { SqlDatabase, TrustedStatement } from '#sqlite';
import { toBinaryKey } from './binary-keys.ts';
import { GatheredWrites } from './gathered-writes.ts';
import { KeyLists } from './key-lists.ts';
import type { BinaryRange, ReadOptions, KeyValuePair } from './key-values.ts';
import type { CachedValue, ValueCache } from './value-cache.ts';

const kvTable = {
  name: '_cf_KV',
  sql: 'CREATE TABLE _cf_KV (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID',
};
const metadataTable = {
  name: '_cf_METADATA',
  sql: 'CREATE TABLE _cf_METADATA (key INTEGER PRIMARY KEY, value BLOB)',
};
/** The names of tables that no restore replaces (`history/restore.ts`). */
export const keptTable = {
  name: '_cf_KEPT',
  sql: 'CREATE TABLE _cf_KEPT (name TEXT PRIMARY KEY) WITHOUT ROWID',
};
const upsert =
  'INSERT INTO _cf_KV VALUES (CAST(? AS TEXT), ?) ON CONFLICT DO UPDATE SET value = excluded.value';
const alarmKey = 1;
/** workerd stores the alarm in nanoseconds. */
const nanosecondsPerMs = 1_000_000n;
/** A larger value goes to the table at once: if SQLite refuses it, the caller of put must get the error. */
const gatheredBytesMax = 256 * 1024;
/** Rows are fetched in pieces, so that a huge object can be iterated without fitting into memory. */
const pieceRows = 128;
/** Remembering a longer list would evict from the cache what others need. */
const rememberedRowsMax = 1024;
/** What bytes that are not valid Unicode become in a JavaScript string read from SQLite. */
const replacementCharacter = '\ufffd';

export class HiddenTables {
  readonly #database: SqlDatabase;
  readonly #statements = new Map<string, TrustedStatement>();
  /** Whether each table exists, as far as known; a rollback makes it unknown. */
  readonly #exists = new Map<string, boolean>();
  /** Grows with every change, so that an iteration knows when its piece is stale. */
  #version = 0;
  /** Writes that are not yet in the table. */
  readonly gathered = new GatheredWrites();
  #gathers = true;
  readonly #cache: ValueCache | undefined;
  readonly #shelf: Map<string, CachedValue>;
  readonly #keyLists = new KeyLists();

  constructor(database: SqlDatabase, cache?: ValueCache) {
    this.#database = database;
    this.#cache = cache;
    this.#shelf = new Map();
  }

  get(key: string): Uint8Array | undefined {
    const written = this.gathered.get(key);
    const known = written === undefined ? this.#cache?.get(this.#shelf, key, true) : written;
    if (known !== undefined) return known ?? undefined;
    if (!this.#has(kvTable.name)) return undefined;
    const select = this.#prepare('SELECT value FROM _cf_KV WHERE key = CAST(? AS TEXT)');
    const value = select.get<[Uint8Array]>(bindable(key))?.[0];
    this.#cache?.set(this.#shelf, key, value ?? null);
    return value;
  }

  /** Whether a write of this size is gathered; if not, it goes to the table at once. */
  canGather(bytes: number): boolean {
    return this.#gathers && bytes <= gatheredBytesMax;
  }

  put(key: string, value: Uint8Array): void {
    this.#version++;
    if (!this.#keyLists.isEmpty && !this.#isKnown(key)) this.#keyLists.clear();
    this.#cache?.forget(this.#shelf, key);
    if (this.canGather(value.length)) {
      this.gathered.set(key, value);
      return;
    }
    this.flush();
    this.#write(key, value);
  }

  /** Returns whether the key existed. */
  delete(key: string): boolean {
    const existed = this.get(key) !== undefined;
    if (!this.#gathers) {
      if (this.#has(kvTable.name)) this.#write(key, null);
    } else if (existed) {
      this.#cache?.forget(this.#shelf, key);
      this.gathered.set(key, null);
    }
    if (existed) {
      this.#version++;
      this.#keyLists.clear();
    }
    return existed;
  }

  /** From now on each write is a statement of its own, because the object's SQL can observe the difference. */
  stopGathering(): void {
    this.flush();
    this.#gathers = false;
  }

  /** Writes the turn's oldest layer to the table. */
  flush(): void {
    const { oldest } = this.gathered;
    for (const [key, value] of oldest) {
      this.#write(key, value);
      // Only now: a write that the table refused must prevent the turn from being committed without it.
      oldest.delete(key);
    }
  }

  /** Writes the gathered writes of earlier turns to the table. They stay in memory until they are committed there. */
  flushEnded(): void {
    for (const [key, value] of this.gathered.ended) this.#write(key, value);
  }

  /** Creates the table for gathered writes if it does not exist: the object's SQL can see its name. */
  createForGathered(): void {
    if (this.gathered.oldest.size > 0) this.#create(kvTable);
  }

  /** The writes of a transaction that has no savepoint in the table were dropped. */
  droppedLayer(): void {
    this.#version++;
    this.#keyLists.clear();
  }

  /** These tables will not be used again. */
  close(): void {
    this.#cache?.clear(this.#shelf);
  }

  /**
   * The rows of a range one by one, each in its state when it is reached, whatever was written meanwhile. `current`
   * returns the current tables: a database may be parked, or deleted, under an iteration.
   */
  static *iterate(current: () => HiddenTables, range: BinaryRange): Generator<KeyValuePair, undefined> {
    let { start, end } = range;
    let left = range.limit ?? Number.POSITIVE_INFINITY;
    let seen = 0;
    while (left > 0) {
      const tables = current();
      const version = tables.#version;
      const isStale = (): boolean => current() !== tables || tables.#version !== version;
      const limit = Math.min(left, pieceRows);
      const piece = tables.#piece({ start, end, reverse: range.reverse, limit }, seen < rememberedRowsMax);
      for (const row of piece) {
        left--;
        seen++;
        if (range.reverse) end = row[0];
        else start = `${row[0]}\0`;
        yield row;
        if (isStale()) break;
      }
      if (piece.length < pieceRows && !isStale()) return undefined;
    }
    return undefined;
  }

  list(range: BinaryRange, options: ReadOptions = {}): KeyValuePair[] {
    const rows: KeyValuePair[] = [];
    let { start, end } = range;
    for (let left = range.limit ?? Number.POSITIVE_INFINITY; left > 0;) {
      const limit = Math.min(left, pieceRows);
      const remember = options.noCache !== true && rows.length < rememberedRowsMax;
      const piece = this.#piece({ start, end, reverse: range.reverse, limit }, remember);
      for (const row of piece) rows.push(row);
      if (piece.length < limit) break;
      left -= limit;
      if (range.reverse) end = piece.at(-1)![0];
      else start = `${piece.at(-1)![0]}\0`;
    }
    return rows;
  }

  /** The alarm in milliseconds. */
  alarm(): number | null {
    if (!this.#has(metadataTable.name)) return null;
    const select = this.#prepare('SELECT CAST(value AS TEXT) FROM _cf_METADATA WHERE key = ?');
    const text = select.get<[string | null]>(alarmKey)?.[0] ?? null;
    return text === null ? null : Number(BigInt(text) / nanosecondsPerMs);
  }

  setAlarm(time: number | null): void {
    this.#create(metadataTable);
    this.#prepare(
      'INSERT INTO _cf_METADATA VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    ).run(alarmKey, time === null ? null : BigInt(time) * nanosecondsPerMs);
  }

  /** Names tables to keep; calls `beforeWrite` unless all were named before. Returns whether any was. */
  keep(names: readonly string[], beforeWrite: () => void): boolean {
    const select = this.#has(keptTable.name) ? this.#prepare('SELECT name FROM _cf_KEPT') : undefined;
    const kept = select?.all<[string]>().map(([name]) => name) ?? [];
    const more = names.filter((name) => !kept.includes(name));
    if (more.length > 0) {
      beforeWrite();
      this.#create(keptTable);
      for (const name of more) this.#prepare('INSERT INTO _cf_KEPT VALUES (?)').run(name);
    }
    return kept.length > 0;
  }

  /** Something was rolled back: earlier knowledge is no longer valid. */
  rolledBack(): void {
    this.gathered.clearTurn();
    this.#keyLists.clear();
    this.#cache?.clear(this.#shelf);
    this.#exists.clear();
    this.#version++;
  }

  /**
   * The keys come from the table and the values from the cache: creating a JavaScript array of bytes for each row is
   * most of a query's cost. If the cache lacks a value, all of them are read, and remembered if requested.
   */
  #piece(range: BinaryRange, remember: boolean): KeyValuePair[] {
    this.flush();
    if (!this.#has(kvTable.name)) return [];
    const known = this.#keyLists.get(range);
    const rows = known === undefined ? undefined : this.#cachedRows(known);
    if (rows !== undefined) return rows;
    const values = boundsOf(range);
    const keys = this.#prepare(rangeQuery('key', range))
      .all<[string]>(...values)
      .map(([key]) => key);
    if (keys.some((key) => key.includes(replacementCharacter))) return this.#rows(range, values);
    const found = this.#cachedRows(keys) ?? this.#rowsFor(keys, range, values, remember);
    if (remember && this.#cache !== undefined) this.#keyLists.set(range, keys.map(this.#cachedKey));
    return found;
  }

  /** The rows of these keys, unless the cache lacks one of the values. */
  #cachedRows(keys: readonly string[]): KeyValuePair[] | undefined {
    const rows: KeyValuePair[] = [];
    for (const key of keys) {
      const value = this.#cache?.get(this.#shelf, key, true);
      if (value === undefined || value === null) return undefined;
      rows.push([toBinaryKey(key), value]);
    }
    return rows;
  }

  /** The cache's string for a key, so that only one exists, which V8 has already hashed. */
  readonly #cachedKey = (key: string): string => this.#shelf.get(key)?.key ?? key;

  /** Whether memory has a value for this key. */
  #isKnown(key: string): boolean {
    const written = this.gathered.get(key);
    const value = written === undefined ? this.#shelf.get(key)?.value : written;
    return value !== undefined && value !== null;
  }

  /** The rows of these keys, which are all the keys in the range. */
  #rowsFor(
    keys: readonly string[],
    range: BinaryRange,
    values: SQLInputValue[],
    remember: boolean,
  ): KeyValuePair[] {
    const found = this.#prepare(rangeQuery('value', range)).all<[Uint8Array]>(...values);
    return keys.map((key, index) => {
      const value = found[index]![0];
      if (remember) this.#cache?.set(this.#shelf, key, value);
      return [toBinaryKey(key), value];
    });
  }

  /** The rows of a range with keys that are not all valid Unicode: as text they would not round-trip. */
  #rows(range: BinaryRange, values: SQLInputValue[]): KeyValuePair[] {
    const select = this.#prepare(rangeQuery('CAST(key AS BLOB), value', range));
    return select
      .all<[Uint8Array, Uint8Array]>(...values)
      .map(([key, value]) => [
        Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1'),
        value,
      ]);
  }

  #write(key: string, value: Uint8Array | null): void {
    this.#create(kvTable);
    if (value === null) this.#prepare('DELETE FROM _cf_KV WHERE key = CAST(? AS TEXT)').run(bindable(key));
    else this.#prepare(upsert).run(bindable(key), value);
    this.#cache?.set(this.#shelf, key, value);
  }

  #has(table: string): boolean {
    let exists = this.#exists.get(table);
    if (exists === undefined) {
      exists =
        this.#prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !==
        undefined;
      this.#exists.set(table, exists);
    }
    return exists;
  }

  #create(table: { name: string; sql: string }): void {
    if (this.#has(table.name)) return;
    this.#database.execTrusted(table.sql);
    this.#exists.set(table.name, true);
  }

  #prepare(sql: string): TrustedStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepareTrusted(sql, { arrays: true });
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function rangeQuery(columns: string, { end, reverse }: BinaryRange): string {
  const bound = end === undefined ? '' : 'AND key < CAST(?3 AS TEXT)';
  return `SELECT ${columns} FROM _cf_KV WHERE key >= CAST(?1 AS TEXT) ${bound}
    ORDER BY key ${reverse ? 'DESC' : 'ASC'} LIMIT ?2`;
}

function boundsOf({ start, end, limit }: BinaryRange): SQLInputValue[] {
  const bytes = [start, ...(end === undefined ? [] : [end])].map((key) => Buffer.from(key, 'latin1'));
  return [bytes[0]!, limit ?? -1, ...bytes.slice(1)];
}

function bindable(key: string): string | Uint8Array {
  return key.isWellFormed() ? key : Buffer.from(toBinaryKey(key), 'latin1');
}
