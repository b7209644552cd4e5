/** The registry of zones. The rules of a zone are in the zone's own object. */
import type { Plan } from '#expressions';
import type { ZoneType } from '#contract';
import type { ZoneFacts } from '../context/directory.ts';
import type { Sql } from '../context/tables/sql.ts';
import { flag, json, Table, text, whole } from '../context/tables/table.ts';

const table = new Table('zones', {
  columns: {
    id: text(),
    name: text({ isUnique: true }),
    plan: text<Plan>(),
    accountId: text(),
    isPaused: flag(),
    type: text<ZoneType>(),
    vanityNameServers: json<readonly string[]>(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
});

export const zoneTables = [
  table.creation,
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

export class ZoneStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): ZoneFacts | undefined {
    return table.get(this.#sql, id);
  }

  findByName(name: string): ZoneFacts | undefined {
    return table.select(this.#sql, 'WHERE name = ?', name)[0];
  }

  /** Adds or replaces a zone. */
  put(zone: ZoneFacts): void {
    table.put(this.#sql, zone);
  }

  /** After this, the zone exists only in its own object, which has to be erased. */
  remove({ id, name }: ZoneFacts, nowMs: number): void {
    table.remove(this.#sql, id);
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
      .exec<Record<string, string | number> & { place: number }>(
        `SELECT rowid AS place, ${table.columnNames} FROM zones WHERE rowid > ? ORDER BY rowid LIMIT ?`,
        after,
        limit,
      )
      .toArray();
    return {
      zones: rows.map((row) => table.read(row)),
      next: rows.length < limit ? undefined : rows.at(-1)!.place,
    };
  }

  listAll(): ZoneFacts[] {
    return table.select(this.#sql, 'ORDER BY created_ms, name');
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
