/** Compares two copies of an object's database: the alarm, values by key, tables, rows. */
import { DatabaseSync } from 'node:sqlite';
import { type ListedTable, listTables, quoteName, showRow, showValue } from '#objects';
import { decodeValue } from '#values';
import type { CopyDifferences, Difference } from './copy-question.ts';
import { shorten } from '../show.ts';

type Cells = readonly unknown[];
type Place = Pick<Difference, 'kind' | 'table' | 'key'>;
/** A row on both sides; undefined on the side that lacks it. */
interface Pair {
  readonly key: Cells;
  readonly before: Cells | undefined;
  readonly after: Cells | undefined;
}

/** SQLite treats it as an empty database. */
const nowhere = ':memory:';
const nanosecondsPerMs = 1_000_000;
/** Maintained by the storage itself, with the same layout as in workerd. */
const values: ListedTable = { name: '_cf_KV', columns: ['value'], key: ['key'] };
const metadata: ListedTable = { name: '_cf_METADATA', columns: ['value'], key: ['key'] };

export interface CompareOptions {
  /** The file of the earlier copy; undefined for an object that has stored nothing. */
  readonly from: string | undefined;
  readonly limit: number;
}

export function compareCopies(file: string, { from = nowhere, limit }: CompareOptions): CopyDifferences {
  using now = new DatabaseSync(file, { readOnly: true });
  using then = new DatabaseSync(from);
  const found = [...new Comparison(now, then, from, limit + 1).list().take(limit + 1)];
  return { differences: found.slice(0, limit), has_more: found.length > limit };
}

class Comparison {
  readonly #now: DatabaseSync;
  readonly #then: DatabaseSync;
  /** The most rows of a table that are read. */
  readonly #limit: number;

  constructor(now: DatabaseSync, then: DatabaseSync, from: string, limit: number) {
    this.#now = now;
    this.#then = then;
    this.#limit = limit;
    now.prepare('ATTACH ? AS earlier').run(from);
  }

  *list(): Generator<Difference> {
    for (const { before, after } of this.#compareHidden(metadata))
      yield describe({ kind: 'alarm', key: 'alarm' }, before && showAlarm(before), after && showAlarm(after));
    for (const { key, before, after } of this.#compareHidden(values))
      yield describe(
        { kind: 'value', key: String(key[0]) },
        before && showStored(before),
        after && showStored(after),
      );
    const [before, after] = [this.#then, this.#now].map(
      (database) => new Map(listTables((sql) => read(database, sql)).map((table) => [table.name, table])),
    );
    for (const name of [...new Set([...before!.keys(), ...after!.keys()])].toSorted())
      yield* this.#compareTables(before!.get(name), after!.get(name));
  }

  *#compareHidden(table: ListedTable): Generator<Pair> {
    const has = (database: DatabaseSync): boolean =>
      read(database, `SELECT 1 FROM sqlite_schema WHERE name = '${table.name}'`).length > 0;
    const [before, after] = [this.#then, this.#now].map((database) => (has(database) ? table : undefined));
    yield* this.#compareRows(before, after);
  }

  *#compareTables(before: ListedTable | undefined, after: ListedTable | undefined): Generator<Difference> {
    const { name } = (after ?? before)!;
    if (!haveSameColumns(before, after))
      yield describe({ kind: 'table', key: name }, before?.columns.join(', '), after?.columns.join(', '));
    for (const { key, before: was, after: is } of this.#compareRows(before, after)) {
      const place = { kind: 'row', table: name, key: key.map(String).join(' ') } as const;
      const columns = { before: before?.columns ?? [], after: after?.columns ?? [] };
      yield describe(place, was && showRow(columns.before, was), is && showRow(columns.after, is));
    }
  }

  #compareRows(before: ListedTable | undefined, after: ListedTable | undefined): Iterable<Pair> {
    if (before !== undefined && after !== undefined && haveSameColumns(before, after))
      return this.#join(after);
    return this.#pair(before, after);
  }

  /** SQLite compares the rows, which needs no memory for equal ones. */
  *#join({ name, columns, key }: ListedTable): Generator<Pair> {
    const table = quoteName(name);
    const names = columns.map(quoteName);
    const of = (side: string, list: readonly string[]): string =>
      list.map((each) => `${side}.${each}`).join(', ');
    const same = key.map((each) => `a.${each} = b.${each}`).join(' AND ');
    const differs = names.map((each) => `a.${each} IS NOT b.${each} COLLATE BINARY`).join(' OR ');
    const changed = read(
      this.#now,
      `SELECT b.${key[0]!} IS NULL, ${of('a', key)}, ${of('a', names)}, ${of('b', names)} FROM main.${table} a
       LEFT JOIN earlier.${table} b ON ${same} WHERE b.${key[0]!} IS NULL OR ${differs} LIMIT ${this.#limit}`,
    );
    for (const [isNew, ...cells] of changed) {
      const [after, before] = [
        cells.slice(key.length, key.length + names.length),
        cells.slice(key.length + names.length),
      ];
      yield { key: cells.slice(0, key.length), before: Number(isNew) === 1 ? undefined : before, after };
    }
    const gone = read(
      this.#now,
      `SELECT ${of('b', key)}, ${of('b', names)} FROM earlier.${table} b
       LEFT JOIN main.${table} a ON ${same} WHERE a.${key[0]!} IS NULL LIMIT ${this.#limit}`,
    );
    for (const cells of gone)
      yield { key: cells.slice(0, key.length), before: cells.slice(key.length), after: undefined };
  }

  /** For a table that one side lacks, or that has other columns: every row differs. */
  #pair(before: ListedTable | undefined, after: ListedTable | undefined): Iterable<Pair> {
    const pairs = new Map<string, Pair>();
    for (const [side, database, table] of [
      ['before', this.#then, before],
      ['after', this.#now, after],
    ] as const) {
      if (table === undefined) continue;
      const wanted = [...table.key, ...table.columns.map(quoteName)].join(', ');
      for (const row of read(
        database,
        `SELECT ${wanted} FROM main.${quoteName(table.name)} LIMIT ${this.#limit}`,
      )) {
        const key = row.slice(0, table.key.length);
        const text = key.map(String).join(' ');
        const known = pairs.get(text) ?? { key, before: undefined, after: undefined };
        pairs.set(text, { ...known, [side]: row.slice(table.key.length) });
      }
    }
    return pairs.values();
  }
}

function describe(place: Place, before: string | undefined, after: string | undefined): Difference {
  return {
    ...place,
    ...(before === undefined ? {} : { before: shorten(before) }),
    ...(after === undefined ? {} : { after: shorten(after) }),
  };
}

function haveSameColumns(one: ListedTable | undefined, other: ListedTable | undefined): boolean {
  return (
    one !== undefined &&
    other !== undefined &&
    JSON.stringify([one.columns, one.key]) === JSON.stringify([other.columns, other.key])
  );
}

function showStored([value]: Cells): string {
  return showValue(decodeValue(value as Uint8Array));
}

function showAlarm([value]: Cells): string {
  return new Date(Number(value) / nanosecondsPerMs).toISOString();
}

/** Shows all digits of numbers beyond the range of JavaScript. */
function read(database: DatabaseSync, sql: string): unknown[][] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  statement.setReadBigInts(true);
  const rows = statement.all() as unknown as unknown[][];
  return rows.map((row) =>
    row.map((cell) => (typeof cell === 'bigint' && BigInt(Number(cell)) === cell ? Number(cell) : cell)),
  );
}
