/** URI-based overrides as rows of the zone's database. */
import type { Sql } from '../context/tables/sql.ts';
import { flag, json, nullable, type RowOf, Table, text, whole } from '../context/tables/table.ts';

type OverrideMode = 'default' | 'disable' | 'simulate' | 'block' | 'challenge';
type ModesById = Readonly<Record<string, OverrideMode>>;

const table = new Table('waf_overrides', {
  order: 'sequence INTEGER PRIMARY KEY AUTOINCREMENT',
  columns: {
    id: text({ isUnique: true }),
    isPaused: flag(),
    /** Patterns like those of page rules. */
    urls: json<readonly string[]>(),
    priority: whole(),
    groups: json<ModesById>(),
    rules: json<ModesById>(),
    /** Maps the mode that a rule would have to the one it gets. */
    rewriteAction: json<Readonly<Partial<Record<OverrideMode, OverrideMode>>>>(),
    description: nullable(text()),
  },
});

export const overrideTables = [table.creation];
export type UriOverride = RowOf<typeof table>;

export class OverrideStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** In order of precedence: lower priorities first, then those created earlier. */
  listAll(): UriOverride[] {
    return table.select(this.#sql, 'ORDER BY priority, sequence');
  }

  get(id: string): UriOverride | undefined {
    return table.get(this.#sql, id);
  }

  count(): number {
    return table.count(this.#sql);
  }

  add(override: UriOverride): void {
    table.insert(this.#sql, override);
  }

  replace(override: UriOverride): void {
    table.update(this.#sql, override);
  }

  remove(id: string): void {
    table.remove(this.#sql, id);
  }
}
