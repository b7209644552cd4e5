/**
 * Overwrites the columns of a copy whose content never leaves the server, before the copy is read: so no query can show
 * them.
 */
import type { DatabaseSync } from 'node:sqlite';
import type { SecretColumn } from '../inspection.ts';

interface Trigger extends Record<string, string> {
  name: string;
  sql: string;
}

/** The triggers of these tables record changes for the program: they are removed meanwhile. */
export function maskSecrets(database: DatabaseSync, columns: readonly SecretColumn[]): void {
  for (const [table, column] of columns) {
    const isThere = database
      .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?")
      .get(table);
    if (isThere === undefined) continue;
    const triggers = database
      .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?")
      .all(table) as Trigger[];
    for (const { name } of triggers) database.exec(`DROP TRIGGER "${name}"`);
    // The columns may be unique, so each row gets a different text.
    database.exec(`UPDATE "${table}" SET "${column}" = 'hidden-' || rowid`);
    for (const { sql } of triggers) database.exec(sql);
  }
}
