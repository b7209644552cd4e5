/** The registry of zones. The rules of a zone are in the zone's own object. */
import type { Plan } from '#expressions';
import type { ZoneType } from '#api';
import type { ZoneFacts } from '../context/directory.ts';
import type { Sql } from '../context/sql.ts';

export const zoneTables = [
  `CREATE TABLE IF NOT EXISTS zones (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    account_id TEXT NOT NULL,
    paused INTEGER NOT NULL,
    type TEXT NOT NULL,
    vanity_name_servers TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  )`,
  // Kept by triggers, because counting rows takes as long as there are rows.
  `CREATE TABLE IF NOT EXISTS zone_count (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL)`,
  `INSERT INTO zone_count SELECT 1, (SELECT count(*) FROM zones) WHERE NOT EXISTS (SELECT 1 FROM zone_count)`,
  `CREATE TRIGGER IF NOT EXISTS zones_counted AFTER INSERT ON zones
    BEGIN UPDATE zone_count SET count = count + 1; END`,
  `CREATE TRIGGER IF NOT EXISTS zones_discounted AFTER DELETE ON zones
    BEGIN UPDATE zone_count SET count = count - 1; END`,
  // Deleted zones: their objects have to be erased, or only have their audit log left.
  `CREATE TABLE IF NOT EXISTS former_zones (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    deleted_ms INTEGER NOT NULL,
    erased INTEGER NOT NULL
  )`,
  'CREATE INDEX IF NOT EXISTS former_zones_to_erase ON former_zones (deleted_ms) WHERE erased = 0',
  'CREATE INDEX IF NOT EXISTS former_zones_by_age ON former_zones (deleted_ms)',
];

/** A deleted zone whose audit log still exists. */
export interface FormerZone extends Record<string, string> {
  readonly id: string;
  readonly name: string;
}

interface ZoneRow extends Record<string, string | number> {
  id: string;
  name: string;
  plan: Plan;
  account_id: string;
  paused: number;
  type: ZoneType;
  vanity_name_servers: string;
  created_ms: number;
  modified_ms: number;
}

export class ZoneStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): ZoneFacts | undefined {
    const [row] = this.#sql.exec<ZoneRow>('SELECT * FROM zones WHERE id = ?', id);
    return row && toZone(row);
  }

  findByName(name: string): ZoneFacts | undefined {
    const [row] = this.#sql.exec<ZoneRow>('SELECT * FROM zones WHERE name = ?', name);
    return row && toZone(row);
  }

  /** Adds or replaces a zone; its name and account do not change. */
  put(zone: ZoneFacts): void {
    this.#sql.exec(
      `INSERT INTO zones VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
        plan = excluded.plan, paused = excluded.paused, type = excluded.type,
        vanity_name_servers = excluded.vanity_name_servers, modified_ms = excluded.modified_ms`,
      zone.id,
      zone.name,
      zone.plan,
      zone.accountId,
      Number(zone.isPaused),
      zone.type,
      JSON.stringify(zone.vanityNameServers),
      zone.createdAtMs,
      zone.modifiedAtMs,
    );
  }

  /** After this, the zone exists only in its own object, which has to be erased. */
  remove({ id, name }: ZoneFacts, nowMs: number): void {
    this.#sql.exec('DELETE FROM zones WHERE id = ?', id);
    this.#sql.exec('INSERT INTO former_zones VALUES (?, ?, ?, 0)', id, name, nowMs);
  }

  setErased(id: string): void {
    this.#sql.exec('UPDATE former_zones SET erased = 1 WHERE id = ?', id);
  }

  get count(): number {
    return this.#sql.exec<{ count: number }>('SELECT count FROM zone_count').one().count;
  }

  /** A part of all zones in the order of creation, and what to ask for next; undefined at the end. */
  listPart(after: number, limit: number): { readonly zones: ZoneFacts[]; readonly next: number | undefined } {
    const rows = this.#sql
      .exec<ZoneRow & { place: number }>(
        'SELECT rowid AS place, * FROM zones WHERE rowid > ? ORDER BY rowid LIMIT ?',
        after,
        limit,
      )
      .toArray();
    return { zones: rows.map(toZone), next: rows.length < limit ? undefined : rows.at(-1)!.place };
  }

  listAll(): ZoneFacts[] {
    const rows = this.#sql.exec<ZoneRow>('SELECT * FROM zones ORDER BY created_ms, name');
    return Array.from(rows, toZone);
  }

  /** Deleted zones whose objects contain more than an audit log. */
  listToErase(): string[] {
    const rows = this.#sql.exec<{ id: string }>(
      'SELECT id FROM former_zones WHERE erased = 0 ORDER BY deleted_ms',
    );
    return Array.from(rows, ({ id }) => id);
  }

  /** The zones that were deleted last, of all names or of one. */
  listFormer(limit: number, name: string | undefined): FormerZone[] {
    const rows = this.#sql.exec<FormerZone>(
      'SELECT id, name FROM former_zones WHERE ?1 IS NULL OR name = ?1 ORDER BY deleted_ms DESC, id LIMIT ?2',
      name ?? null,
      limit,
    );
    return rows.toArray();
  }
}

function toZone(row: ZoneRow): ZoneFacts {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    accountId: row.account_id,
    isPaused: row.paused !== 0,
    type: row.type,
    vanityNameServers: JSON.parse(row.vanity_name_servers) as string[],
    createdAtMs: row.created_ms,
    modifiedAtMs: row.modified_ms,
  };
}
