/**
 * A table of an object, described once: the statement that creates it, the type of its rows, and how rows are found,
 * read and written all follow from its columns, so they always agree.
 *
 * ```ts
 * export const notes = new Table('notes', {
 *   sequence: 'rowid',
 *   columns: { id: text({ isUnique: true }), text: text(), isPaused: flag(), ref: nullable(text()) },
 *   order: 'sequence',
 *   filters: { paused: 'paused = ?', text: contains('text') },
 * });
 * export type Note = RowOf<typeof notes>; // { readonly id: string; readonly isPaused: boolean; … }
 * notes.insert(sql, note);
 * notes.get(sql, note.id);
 * notes.search(sql, { paused: true, page: 1, per_page: 20 });
 * ```
 *
 * A column is named after its property, in SQL style: `isPaused` is `paused`, `createdAtMs` is `created_ms`.
 */
import type { Column, Stored } from './columns.ts';
import { createMissing } from './create-missing.ts';
import type { Sql } from './sql.ts';

type Columns = Readonly<Record<string, AnyColumn>>;
/** A column of any type; `Column<any>` would make each type any. */
interface AnyColumn extends Omit<Column<unknown>, 'write'> {
  write(value: never): Stored;
}
type Key = readonly string[];
/** The filters of a search by name: a condition with one question mark for the value, or a condition for each value. */
type Filters = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

interface Description<C extends Columns, K extends Key, F extends Filters> {
  /** The columns that identify a row, by default `id`. A table without any has at most one row. */
  readonly key?: K;
  /**
   * Rows are numbered in order of creation, in a column that is not part of the row. The number of a deleted row is
   * reused (`rowid`), or never.
   */
  readonly sequence?: 'rowid' | 'autoincrement';
  readonly isWithoutRowid?: boolean;
  readonly columns: C & Readonly<Record<K[number], unknown>>;
  /** The statements that create its indexes and triggers. */
  readonly attached?: readonly string[];
  /** The order of listed and searched rows. */
  readonly order?: string;
  readonly filters?: F;
}

type ValueOf<T> = T extends Column<infer V> ? V : never;
type ReadRow<C extends Columns> = { readonly [P in keyof C]: ValueOf<C[P]> };
type KeyValues<C extends Columns, K extends Key> = { readonly [I in keyof K]: ValueOf<C[K[I]]> };
type Query<F extends Filters> = {
  readonly [P in keyof F]?: (F[P] extends string ? string | number : keyof F[P]) | boolean | undefined;
};

export interface Page {
  readonly page: number;
  readonly per_page: number;
}

// oxlint-disable-next-line typescript/no-explicit-any -- a table with whatever key and filters
export type RowOf<T> = T extends Table<infer C, any, any> ? ReadRow<C> : never;
/** The filters that a search supports. */
// oxlint-disable-next-line typescript/no-explicit-any -- a table with whatever columns and key
export type QueryOf<T> = T extends Table<any, any, infer F> ? Query<F> : never;

type StoredRow = Record<string, Stored>;

interface NamedColumn {
  readonly property: string;
  readonly name: string;
  readonly column: Column<unknown>;
}

/** Identifies the only row of a table without a key. */
const one = 'one INTEGER PRIMARY KEY CHECK (one = 1)';
const sequences = {
  rowid: ['sequence INTEGER PRIMARY KEY'],
  autoincrement: ['sequence INTEGER PRIMARY KEY AUTOINCREMENT'],
} as const;

export class Table<
  C extends Columns,
  const K extends Key = readonly ['id'],
  const F extends Filters = Filters,
