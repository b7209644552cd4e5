/** Filters as rows of the zone's database. */
import { Conditions } from '../context/tables/conditions.ts';
import type { Sql } from '../context/tables/sql.ts';
import { flag, nullable, type RowOf, Table, text } from '../context/tables/table.ts';

/**
 * Handlers ensure that no two filters have the same expression; the database does not, because filters that trade
 * expressions in one call are equal for a moment.
 */
export const filters = new Table('filters', {
  order: 'sequence INTEGER PRIMARY KEY',
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
});

export const filterTables = [
  filters.creation,
  'CREATE INDEX IF NOT EXISTS filters_by_expression ON filters (expression)',
];

export type Filter = RowOf<typeof filters>;

export interface FilterQuery {
  readonly id?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly ref?: string | undefined;
  readonly description?: string | undefined;
  readonly expression?: string | undefined;
  /** Whether no firewall rule uses the filter. */
  readonly unused?: boolean | undefined;
}

export class FilterStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): Filter | undefined {
    return filters.get(this.#sql, id);
  }

  /** The id of another filter with the same expression. */
  findTwin({ id, expression }: Pick<Filter, 'id' | 'expression'>): string | undefined {
    const [row] = this.#sql.exec<{ id: string }>(
      'SELECT id FROM filters WHERE expression = ? AND id <> ? ORDER BY sequence LIMIT 1',
      expression,
      id,
    );
    return row?.id;
  }

  /** There are never more rows than the largest key, which can be read without counting. */
  hasAsManyAs(count: number): boolean {
    const { last } = this.#sql
      .exec<{ last: number | null }>('SELECT max(sequence) AS last FROM filters')
      .one();
    if (last === null || last < count) return false;
    return filters.count(this.#sql) >= count;
  }

  add(filter: Filter): void {
    filters.insert(this.#sql, filter);
  }

  replace(filter: Filter): void {
    filters.update(this.#sql, filter);
  }

  remove(id: string): void {
    filters.remove(this.#sql, id);
  }

  /** In the order of creation. */
  find(query: FilterQuery, { offset, limit }: { readonly offset: number; readonly limit: number }) {
    const { where, values } = toConditions(query);
    const rest = `${where} ORDER BY sequence LIMIT ? OFFSET ?`;
    return {
      total: filters.count(this.#sql, where, ...values),
      filters: filters.select(this.#sql, rest, ...values, limit, offset),
    };
  }

  /** The filters whose expression contains the text, in the order of creation. */
  findContaining(text: string): Filter[] {
    return filters.select(this.#sql, 'WHERE instr(expression, ?) > 0 ORDER BY sequence', text);
  }
}

function toConditions({ id, ref, paused, description, expression, unused }: FilterQuery): Conditions {
  // An empty text is no condition.
  const conditions = new Conditions()
    .add('id = ?', id || undefined)
    .add('ref = ?', ref || undefined)
    .add('paused = ?', paused)
    .add('instr(lower(description), lower(?)) > 0', description || undefined)
    .add('instr(lower(expression), lower(?)) > 0', expression || undefined);
  if (unused === undefined) return conditions;
  const isUsed = 'EXISTS (SELECT 1 FROM firewall_rules WHERE filter_id = filters.id)';
  return conditions.addFixed(unused ? `NOT ${isUsed}` : isUsed);
}
