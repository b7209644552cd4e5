/**
 * What a zone has changed about the legacy managed rules. Only deviations are stored: everything else follows the current
 * catalogue, so that a better catalogue reaches every zone. Rows about what has left the catalogue are never read. The names
 * of the tables are part of existing databases and stay as they are.
 */
import type { LegacyAction, LegacyMode, Sensitivity } from '#firewall';
import type { Sql } from '../context/tables/sql.ts';

export const legacyWafTables = [
  `CREATE TABLE IF NOT EXISTS previous_packages (
    id TEXT PRIMARY KEY,
    sensitivity TEXT NOT NULL,
    action_mode TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS previous_groups (id TEXT PRIMARY KEY, mode TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS previous_rules (id TEXT PRIMARY KEY, mode TEXT NOT NULL)`,
];

/** The settings of an anomaly package. */
export interface PackageSettings {
  readonly sensitivity: Sensitivity;
  readonly actionMode: LegacyAction;
}

/** The settings of an anomaly package that nobody has changed. */
const defaultPackageSettings: PackageSettings = { sensitivity: 'high', actionMode: 'challenge' };

export type GroupMode = 'on' | 'off';
export type RuleMode = Exclude<LegacyMode, 'default'>;

export class LegacyWafStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  getPackageSettings(id: string): PackageSettings {
    const [row] = this.#sql.exec<{ sensitivity: Sensitivity; action_mode: LegacyAction }>(
      'SELECT sensitivity, action_mode FROM previous_packages WHERE id = ?',
      id,
    );
    return row === undefined
      ? defaultPackageSettings
      : { sensitivity: row.sensitivity, actionMode: row.action_mode };
  }

  setPackage(id: string, { sensitivity, actionMode }: PackageSettings): void {
    const { sensitivity: usual, actionMode: usualAction } = defaultPackageSettings;
    if (sensitivity === usual && actionMode === usualAction) {
      this.#sql.exec('DELETE FROM previous_packages WHERE id = ?', id);
    } else {
      this.#sql.exec(
        'INSERT OR REPLACE INTO previous_packages VALUES (?, ?, ?)',
        id,
        sensitivity,
        actionMode,
      );
    }
  }

  /** The modes by group. */
  getGroupModes(): ReadonlyMap<string, GroupMode> {
    const rows = this.#sql.exec<{ id: string; mode: GroupMode }>('SELECT id, mode FROM previous_groups');
    return new Map(Array.from(rows, ({ id, mode }) => [id, mode]));
  }

  /** Undefined restores the catalogue's default. */
  setGroup(id: string, mode: GroupMode | undefined): void {
    if (mode === undefined) this.#sql.exec('DELETE FROM previous_groups WHERE id = ?', id);
    else this.#sql.exec('INSERT OR REPLACE INTO previous_groups VALUES (?, ?)', id, mode);
  }

  /** The modes by rule. */
  getRuleModes(): ReadonlyMap<string, RuleMode> {
    const rows = this.#sql.exec<{ id: string; mode: RuleMode }>('SELECT id, mode FROM previous_rules');
    return new Map(Array.from(rows, ({ id, mode }) => [id, mode]));
  }

  /** Undefined restores the catalogue's default. */
  setRule(id: string, mode: RuleMode | undefined): void {
    if (mode === undefined) this.#sql.exec('DELETE FROM previous_rules WHERE id = ?', id);
    else this.#sql.exec('INSERT OR REPLACE INTO previous_rules VALUES (?, ?)', id, mode);
  }
}
