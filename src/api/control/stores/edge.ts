/** The edge settings of a zone, in the zone's database. */
import type { EdgeSettings } from '#firewall';
import { json } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table } from '../context/tables/table.ts';

export const edgeTable = new Table('edge', { key: [], columns: { document: json<EdgeSettings>() } });

export const defaultEdgeSettings: EdgeSettings = { origin: undefined, overInspectionLimit: 'default' };

export function readEdgeSettings(sql: Sql): EdgeSettings {
  return { ...defaultEdgeSettings, ...edgeTable.get(sql)?.document };
}

export function setEdgeSettings(sql: Sql, settings: EdgeSettings): void {
  edgeTable.put(sql, { document: settings });
}
