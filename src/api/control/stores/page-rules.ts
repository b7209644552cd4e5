/** Page rules as rows of the zone's database. */
import { json, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export interface PageRuleAction {
  readonly id: string;
  /** The value as JSON; undefined for actions without a value. */
  readonly value?: unknown;
}

export const pageRuleTable = new Table('page_rules', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    /** In the form that clients see. */
    pattern: text(),
    /** The normalised spelling, which equivalent patterns share. */
    patternKey: text({ isUnique: true }),
    actions: json<readonly PageRuleAction[]>(),
    priority: whole(),
    status: text<'active' | 'disabled'>(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
  /** By precedence: the first rule that matches applies. At equal priority, the rule created later comes first. */
  order: 'priority DESC, sequence DESC',
});

export type PageRule = RowOf<typeof pageRuleTable>;

export function findByPatternKey(sql: Sql, key: string): PageRule | undefined {
  return pageRuleTable.select(sql, 'WHERE pattern_key = ?', key)[0];
}
