/** The tables that the code of an object has made, and their rows as text for people. */
import { showValue } from './show-value.ts';

export interface ListedTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Expressions that identify a row: the rowid, or the primary key of a table without one. */
  readonly key: readonly string[];
}

/** Excludes views, virtual tables, and the internal tables of SQLite and of this program. */
export function listTables(run: (sql: string) => readonly (readonly unknown[])[]): ListedTable[] {
  return run('PRAGMA table_list')
    .filter(([schema, name, type]) => schema === 'main' && type === 'table' && isOwn(String(name)))
    .toSorted(([, a], [, b]) => (String(a) < String(b) ? -1 : 1))
    .map(([, given, , , hasNoRowid]) => {
      const name = String(given);
      const columns = run(`PRAGMA table_info(${quoteName(name)})`);
      const names = columns.map(([, column]) => String(column));
      const keyed = columns.filter(([, , , , , place]) => Number(place) > 0).map(([, column]) => column);
      const key =
        Number(hasNoRowid) === 1 ? keyed.map((column) => quoteName(String(column))) : [rowid(names)];
      return { name, columns: names, key };
    });
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function showRow(columns: readonly string[], cells: readonly unknown[]): string {
  return columns.map((column, index) => `${column}: ${showCell(cells[index])}`).join(', ');
}

function showCell(cell: unknown): string {
  if (typeof cell === 'bigint') return String(cell);
  const bytes = cell instanceof ArrayBuffer ? new Uint8Array(cell) : cell;
  return bytes instanceof Uint8Array ? `x'${Buffer.from(bytes).toString('hex')}'` : showValue(cell);
}

function isOwn(name: string): boolean {
  return !name.startsWith('_cf_') && !name.startsWith('sqlite_');
}

/** One of the rowid's names; a column of the same name would hide it. */
function rowid(columns: readonly string[]): string {
  const taken = new Set(columns.map((column) => column.toLowerCase()));
  return ['rowid', '_rowid_', 'oid'].find((name) => !taken.has(name)) ?? 'rowid';
}
