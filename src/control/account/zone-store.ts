/** The registry of zones. What a zone's rules are is in the zone's own object. */
import type { DurableObjectStorage } from '#objects';
import type { Plan } from '#rules';
import type { ZoneFacts } from '../directory.ts';

type Sql = DurableObjectStorage['sql'];

export const zoneTables = [
  `CREATE TABLE IF NOT EXISTS zones (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    account_id TEXT NOT NULL,
    paused INTEGER NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  )`,
];

interface ZoneRow extends Record<string, string | number> {
  id: string;
  name: string;
  plan: Plan;
  account_id: string;
  paused: number;
  created_ms: number;
  modified_ms: number;
}

export class ZoneStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(zone: ZoneFacts): void {
    const { id, name, plan, accountId, isPaused, createdAtMs, modifiedAtMs } = zone;
    const values = [id, name, plan, accountId, Number(isPaused), createdAtMs, modifiedAtMs];
    this.#sql.exec('INSERT INTO zones VALUES (?, ?, ?, ?, ?, ?, ?)', ...values);
  }

  all(): ZoneFacts[] {
    const rows = this.#sql.exec<ZoneRow>('SELECT * FROM zones ORDER BY created_ms, name');
    return Array.from(rows, (row) => ({
      id: row.id,
      name: row.name,
      plan: row.plan,
      accountId: row.account_id,
      isPaused: row.paused !== 0,
      createdAtMs: row.created_ms,
      modifiedAtMs: row.modified_ms,
    }));
  }
}
