/**
 * The types of columns: the declaration in `CREATE TABLE`, the type of a value in the program, and how it is stored.
 */

export type Stored = string | number | null | ArrayBuffer;

export interface Column<T> {
  /** The declaration in `CREATE TABLE` after the name. */
  readonly type: string;
  read(stored: Stored): T;
  write(value: T): Stored;
  /** Some existing databases have the table without it. */
  readonly isAdded?: boolean;
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

export function whole({ fallback }: { readonly fallback?: number } = {}): Column<number> {
  return {
    type: `INTEGER NOT NULL${fallback === undefined ? '' : ` DEFAULT ${fallback}`}`,
    read: (stored) => stored as number,
    write: (value) => value,
  };
}

export function flag(): Column<boolean> {
  return { type: 'INTEGER NOT NULL', read: (stored) => stored !== 0, write: Number };
}

export function bytes(): Column<Uint8Array> {
  return {
    type: 'BLOB NOT NULL',
    read: (stored) => new Uint8Array(stored as ArrayBuffer),
    write: (value) => value.slice().buffer,
  };
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

/**
 * A column that was added later: existing tables get it when their object wakes, with this value in every row.
 *
 * @public CONTRIBUTING.md shows how; a test adds such a column.
 */
export function added<T>(column: Column<T>, fallback: T): Column<T> {
  const stored = column.write(fallback);
  // JSON writes numbers and null as SQL does.
  const literal = typeof stored === 'string' ? `'${stored.replaceAll("'", "''")}'` : JSON.stringify(stored);
  return { ...column, type: `${column.type} DEFAULT ${literal}`, isAdded: true };
}