> {
  readonly name: string;
  /** The statements that create the table, its later columns, its indexes and its triggers: for `createMissing`. */
  readonly creation: readonly string[];
  /** The names of its columns, for hand-written statements. */
  readonly columnNames: string;
  readonly #columns: readonly NamedColumn[];
  readonly #key: readonly NamedColumn[];
  readonly #others: readonly NamedColumn[];
  readonly #order: string;
  readonly #filters: Filters;
  readonly #whereKey: string;
  readonly #insertion: string;
  readonly #replacement: string;
  readonly #update: string;

  constructor(name: string, description: Description<C, K, F>) {
    const { key = ['id'], order, filters = {} } = description;
    this.name = name;
    this.#columns = Object.entries<Column<unknown>>(description.columns).map(([property, column]) => ({
      property,
      name: toColumnName(property),
      column,
    }));
    this.#key = key.map((property) => this.#columns.find((each) => each.property === property)!);
    this.#others = this.#columns.filter((each) => !this.#key.includes(each));
    this.#order = order === undefined ? '' : `ORDER BY ${order}`;
    this.#filters = filters;
    this.columnNames = joinNames(this.#columns);
    this.creation = [
      this.#describe(description),
      ...this.#columns
        .filter(({ column }) => column.isAdded)
        .map((each) => `ALTER TABLE ${name} ADD COLUMN ${each.name} ${each.column.type}`),
      ...(description.attached ?? []),
    ];
    const isSingle = key.length === 0;
    const names = [...(isSingle ? ['one'] : []), this.columnNames].filter((each) => each !== '').join(', ');
    const values = [...(isSingle ? ['1'] : []), ...this.#columns.map(() => '?')].join(', ');
    const replaced = this.#others.map((each) => `${each.name} = excluded.${each.name}`).join(', ');
    const changed = this.#others.map((each) => `${each.name} = ?`).join(', ');
    this.#whereKey = isSingle ? '' : `WHERE ${this.#key.map((each) => `${each.name} = ?`).join(' AND ')}`;
    this.#insertion = `INSERT INTO ${name} (${names}) VALUES (${values})`;
    this.#replacement = `${this.#insertion} ON CONFLICT (${isSingle ? 'one' : joinNames(this.#key)}) DO ${
      replaced === '' ? 'NOTHING' : `UPDATE SET ${replaced}`
    }`;
    this.#update = `UPDATE ${name} SET ${changed} ${this.#whereKey}`;
  }

  #describe({ sequence, isWithoutRowid = false }: Description<C, K, F>): string {
    const [only] = sequence === undefined && this.#key.length === 1 ? this.#key : [];
    const columns = this.#columns.map((each) => {
      const { type } = each.column;
      return `${each.name} ${each === only ? type.replace('NOT NULL', 'PRIMARY KEY') : type}`;
    });
    const first = sequence === undefined ? (this.#key.length === 0 ? [one] : []) : sequences[sequence];
    const last = this.#key.length > 1 ? [`PRIMARY KEY (${joinNames(this.#key)})`] : [];
    return `CREATE TABLE IF NOT EXISTS ${this.name} (\n    ${[...first, ...columns, ...last].join(',\n    ')}\n  )${isWithoutRowid ? ' WITHOUT ROWID' : ''}`;
  }

  /** Creates its missing parts. */
  create(sql: Sql): void {
    createMissing(sql, this.creation);
  }

  /** The rows that a SELECT statement with this rest finds. */
  select(sql: Sql, rest = '', ...values: readonly Stored[]): ReadRow<C>[] {
    const rows = sql.exec<StoredRow>(
      `SELECT ${this.columnNames || 'one'} FROM ${this.name} ${rest}`,
      ...values,
    );
    return Array.from(rows, (row) => this.read(row));
  }

  /** Like `select`, with additional numbers for each row: their names, and the SQL expressions that compute them. */
  selectWith<Name extends string>(
    sql: Sql,
    numbers: Readonly<Record<Name, string>>,
    rest: string,
    ...values: readonly Stored[]
  ): (ReadRow<C> & Readonly<Record<Name, number>>)[] {
    const names = Object.keys(numbers) as Name[];
    const more = names.map((name) => `${numbers[name]} AS ${name}`).join(', ');
    const statement = `SELECT ${more}, ${this.columnNames} FROM ${this.name} ${rest}`;
    return Array.from(sql.exec<StoredRow>(statement, ...values), (row) => {
      const counted = Object.fromEntries(names.map((name) => [name, row[name]]));
      return { ...this.read(row), ...(counted as Record<Name, number>) };
    });
  }

  /** One column of the rows that a SELECT statement with this rest finds. */
  pick<P extends keyof C & string>(
    sql: Sql,
    property: P,
    rest = '',
    ...values: readonly Stored[]
  ): ReadRow<C>[P][] {
    const { name, column } = this.#columns.find((each) => each.property === property)!;
    const rows = sql.exec<StoredRow>(
      `SELECT ${this.name}.${name} AS ${name} FROM ${this.name} ${rest}`,
      ...values,
    );
    return Array.from(rows, (row) => column.read(row[name]!) as ReadRow<C>[P]);
  }

  list(sql: Sql): ReadRow<C>[] {
    return this.select(sql, this.#order);
  }

  /** A page of the rows that match the query, and the number of all of them. */
  search(sql: Sql, query: Query<F> & Page): { readonly total: number; readonly rows: ReadRow<C>[] } {
    const { where, values } = this.toConditions(query);
    const rows = this.select(sql, `${where} ${this.#order} LIMIT ? OFFSET ?`, ...values, ...toRange(query));
    return { total: this.count(sql, where, ...values), rows };
  }

  /** The conditions of a query, for hand-written statements. An empty text is not a condition. */
  toConditions(query: Query<F>): { readonly where: string; readonly values: (string | number)[] } {
    const parts: string[] = [];
    const values: (string | number)[] = [];
    for (const [name, filter] of Object.entries(this.#filters)) {
      const value = query[name];
      if (value === undefined || value === '') continue;
      if (typeof filter === 'string')
        values.push(typeof value === 'boolean' ? Number(value) : (value as string | number));
      parts.push(typeof filter === 'string' ? filter : filter[String(value)]!);
    }
    return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
  }

  get(sql: Sql, ...key: KeyValues<C, K>): ReadRow<C> | undefined {
    return this.select(sql, this.#whereKey, ...this.#writeKey(key))[0];
  }

  count(sql: Sql, where = '', ...values: readonly Stored[]): number {
    const counted = `SELECT count(*) AS count FROM ${this.name} ${where}`;
    return sql.exec<{ count: number }>(counted, ...values).one().count;
  }

  /** The largest row number bounds the number of rows, and can be read without counting. */
  hasAtLeast(sql: Sql, count: number): boolean {
    const { last } = sql.exec<{ last: number | null }>(`SELECT max(rowid) AS last FROM ${this.name}`).one();
    return (last ?? 0) >= count && this.count(sql) >= count;
  }

  insert(sql: Sql, row: ReadRow<C>): void {
    sql.exec(this.#insertion, ...writeRow(this.#columns, row));
  }

  /** Replaces the row with the key of this row. */
  update(sql: Sql, row: ReadRow<C>): void {
    sql.exec(this.#update, ...writeRow(this.#others, row), ...writeRow(this.#key, row));
  }

  /**
   * Inserts the row, or updates the one with its key in place: the latter only if the condition holds, if there is one.
   */
  put(sql: Sql, row: ReadRow<C>, condition?: string): void {
    const where = condition === undefined ? '' : ` WHERE ${condition}`;
    sql.exec(this.#replacement + where, ...writeRow(this.#columns, row));
  }

  remove(sql: Sql, ...key: KeyValues<C, K>): void {
    sql.exec(`DELETE FROM ${this.name} ${this.#whereKey}`, ...this.#writeKey(key));
  }

  /** Reads a row of a hand-written statement. `prefix` is the prefix of its names for these columns. */
  read(stored: Readonly<StoredRow>, prefix = ''): ReadRow<C> {
    const row: Record<string, unknown> = {};
    for (const { property, name, column } of this.#columns) {
      row[property] = column.read(stored[prefix === '' ? name : prefix + name]!);
    }
    return row as ReadRow<C>;
  }

  #writeKey(key: readonly unknown[]): Stored[] {
    return this.#key.map(({ column }, index) => column.write(key[index]));
  }
}

/** A filter: the text of the column contains the value, ignoring case. */
export function contains(name: string): string {
  return `instr(lower(${name}), lower(?)) > 0`;
}

/** The values of LIMIT and OFFSET for a page. */
export function toRange({ page, per_page }: Page): [limit: number, offset: number] {
  return [per_page, (page - 1) * per_page];
}

function joinNames(columns: readonly NamedColumn[]): string {
  return columns.map(({ name }) => name).join(', ');
}

function writeRow(columns: readonly NamedColumn[], row: Readonly<Record<string, unknown>>): Stored[] {
  return columns.map(({ property, column }) => column.write(row[property]));
}

function toColumnName(property: string): string {
  return property
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/^is_/, '')
    .replace(/_at_ms$/, '_ms');
}
