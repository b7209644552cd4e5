/**
 * The length of each audit log and the hash of its last entry, stored in the account: a log whose entries were removed
 * or replaced no longer matches its anchor. An anchor moves to a later entry of the same log and never back.
 */
import { text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

/** The name of the account's own log. */
export const accountLog = 'account';

export const auditAnchorTable = new Table('audit_anchors', {
  key: ['log'],
  /** The log of an object is named like the object. */
  columns: { log: text(), sequence: whole(), hash: text() },
});

/** The anchor of the log of an object. */
export type Anchor = RowOf<typeof auditAnchorTable>;

export function findAnchors(sql: Sql, logs: readonly string[]): Anchor[] {
  return auditAnchorTable.select(sql, 'WHERE log IN (SELECT value FROM json_each(?))', JSON.stringify(logs));
}

export function moveAnchor(sql: Sql, anchor: Anchor): void {
  auditAnchorTable.put(sql, anchor, 'excluded.sequence > sequence');
}
