/** The sources from which lists are updated automatically, with their results. */
import { json, nullable, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

export type SourceKind = 'url' | 'crowdsec';

export const listSourceTable = new Table('list_sources', {
  columns: {
    /** The id of the list. */
    id: text(),
    kind: text<SourceKind>(),
    url: text(),
    sealedKey: nullable(text()),
    intervalMs: whole(),
    fetchedAtMs: nullable(whole()),
    changedAtMs: nullable(whole()),
    dueMs: whole(),
    /** Consecutive failed attempts. */
    failures: whole(),
    problem: nullable(text()),
    /** The validators of the version that was read, for a conditional request. */
    validators: json<{ readonly etag?: string; readonly modified?: string }>(),
  },
  attached: [
    `CREATE TRIGGER IF NOT EXISTS lists_have_sources AFTER DELETE ON lists BEGIN
      DELETE FROM list_sources WHERE id = OLD.id;
    END`,
  ],
});

export type ListSource = RowOf<typeof listSourceTable>;

export function listDueSources(sql: Sql, nowMs: number): ListSource[] {
  return listSourceTable.select(sql, 'WHERE due_ms <= ? ORDER BY due_ms', nowMs);
}

/** Undefined if no list has a source. */
export function findNextSourceDue(sql: Sql): number | undefined {
  return listSourceTable.select(sql, 'ORDER BY due_ms LIMIT 1')[0]?.dueMs;
}
