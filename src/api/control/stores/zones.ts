/** The registry of zones. The rules of a zone are in the zone's own object. */
import type { Plan } from '#rulesets';
import type { ZoneType } from '#contract';
import type { ZoneFacts } from '../context/directory.ts';
import { flag, json, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';

const zoneTable = new Table('zones', {
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

/** Kept by triggers, because counting rows takes time proportional to their number. */
const countTable = new Table('zone_count', {
  key: [],
  columns: { count: whole() },
  attached: [
    `INSERT INTO zone_count SELECT 1, (SELECT count(*) FROM zones) WHERE NOT EXISTS (SELECT 1 FROM zone_count)`,
    `CREATE TRIGGER IF NOT EXISTS zones_counted AFTER INSERT ON zones
    BEGIN UPDATE zone_count SET count = count + 1; END`,
    `CREATE TRIGGER IF NOT EXISTS zones_discounted AFTER DELETE ON zones
    BEGIN UPDATE zone_count SET count = count - 1; END`,
  ],
});

/** Deleted zones: their objects must be erased, or only have their audit log left. */
const formerTable = new Table('former_zones', {
  columns: { id: text(), name: text(), deletedAtMs: whole(), isErased: flag() },
  attached: [
    'CREATE INDEX IF NOT EXISTS former_zones_to_erase ON former_zones (deleted_ms) WHERE erased = 0',
    'CREATE INDEX IF NOT EXISTS former_zones_by_age ON former_zones (deleted_ms)',
  ],
  filters: { name: 'name = ?' },
});

export const zoneTables = [zoneTable, countTable, formerTable];

/** A deleted zone whose audit log still exists. */
export type FormerZone = Pick<RowOf<typeof formerTable>, 'id' | 'name'>;

export class ZoneStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): ZoneFacts | undefined {
    return zoneTable.get(this.#sql, id);
  }

  findByName(name: string): ZoneFacts | undefined {
    return zoneTable.select(this.#sql, 'WHERE name = ?', name)[0];
  }

  /** Adds or replaces a zone. */
  put(zone: ZoneFacts): void {
    zoneTable.put(this.#sql, zone);
  }

  /** After this, the zone exists only in its own object, which must be erased. */
  remove({ id, name }: ZoneFacts, nowMs: number): void {
    zoneTable.remove(this.#sql, id);
    formerTable.insert(this.#sql, { id, name, deletedAtMs: nowMs, isErased: false });
  }

  setErased(id: string): void {
    this.#sql.exec('UPDATE former_zones SET erased = 1 WHERE id = ?', id);
  }

  get count(): number {
    return countTable.get(this.#sql)!.count;
  }

  /** A part of all zones in order of creation, and where to continue; undefined at the end. */
  listPart(after: number, limit: number): { readonly zones: ZoneFacts[]; readonly next: number | undefined } {
    const rest = 'WHERE rowid > ? ORDER BY rowid LIMIT ?';
    const zones = zoneTable.selectWith(this.#sql, { place: 'rowid' }, rest, after, limit);
    return { zones, next: zones.length < limit ? undefined : zones.at(-1)!.place };
  }

  listAll(): ZoneFacts[] {
    return zoneTable.select(this.#sql, 'ORDER BY created_ms, name');
  }

  /** Deleted zones whose objects contain more than an audit log. */
  listToErase(): string[] {
    return formerTable.pick(this.#sql, 'id', 'WHERE erased = 0 ORDER BY deleted_ms');
  }

  /** The zones that were deleted last, of any name or of one. */
  listFormer(limit: number, name: string | undefined): FormerZone[] {
    const { where, values } = formerTable.toConditions({ name });
    const rest = `${where} ORDER BY deleted_ms DESC, id LIMIT ?`;
    const former = formerTable.select(this.#sql, rest, ...values, limit);
    return former.map((zone) => ({ id: zone.id, name: zone.name }));
  }
}
