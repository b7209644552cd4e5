/**
 * What a zone has changed about the previous managed rules. Only deviations are stored: whatever is not here is as the catalogue
 * has it today, so that a better catalogue reaches every zone. Rows about what has left the catalogue are never read.
 */
import type { PreviousAction, PreviousMode, Sensitivity } from '#firewall';
import type { Sql } from '../context/sql.ts';

export const previousTables = [
  `CREATE TABLE IF NOT EXISTS previous_packages (
    id TEXT PRIMARY KEY,
    sensitivity TEXT NOT NULL,
    action_mode TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS previous_groups (id TEXT PRIMARY KEY, mode TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS previous_rules (id TEXT PRIMARY KEY, mode TEXT NOT NULL)`,
];

/** Of an anomaly package. */
export interface PackageSettings {
  readonly sensitivity: Sensitivity;
  readonly actionMode: PreviousAction;
}

/** Of an anomaly package nobody has changed. */
const defaultPackageSettings: PackageSettings = { sensitivity: 'high', actionMode: 'challenge' };

export type GroupMode = 'on' | 'off';
export type RuleMode = Exclude<PreviousMode, 'default'>;

export class PreviousStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  packageSettings(id: string): PackageSettings {
    const [row] = this.#sql.exec<{ sensitivity: Sensitivity; action_mode: PreviousAction }>(
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

  /** By group. */
  groupModes(): ReadonlyMap<string, GroupMode> {
    const rows = this.#sql.exec<{ id: string; mode: GroupMode }>('SELECT id, mode FROM previous_groups');
    return new Map(Array.from(rows, ({ id, mode }) => [id, mode]));
  }

  /** Undefined: whatever the catalogue says. */
  setGroup(id: string, mode: GroupMode | undefined): void {
    if (mode === undefined) this.#sql.exec('DELETE FROM previous_groups WHERE id = ?', id);
    else this.#sql.exec('INSERT OR REPLACE INTO previous_groups VALUES (?, ?)', id, mode);
  }

  /** By rule. */
  ruleModes(): ReadonlyMap<string, RuleMode> {
    const rows = this.#sql.exec<{ id: string; mode: RuleMode }>('SELECT id, mode FROM previous_rules');
    return new Map(Array.from(rows, ({ id, mode }) => [id, mode]));
  }

  /** Undefined: whatever the catalogue says. */
  setRule(id: string, mode: RuleMode | undefined): void {
    if (mode === undefined) this.#sql.exec('DELETE FROM previous_rules WHERE id = ?', id);
    else this.#sql.exec('INSERT OR REPLACE INTO previous_rules VALUES (?, ?)', id, mode);
  }
}
