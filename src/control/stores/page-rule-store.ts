/** Page rules as rows of the zone's database. */
import type { Sql } from '../context/tables/sql.ts';
import { json, type RowOf, Table, text, whole } from '../context/tables/table.ts';

export interface PageRuleAction {
  readonly id: string;
  /** The value as JSON; undefined for actions without a value. */
  readonly value?: unknown;
}

const table = new Table('page_rules', {
  order: 'sequence INTEGER PRIMARY KEY AUTOINCREMENT',
  columns: {
    id: text({ isUnique: true }),
    /** As clients see it. */
    pattern: text(),
    /** The normalised spelling, which equivalent patterns share. */
    patternKey: text({ isUnique: true }),
    actions: json<readonly PageRuleAction[]>(),
    priority: whole(),
    status: text<'active' | 'disabled'>(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
});

export const pageRuleTables = [table.creation];
export type PageRule = RowOf<typeof table>;

export class PageRuleStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * In order of precedence: the first rule that matches applies. Of equal priorities, the rule created later comes first.
   */
  listAll(): PageRule[] {
    return table.select(this.#sql, 'ORDER BY priority DESC, sequence DESC');
  }

  get(id: string): PageRule | undefined {
    return table.get(this.#sql, id);
  }

  findByPatternKey(key: string): PageRule | undefined {
    return table.select(this.#sql, 'WHERE pattern_key = ?', key)[0];
  }

  count(): number {
    return table.count(this.#sql);
  }

  add(rule: PageRule): void {
    table.insert(this.#sql, rule);
  }

  replace(rule: PageRule): void {
    table.update(this.#sql, rule);
  }

  remove(id: string): void {
    table.remove(this.#sql, id);
  }
}
