/** Filters as rows of the zone's database. */
import type { DurableObjectStorage } from '#objects';

type Sql = DurableObjectStorage['sql'];

export const filterTables = [
  // `sequence` is the order of creation; `inline_rule` the firewall rule a filter was created together with.
  `CREATE TABLE IF NOT EXISTS filters (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    expression TEXT NOT NULL UNIQUE,
    paused INTEGER NOT NULL,
    description TEXT,
    ref TEXT,
    inline_rule TEXT
  )`,
];

export interface Filter {
  readonly id: string;
  readonly expression: string;
  readonly isPaused: boolean;
  readonly description: string | null;
  readonly ref: string | null;
  readonly inlineRule: string | null;
}

interface FilterRow extends Record<string, string | number | null> {
  id: string;
  expression: string;
  paused: number;
  description: string | null;
  ref: string | null;
  inline_rule: string | null;
}

export interface FilterQuery {
  readonly id?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly ref?: string | undefined;
  readonly description?: string | undefined;
  readonly expression?: string | undefined;
}

const columns = 'id, expression, paused, description, ref, inline_rule';

export class FilterStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): Filter | undefined {
    const [row] = this.#sql.exec<FilterRow>(`SELECT ${columns} FROM filters WHERE id = ?`, id);
    return row && filterOf(row);
  }

  withExpression(expression: string): Filter | undefined {
    const [row] = this.#sql.exec<FilterRow>(
      `SELECT ${columns} FROM filters WHERE expression = ?`,
      expression,
    );
    return row && filterOf(row);
  }

  add(filter: Filter): void {
    const { id, expression, isPaused, description, ref, inlineRule } = filter;
    this.#sql.exec(
      `INSERT INTO filters (${columns}) VALUES (?, ?, ?, ?, ?, ?)`,
      id,
      expression,
      Number(isPaused),
      description,
      ref,
      inlineRule,
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
    const { where, values } = conditions(query);
    const { total } = this.#sql
      .exec<{ total: number }>(`SELECT count(*) AS total FROM filters ${where}`, ...values)
      .one();
    const rows = this.#sql.exec<FilterRow>(
      `SELECT ${columns} FROM filters ${where} ORDER BY sequence LIMIT ? OFFSET ?`,
      ...values,
      limit,
      offset,
    );
    return { total, filters: Array.from(rows, filterOf) };
  }
}

function filterOf(row: FilterRow): Filter {
  const { id, expression, description, ref } = row;
  return { id, expression, isPaused: row.paused !== 0, description, ref, inlineRule: row.inline_rule };
}

function conditions(query: FilterQuery): { where: string; values: (string | number)[] } {
  const parts: string[] = [];
  const values: (string | number)[] = [];
  const add = (part: string, value: string | number | undefined): void => {
    if (value === undefined) return;
    parts.push(part);
    values.push(value);
  };
  add('id = ?', query.id);
  add('ref = ?', query.ref);
  add('paused = ?', query.paused === undefined ? undefined : Number(query.paused));
  add('instr(lower(description), ?) > 0', query.description?.toLowerCase());
  add('instr(lower(expression), ?) > 0', query.expression?.toLowerCase());
  return { where: parts.length === 0 ? '' : `WHERE ${parts.join(' AND ')}`, values };
}
