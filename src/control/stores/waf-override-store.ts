import type { Sql } from '../context/sql.ts';
/** URI-based overrides as rows of the zone's database. */

export const overrideTables = [
  `CREATE TABLE IF NOT EXISTS waf_overrides (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    paused INTEGER NOT NULL,
    urls TEXT NOT NULL,
    priority INTEGER NOT NULL,
    groups TEXT NOT NULL,
    rules TEXT NOT NULL,
    rewrite_action TEXT NOT NULL,
    description TEXT
  )`,
];

type OverrideMode = 'default' | 'disable' | 'simulate' | 'block' | 'challenge';
type ModesById = Readonly<Record<string, OverrideMode>>;

export interface UriOverride {
  readonly id: string;
  readonly isPaused: boolean;
  /** Patterns like those of page rules. */
  readonly urls: readonly string[];
  readonly priority: number;
  readonly groups: ModesById;
  readonly rules: ModesById;
  /** Maps the mode that a rule would have to the one it gets. */
  readonly rewriteAction: Readonly<Partial<Record<OverrideMode, OverrideMode>>>;
  readonly description: string | null;
}

interface OverrideRow extends Record<string, string | number | null> {
  id: string;
  paused: number;
  urls: string;
  priority: number;
  groups: string;
  rules: string;
  rewrite_action: string;
  description: string | null;
}

const columns = 'id, paused, urls, priority, groups, rules, rewrite_action, description';

export class OverrideStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** In order of precedence: lower priorities first, then those created earlier. */
  listAll(): UriOverride[] {
    const rows = this.#sql.exec<OverrideRow>(
      `SELECT ${columns} FROM waf_overrides ORDER BY priority, sequence`,
    );
    return Array.from(rows, toOverride);
  }

  get(id: string): UriOverride | undefined {
    const [row] = this.#sql.exec<OverrideRow>(`SELECT ${columns} FROM waf_overrides WHERE id = ?`, id);
    return row && toOverride(row);
  }

  count(): number {
    return this.#sql.exec<{ count: number }>('SELECT count(*) AS count FROM waf_overrides').one().count;
  }

  add(override: UriOverride): void {
    const values = toValues(override);
    this.#sql.exec(
      `INSERT INTO waf_overrides (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      override.id,
      ...values,
    );
  }

  replace(override: UriOverride): void {
    this.#sql.exec(
      'UPDATE waf_overrides SET paused = ?, urls = ?, priority = ?, groups = ?, rules = ?, rewrite_action = ?, description = ? WHERE id = ?',
      ...toValues(override),
      override.id,
    );
  }

  remove(id: string): void {
    this.#sql.exec('DELETE FROM waf_overrides WHERE id = ?', id);
  }
}

/** The values in the order of the columns, without the id. */
function toValues(override: UriOverride): (string | number | null)[] {
  return [
    Number(override.isPaused),
    JSON.stringify(override.urls),
    override.priority,
    JSON.stringify(override.groups),
    JSON.stringify(override.rules),
    JSON.stringify(override.rewriteAction),
    override.description,
  ];
}

function toOverride(row: OverrideRow): UriOverride {
  return {
    id: row.id,
    isPaused: row.paused !== 0,
    urls: JSON.parse(row.urls) as string[],
    priority: row.priority,
    groups: JSON.parse(row.groups) as ModesById,
    rules: JSON.parse(row.rules) as ModesById,
    rewriteAction: JSON.parse(row.rewrite_action) as UriOverride['rewriteAction'],
    description: row.description,
  };
}
