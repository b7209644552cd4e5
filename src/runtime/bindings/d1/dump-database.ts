/** A database as SQL text that recreates it. */
import type { StoredRows } from '../read-stored.ts';

export interface DumpOptions {
  readonly noSchema: boolean;
  readonly noData: boolean;
  /** Only these tables; all if the list is empty. */
  readonly tables: readonly string[];
}

/** Characters yielded at a time. */
const pieceCharacters = 64 * 1024;

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export async function* dumpDatabase(past: StoredRows, options: DumpOptions): AsyncGenerator<string> {
  const { noSchema, noData, tables } = options;
  const rows = [
    ...past.exec(
      "SELECT type, name, tbl_name AS tableName, sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name NOT LIKE '\\_cf\\_%' ESCAPE '\\' ORDER BY rowid",
    ),
  ] as unknown as readonly Readonly<Record<'type' | 'name' | 'tableName' | 'sql', string>>[];
  const wanted = rows.filter(({ tableName }) => tables.length === 0 || tables.includes(tableName));
  yield 'PRAGMA defer_foreign_keys=TRUE;\n';
  for (const { type, name, sql } of wanted) {
    if (type !== 'table') continue;
    if (!noSchema) yield `${sql};\n`;
    if (!noData && !/^CREATE VIRTUAL/i.test(sql)) yield* dumpRows(past, name);
  }
  if (!noData) yield* dumpSequences(past, new Set(wanted.map(({ tableName }) => tableName)));
  // After the rows: an index is built once, and triggers do not fire for the inserted rows.
  if (!noSchema) for (const { type, sql } of wanted) if (type !== 'table') yield `${sql};\n`;
}

async function* dumpRows(past: StoredRows, table: string): AsyncGenerator<string> {
  // Excludes computed columns.
  const columns = [...past.exec('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0', table)].map(
    (row) => quoteName(row['name'] as string),
  );
  if (columns.length === 0) return;
  const names = columns.join(',');
  const values = `concat_ws(',', ${columns.map(writeValue).join(', ')})`;
  let piece = '';
  for (const row of past.exec(`SELECT ${values} AS line FROM ${quoteName(table)}`)) {
    piece += `INSERT INTO ${quoteName(table)} (${names}) VALUES(${row['line'] as string});\n`;
    if (piece.length < pieceCharacters) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The numbers that AUTOINCREMENT has assigned: rows alone do not show them if the last ones were deleted. */
function* dumpSequences(past: StoredRows, tables: ReadonlySet<string>): Generator<string> {
  const known = [...past.exec("SELECT 1 AS found FROM sqlite_master WHERE name = 'sqlite_sequence'")];
  if (known.length === 0) return;
  for (const row of past.exec('SELECT name, quote(name) AS quoted, seq FROM sqlite_sequence ORDER BY name')) {
    const { name, quoted, seq } = row as Readonly<Record<'name' | 'quoted' | 'seq', string>>;
    if (!tables.has(name)) continue;
    yield `DELETE FROM sqlite_sequence WHERE name = ${quoted};\n`;
    yield `INSERT INTO sqlite_sequence (name, seq) VALUES(${quoted},${seq});\n`;
  }
}

/** `quote` ends a text at its first NUL. */
function writeValue(column: string): string {
  return `iif(typeof(${column}) = 'text' AND instr(${column}, char(0)) > 0, 'CAST(x''' || hex(${column}) || ''' AS TEXT)', quote(${column}))`;
}
