/**
 * Creates the tables, indexes and triggers of an object when it wakes. Most objects already have all of them, and
 * compiling about 40 statements without effect takes milliseconds, so a single statement reads what exists.
 */
import type { Sql } from './sql.ts';

const creation = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER) IF NOT EXISTS (\w+)/;
const addition = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/;

/** Each statement creates something unless it exists, or adds a missing column to a table; nothing else. */
export function createMissing(sql: Sql, statements: readonly string[]): void {
  const rows = sql.exec<{ name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema');
  const existing = new Map(Array.from(rows, (row) => [row.name, row.sql ?? '']));
  const missing = statements.filter((statement) => {
    const [, table, column] = addition.exec(statement) ?? [];
    if (table === undefined) return !existing.has(creation.exec(statement)?.[1] ?? '');
    // A table that was just created has all of its columns.
    const described = existing.get(table);
    return described !== undefined && !new RegExp(`[(,]\\s*${column}\\s`).test(described);
  });
  if (missing.length > 0) sql.exec(missing.join(';\n'));
}
