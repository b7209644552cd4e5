/**
 * The tables, indexes and triggers of an object that is woken. Most have them all, from when they were woken for the
 * first time, and compiling some 40 statements that do nothing takes milliseconds: what exists is read by one.
 */
import type { Sql } from './sql.ts';

const creation = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER) IF NOT EXISTS (\w+)/;
const addition = /^ALTER TABLE (\w+) ADD COLUMN (\w+)/;

/** The statements create something if it does not exist, or add a column to a table that lacks it; nothing else. */
export function createMissing(sql: Sql, statements: readonly string[]): void {
  const rows = sql.exec<{ name: string; sql: string | null }>('SELECT name, sql FROM sqlite_schema');
  const existing = new Map(Array.from(rows, (row) => [row.name, row.sql ?? '']));
  const missing = statements.filter((statement) => {
    const [, table, column] = addition.exec(statement) ?? [];
    if (table === undefined) return !existing.has(creation.exec(statement)?.[1] ?? '');
    // A table that is created now has all of its columns.
    const described = existing.get(table);
    return described !== undefined && !new RegExp(`[(,]\\s*${column}\\s`).test(described);
  });
  if (missing.length > 0) sql.exec(missing.join(';\n'));
}
