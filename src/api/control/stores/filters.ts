/**
 * Filters as rows of the zone's database. Handlers ensure that no two filters have the same expression; the database
 * does not, because filters that swap expressions in one call are briefly equal.
 */
import { flag, nullable, text } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { contains, type RowOf, Table } from '../context/tables/table.ts';

const isUsed = 'EXISTS (SELECT 1 FROM firewall_rules WHERE filter_id = filters.id)';

export const filterTable = new Table('filters', {
  sequence: 'rowid',
  columns: {
    id: text({ isUnique: true }),
    expression: text(),
    isPaused: flag(),
    description: nullable(text()),
    ref: nullable(text()),
    /**
     * The filter was created together with a firewall rule: it cannot be changed while a rule uses it, and is deleted with
     * its last rule.
     */
    isInline: flag(),
  },
  attached: ['CREATE INDEX IF NOT EXISTS filters_by_expression ON filters (expression)'],
  order: 'sequence',
  filters: {
    id: 'id = ?',
    ref: 'ref = ?',
    paused: 'paused = ?',
    description: contains('description'),
    expression: contains('expression'),
    unused: { true: `NOT ${isUsed}`, false: isUsed },
  },
});

export type Filter = RowOf<typeof filterTable>;

/** The id of another filter with the same expression. */
export function findFilterTwin(
  sql: Sql,
  { id, expression }: Pick<Filter, 'id' | 'expression'>,
): string | undefined {
  const rest = 'WHERE expression = ? AND id <> ? ORDER BY sequence LIMIT 1';
  return filterTable.pick(sql, 'id', rest, expression, id)[0];
}
