/** The edge settings of a zone, in the zone's database. */
import type { EdgeSettings } from '#firewall';
import type { Sql } from '../context/tables/sql.ts';

export const edgeTables = [
  'CREATE TABLE IF NOT EXISTS edge (one INTEGER PRIMARY KEY CHECK (one = 1), document TEXT NOT NULL)',
];

export const defaultEdgeSettings: EdgeSettings = { origin: undefined, overInspectionLimit: 'default' };

export function readEdgeSettings(sql: Sql): EdgeSettings {
  const [row] = sql.exec<{ document: string }>('SELECT document FROM edge');
  return row === undefined
    ? defaultEdgeSettings
    : { ...defaultEdgeSettings, ...(JSON.parse(row.document) as EdgeSettings) };
}

export function setEdgeSettings(sql: Sql, settings: EdgeSettings): void {
  sql.exec('INSERT OR REPLACE INTO edge VALUES (1, ?)', JSON.stringify(settings));
}
