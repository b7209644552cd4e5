/** The settings of a zone that were changed at least once. */
import { type ChosenSettings, developmentModeMs, isActing } from '#zone-settings';
import { type Column, json, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';

/** `on` and `off` are stored as they are, other values as JSON. */
const value: Column<unknown> = {
  ...json<unknown>(),
  read: (stored) => (stored === 'on' || stored === 'off' ? stored : JSON.parse(stored as string)),
  write: (given) => (given === 'on' || given === 'off' ? given : JSON.stringify(given)),
};

export const settingTable = new Table('settings', { columns: { id: text(), value, modifiedAtMs: whole() } });

/** Whether the legacy managed rules are on at all. */
export function readWafSetting(sql: Sql): 'on' | 'off' {
  return settingTable.get(sql, 'waf')?.value === 'on' ? 'on' : 'off';
}

/** The settings that the edge needs; undefined if none was chosen. */
export function readChosenSettings(sql: Sql): ChosenSettings | undefined {
  const rows = settingTable.list(sql).filter(({ id }) => id !== 'waf' && isActing(id));
  if (rows.length === 0) return undefined;
  const chosen = Object.fromEntries(rows.map((row) => [row.id, row.value])) as ChosenSettings;
  const mode = rows.find(({ id }) => id === 'development_mode');
  return mode?.value === 'on'
    ? { ...chosen, developmentModeEndsAtMs: mode.modifiedAtMs + developmentModeMs }
    : chosen;
}
