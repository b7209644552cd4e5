/**
 * Which zones may name a list: a row is written before a zone gets an expression that names the list, and stays until
 * the zone is deleted. So references to a list are counted in these zones only; a zone that no longer names it counts
 * zero.
 *
 * The accounts of version 0.1.0 have no rows although their zones name lists, and an account that was restored to an
 * earlier state lacks those of later writes. Until every zone has been asked once, the uses are unknown.
 */
import { text } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { Table } from '../../context/tables/table.ts';

export const listUseTable = new Table('list_uses', {
  key: ['zoneId', 'list'],
  isWithoutRowid: true,
  columns: { zoneId: text(), list: text() },
  attached: [
    'CREATE INDEX IF NOT EXISTS list_uses_by_list ON list_uses (list)',
    `CREATE TRIGGER IF NOT EXISTS zones_use_lists AFTER DELETE ON zones
    BEGIN DELETE FROM list_uses WHERE zone_id = OLD.id; END`,
  ],
});

/** This row means that the uses are complete; no zone and no list has such a name. */
const everyUse = { zoneId: '', list: '' };

export class ListUseStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(zoneId: string, lists: readonly string[]): void {
    for (const list of lists) listUseTable.put(this.#sql, { zoneId, list });
  }

  /** Must be called when every use has its row. */
  complete(): void {
    this.add(everyUse.zoneId, [everyUse.list]);
  }

  /** Must be called when uses may lack their rows. */
  setIncomplete(): void {
    listUseTable.remove(this.#sql, everyUse.zoneId, everyUse.list);
  }

  /** The zones that may name one of the lists; undefined if that is unknown. */
  listZones(lists: readonly string[]): string[] | undefined {
    if (this.#listZones(everyUse.list).length === 0) return undefined;
    return [...new Set(lists.flatMap((list) => this.#listZones(list)))];
  }

  #listZones(list: string): string[] {
    return listUseTable.pick(this.#sql, 'zoneId', 'WHERE list = ?', list);
  }
}
