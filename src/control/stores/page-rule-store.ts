import type { Sql } from '../context/sql.ts';
/** Page rules as rows of the zone's database. */

export const pageRuleTables = [
  // `pattern` is the text that clients see; `pattern_key` is the normalised spelling that equivalent patterns share.
  `CREATE TABLE IF NOT EXISTS page_rules (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    pattern TEXT NOT NULL,
    pattern_key TEXT NOT NULL UNIQUE,
    actions TEXT NOT NULL,
    priority INTEGER NOT NULL,
    status TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  )`,
];

type PageRuleStatus = 'active' | 'disabled';

export interface PageRuleAction {
  readonly id: string;
  /** The value as JSON; undefined for actions without a value. */
  readonly value?: unknown;
}

export interface PageRule {
  readonly id: string;
  readonly pattern: string;
  readonly patternKey: string;
  readonly actions: readonly PageRuleAction[];
  readonly priority: number;
  readonly status: PageRuleStatus;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

interface PageRuleRow extends Record<string, string | number> {
  id: string;
  pattern: string;
  pattern_key: string;
  actions: string;
  priority: number;
  status: PageRuleStatus;
  created_ms: number;
  modified_ms: number;
}

const columns = 'id, pattern, pattern_key, actions, priority, status, created_ms, modified_ms';

export class PageRuleStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * In order of precedence: the first rule that matches applies. Of equal priorities, the rule created later comes first.
   */
  listAll(): PageRule[] {
    const rows = this.#sql.exec<PageRuleRow>(
      `SELECT ${columns} FROM page_rules ORDER BY priority DESC, sequence DESC`,
    );
    return Array.from(rows, toPageRule);
  }

  get(id: string): PageRule | undefined {
    const [row] = this.#sql.exec<PageRuleRow>(`SELECT ${columns} FROM page_rules WHERE id = ?`, id);
    return row && toPageRule(row);
  }

  findByPatternKey(key: string): PageRule | undefined {
    const [row] = this.#sql.exec<PageRuleRow>(`SELECT ${columns} FROM page_rules WHERE pattern_key = ?`, key);
    return row && toPageRule(row);
  }

  count(): number {
    return this.#sql.exec<{ count: number }>('SELECT count(*) AS count FROM page_rules').one().count;
  }

  add(rule: PageRule): void {
    this.#sql.exec(
      `INSERT INTO page_rules (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      rule.id,
      rule.pattern,
      rule.patternKey,
      JSON.stringify(rule.actions),
      rule.priority,
      rule.status,
      rule.createdAtMs,
      rule.modifiedAtMs,
    );
  }

  replace(rule: PageRule): void {
    this.#sql.exec(
      'UPDATE page_rules SET pattern = ?, pattern_key = ?, actions = ?, priority = ?, status = ?, modified_ms = ? WHERE id = ?',
      rule.pattern,
      rule.patternKey,
      JSON.stringify(rule.actions),
      rule.priority,
      rule.status,
      rule.modifiedAtMs,
      rule.id,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM page_rules WHERE id = ?', id);
  }
}

function toPageRule(row: PageRuleRow): PageRule {
  const { id, pattern, priority, status } = row;
  return {
    id,
    pattern,
    patternKey: row.pattern_key,
    actions: JSON.parse(row.actions) as PageRuleAction[],
    priority,
    status,
    createdAtMs: row.created_ms,
    modifiedAtMs: row.modified_ms,
  };
}
