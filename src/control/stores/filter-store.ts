/** Filters as rows of the zone's database. */
import { Conditions } from '../context/conditions.ts';
import type { Sql } from '../context/sql.ts';

export const filterTables = [
  // `sequence` is the order of creation. Handlers ensure that no two filters have the same expression; the database does
  // not, because filters that trade expressions in one call are equal for a moment.
  `CREATE TABLE IF NOT EXISTS filters (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    expression TEXT NOT NULL,
    paused INTEGER NOT NULL,
    description TEXT,
    ref TEXT,
    inline INTEGER NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS filters_by_expression ON filters (expression)',
];

export interface Filter {
  readonly id: string;
  readonly expression: string;
  readonly isPaused: boolean;
  readonly description: string | null;
  readonly ref: string | null;
  /**
   * The filter was created together with a firewall rule: it cannot be changed while a rule uses it, and is deleted with its
   * last rule.
   */
  readonly isInline: boolean;
}

interface FilterRow extends Record<string, string | number | null> {
  id: string;
  expression: string;
  paused: number;
  description: string | null;
  ref: string | null;
  inline: number;
}

export interface FilterQuery {
  readonly id?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly ref?: string | undefined;
  readonly description?: string | undefined;
  readonly expression?: string | undefined;
  /** Whether no firewall rule uses the filter. */
  readonly unused?: boolean | undefined;
}

const columns = 'id, expression, paused, description, ref, inline';

export class FilterStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): Filter | undefined {
    const [row] = this.#sql.exec<FilterRow>(`SELECT ${columns} FROM filters WHERE id = ?`, id);
    return row && toFilter(row);
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
    return this.#sql.exec<{ total: number }>('SELECT count(*) AS total FROM filters').one().total >= count;
  }

  add({ id, expression, isPaused, description, ref, isInline }: Filter): void {
    this.#sql.exec(
      `INSERT INTO filters (${columns}) VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      expression,
      Number(isPaused),
      description,
      ref,
      Number(isInline),
    );
  }

  replace({ id, expression, isPaused, description, ref }: Filter): void {
    this.#sql.exec(
      'UPDATE filters SET expression = ?, paused = ?, description = ?, ref = ? WHERE id = ?',
      expression,
      Number(isPaused),
      description,
      ref,
      id,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM filters WHERE id = ?', id);
  }

  /** In the order of creation. */
  find(query: FilterQuery, { offset, limit }: { readonly offset: number; readonly limit: number }) {
    const { where, values } = toConditions(query);
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM filters ${where}`, ...values)
      .one();
    const rows = this.#sql.exec<FilterRow>(
      `SELECT ${columns} FROM filters ${where} ORDER BY sequence LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return { total, filters: Array.from(rows, toFilter) };
  }

  /** The filters whose expression contains the text, in the order of creation. */
  findContaining(text: string): Filter[] {
    const rows = this.#sql.exec<FilterRow>(
      `SELECT ${columns} FROM filters WHERE instr(expression, ?) > 0 ORDER BY sequence`,
      text,
    );
    return Array.from(rows, toFilter);
  }
}

function toFilter(row: FilterRow): Filter {
  const { id, expression, description, ref } = row;
  return { id, expression, isPaused: row.paused !== 0, description, ref, isInline: row.inline !== 0 };
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
