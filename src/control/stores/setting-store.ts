/** The settings of a zone that were changed at least once. */
import { text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';

export const settingValues = ['on', 'off'] as const;
export type SettingValue = (typeof settingValues)[number];

export const settingTable = new Table('settings', {
  columns: { id: text(), value: text<SettingValue>(), modifiedAtMs: whole() },
});

/** Whether the legacy managed rules run at all. */
export function readWafSetting(sql: Sql): SettingValue {
  return settingTable.get(sql, 'waf')?.value ?? 'off';
}
