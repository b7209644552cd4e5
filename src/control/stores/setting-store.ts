import type { Sql } from '../context/tables/sql.ts';
/** The settings of a zone that were changed at least once. */

export const settingTables = [
  `CREATE TABLE IF NOT EXISTS settings (id TEXT PRIMARY KEY, value TEXT NOT NULL, modified_ms INTEGER NOT NULL)`,
];

export const settingValues = ['on', 'off'] as const;
export type SettingValue = (typeof settingValues)[number];

export interface StoredSetting {
  readonly value: SettingValue;
  readonly modifiedAtMs: number;
}

export class SettingStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): StoredSetting | undefined {
    const [row] = this.#sql.exec<{ value: SettingValue; modified_ms: number }>(
      'SELECT value, modified_ms FROM settings WHERE id = ?',
      id,
    );
    return row && { value: row.value, modifiedAtMs: row.modified_ms };
  }

  set(id: string, { value, modifiedAtMs }: StoredSetting): void {
    this.#sql.exec('INSERT OR REPLACE INTO settings VALUES (?, ?, ?)', id, value, modifiedAtMs);
  }

  /** Whether the legacy managed rules run at all. */
  getWaf(): SettingValue {
    return this.get('waf')?.value ?? 'off';
  }
}
