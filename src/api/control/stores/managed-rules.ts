/**
 * A zone's changes to the legacy managed rules: the packages, their groups, their rules, and overrides by URI. Only
 * deviations from the catalogue are stored: everything else follows the current one, so that a better catalogue reaches
 * every zone. Rows about removed parts of the catalogue are never read. The names of the tables are part of existing
 * databases and must not change.
 */
import type { LegacyAction, LegacyMode, Sensitivity } from '#firewall';
import { type Column, flag, json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

export type GroupMode = 'on' | 'off';
export type RuleMode = Exclude<LegacyMode, 'default'>;
type OverrideMode = 'default' | 'disable' | 'simulate' | 'block' | 'challenge';
type ModesById = Readonly<Record<string, OverrideMode>>;

const legacyPackageTable = new Table('previous_packages', {
  columns: { id: text(), sensitivity: text<Sensitivity>(), actionMode: text<LegacyAction>() },
});
export const legacyGroupTable = describeModes(text<GroupMode>(), 'previous_groups');
export const legacyRuleTable = describeModes(text<RuleMode>(), 'previous_rules');

export const overrideTable = new Table('waf_overrides', {
  sequence: 'autoincrement',
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
  /** By precedence: lower priorities first, then those created earlier. */
  order: 'priority, sequence',
});

export const legacyWafTables = [legacyPackageTable, legacyGroupTable, legacyRuleTable, overrideTable];

export type UriOverride = RowOf<typeof overrideTable>;
/** The settings of an anomaly package. */
export type PackageSettings = Omit<RowOf<typeof legacyPackageTable>, 'id'>;

/** The settings of an anomaly package that was never changed. */
const defaultPackageSettings: PackageSettings = { sensitivity: 'high', actionMode: 'challenge' };

export function readPackageSettings(sql: Sql, id: string): PackageSettings {
  const { sensitivity, actionMode } = legacyPackageTable.get(sql, id) ?? defaultPackageSettings;
  return { sensitivity, actionMode };
}

export function setPackageSettings(sql: Sql, id: string, settings: PackageSettings): void {
  const { sensitivity, actionMode } = defaultPackageSettings;
  if (settings.sensitivity === sensitivity && settings.actionMode === actionMode)
    legacyPackageTable.remove(sql, id);
  else legacyPackageTable.put(sql, { id, ...settings });
}

type Modes<Mode extends string> = ReturnType<typeof describeModes<Mode>>;

function describeModes<Mode extends string>(mode: Column<Mode>, name: string) {
  return new Table(name, { columns: { id: text(), mode } });
}

/** The modes of groups or rules, by their ids. */
export function readModes<Mode extends string>(sql: Sql, modes: Modes<Mode>): ReadonlyMap<string, Mode> {
  return new Map(modes.list(sql).map(({ id, mode }) => [id, mode]));
}

/** Undefined restores the catalogue's default. */
export function setMode<Mode extends string>(
  sql: Sql,
  modes: Modes<Mode>,
  { id, mode }: { readonly id: string; readonly mode: Mode | undefined },
): void {
  if (mode === undefined) modes.remove(sql, id);
  else modes.put(sql, { id, mode });
}
