/**
 * A table of an object, described once: the statement that creates it, the type of its rows, and how rows are read and
 * written all follow from its columns, so they cannot disagree.
 *
 * ```ts
 * const filters = new Table('filters', {
 *   order: 'sequence INTEGER PRIMARY KEY',
 *   columns: { id: text({ isUnique: true }), expression: text(), isPaused: flag(), ref: nullable(text()) },
 * });
 * type Filter = RowOf<typeof filters>; // { readonly id: string; readonly isPaused: boolean; … }
 * filters.insert(sql, filter);
 * filters.select(sql, 'WHERE paused = 1 ORDER BY sequence');
 * ```
 *
 * A column has the name of its property, as SQL writes names: `isPaused` is `paused`, `createdAtMs` is `created_ms`.
 */
import type { Sql } from './sql.ts';

type Stored = string | number | null;

/** @public In the declarations of stores. */
export interface Column<T> {
  /** What `CREATE TABLE` says behind the name. */
  readonly type: string;
  read(stored: Stored): T;
  write(value: T): Stored;
}

interface ColumnOptions {
  readonly isUnique?: boolean;
}

export function text<T extends string = string>({ isUnique = false }: ColumnOptions = {}): Column<T> {
  return {
    type: `TEXT NOT NULL${isUnique ? ' UNIQUE' : ''}`,
    read: (stored) => stored as T,
    write: (value) => value,
  };
}

export function whole(): Column<number> {
  return { type: 'INTEGER NOT NULL', read: (stored) => stored as number, write: (value) => value };
}

export function flag(): Column<boolean> {
  return { type: 'INTEGER NOT NULL', read: (stored) => stored !== 0, write: Number };
}

export function json<T>(): Column<T> {
  return {
    type: 'TEXT NOT NULL',
    read: (stored) => JSON.parse(stored as string) as T,
    write: (value) => JSON.stringify(value),
  };
}

export function nullable<T>({ type, read, write }: Column<T>): Column<T | null> {
  return {
    type: type.replace(' NOT NULL', ''),
    read: (stored) => (stored === null ? null : read(stored)),
    write: (value) => (value === null ? null : write(value)),
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a column of whatever type
type Columns = Readonly<Record<string, Column<any>>> & { readonly id: Column<string> };

export type RowOf<T> = T extends Table<infer C> ? ReadRow<C> : never;
type ReadRow<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never };

type StoredRow = Record<string, Stored>;

export class Table<C extends Columns> {
  readonly name: string;
  /** The statement that creates it, unless it is there. */
  readonly creation: string;
  /** The names of its columns, for a statement of one's own. */
  readonly columnNames: string;
  readonly #columns: readonly (readonly [property: string, name: string, column: Column<unknown>])[];
  readonly #insertion: string;
  readonly #update: string;

  /** `order`: a column that numbers the rows and belongs to no row; without it, `id` is the primary key. */
  constructor(name: string, { order, columns }: { readonly order?: string; readonly columns: C }) {
    this.name = name;
    this.#columns = Object.entries(columns).map(
      ([property, column]) => [property, toColumnName(property), column as Column<unknown>] as const,
    );
    const names = this.#columns.map(([, each]) => each);
    const lines = this.#columns.map(([property, each, { type }]) =>
      property === 'id' && order === undefined ? 'id TEXT PRIMARY KEY' : `${each} ${type}`,
    );
    this.creation = `CREATE TABLE IF NOT EXISTS ${name} (\n    ${[...(order === undefined ? [] : [order]), ...lines].join(',\n    ')}\n  )`;
    this.columnNames = names.join(', ');
    const values = names.map(() => '?').join(', ');
    this.#insertion = `INTO ${name} (${this.columnNames}) VALUES (${values})`;
    const changed = names.filter((each) => each !== 'id').map((each) => `${each} = ?`);
    this.#update = `UPDATE ${name} SET ${changed.join(', ')} WHERE id = ?`;
  }

  /** The rows that the rest of a SELECT statement finds. */
  select(sql: Sql, rest = '', ...values: readonly Stored[]): ReadRow<C>[] {
    const rows = sql.exec<StoredRow>(`SELECT ${this.columnNames} FROM ${this.name} ${rest}`, ...values);
    return Array.from(rows, (row) => this.read(row));
  }

  get(sql: Sql, id: string): ReadRow<C> | undefined {
    return this.select(sql, 'WHERE id = ?', id)[0];
  }

  count(sql: Sql, where = '', ...values: readonly Stored[]): number {
    const counted = `SELECT count(*) AS count FROM ${this.name} ${where}`;
    return sql.exec<{ count: number }>(counted, ...values).one().count;
  }

  insert(sql: Sql, row: ReadRow<C>): void {
    sql.exec(`INSERT ${this.#insertion}`, ...this.#write(row));
  }

  /** The row with this id becomes this one. */
  update(sql: Sql, row: ReadRow<C>): void {
    const values = this.#write(row);
    const id = this.#columns.findIndex(([property]) => property === 'id');
    sql.exec(this.#update, ...values.toSpliced(id, 1), values[id]!);
  }

  /** Adds the row, or replaces the one with its id where it stands. */
  put(sql: Sql, row: ReadRow<C>): void {
    const names = this.#columns.map(([, name]) => name).filter((name) => name !== 'id');
    const replaced = names.map((name) => `${name} = excluded.${name}`).join(', ');
    sql.exec(`INSERT ${this.#insertion} ON CONFLICT (id) DO UPDATE SET ${replaced}`, ...this.#write(row));
  }

  remove(sql: Sql, id: string): void {
    sql.exec(`DELETE FROM ${this.name} WHERE id = ?`, id);
  }

  /** A row of a statement of one's own. `prefix` is what its names of these columns begin with. */
  read(stored: Readonly<StoredRow>, prefix = ''): ReadRow<C> {
    const row: Record<string, unknown> = {};
    for (const [property, name, column] of this.#columns) {
      row[property] = column.read(stored[prefix === '' ? name : prefix + name]!);
    }
    return row as ReadRow<C>;
  }

  #write(row: ReadRow<C>): Stored[] {
    return this.#columns.map(([property, , column]) => column.write(row[property]));
  }
}

function toColumnName(property: string): string {
  return property
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    .replace(/^is_/, '')
    .replace(/_at_ms$/, '_ms');
}
