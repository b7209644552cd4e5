/**
 * The tables, indexes and triggers of an object that is woken. Most have them all, from when they were woken for the
 * first time, and compiling some 40 statements that do nothing takes milliseconds: what exists is read by one.
 */
import type { Sql } from '../context/tables/sql.ts';

const creation = /^CREATE (?:UNIQUE )?(?:TABLE|INDEX|TRIGGER) IF NOT EXISTS (\w+)/;

/** The statements create something if it does not exist; nothing else. */
export function createMissing(sql: Sql, statements: readonly string[]): void {
  const rows = sql.exec<{ name: string }>('SELECT name FROM sqlite_schema');
  const existing = new Set(Array.from(rows, ({ name }) => name));
  const missing = statements.filter((statement) => !existing.has(creation.exec(statement)?.[1] ?? ''));
  if (missing.length > 0) sql.exec(missing.join(';\n'));
}
