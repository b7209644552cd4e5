/** Lists and their items as rows of the account's database. */
import type { ListFacts } from '../../context/directory.ts';
import type { ItemCursor } from './item-cursor.ts';
import type { ListKind } from '#rulesets';
import type { ItemValue } from './list-item.ts';
import { json, text, whole } from '../../context/tables/columns.ts';
import type { Sql } from '../../context/tables/sql.ts';
import { type RowOf, Table } from '../../context/tables/table.ts';

export const listTable = new Table('lists', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    name: text({ isUnique: true }),
    kind: text<ListKind>(),
    description: text(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
});

export const itemTable = new Table('list_items', {
  key: ['list', 'key'],
  isWithoutRowid: true,
  columns: {
    /** The sequence of its list. */
    list: whole(),
    key: text(),
    id: text({ isUnique: true }),
    /** The text that searches match. */
    text: text(),
    value: json<ItemValue>(),
    comment: text(),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
  },
});

/** `sequence` is the order of creation; items refer to it. */
export type List = RowOf<typeof listTable> & Readonly<Record<keyof typeof numbers, number>>;
export type StoredItem = RowOf<typeof itemTable>;

const numbers = {
  sequence: 'sequence',
  itemCount: '(SELECT count(*) FROM list_items WHERE list = sequence)',
} as const;

export interface ItemQuery {
  readonly cursor: ItemCursor | undefined;
  readonly limit: number;
  readonly search: string | undefined;
}

/** How the items of each kind are searched; `?` is the text in lower case. */
const searches: Readonly<Record<ListKind, string>> = {
  ip: 'instr(text, ?) = 1',
  hostname: 'instr(text, ?) > 0',
  redirect: 'instr(text, ?) > 0',
  asn: 'text = ?',
};

export class ListStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  get(id: string): List | undefined {
    return listTable.selectWith(this.#sql, numbers, 'WHERE id = ?', id)[0];
  }

  findByName(name: string): List | undefined {
    return listTable.selectWith(this.#sql, numbers, 'WHERE name = ?', name)[0];
  }

  /** In order of creation. */
  listAll(): List[] {
    return listTable.selectWith(this.#sql, numbers, 'ORDER BY sequence');
  }

  add(list: Omit<RowOf<typeof listTable>, 'modifiedAtMs'>): void {
    listTable.insert(this.#sql, { ...list, modifiedAtMs: list.createdAtMs });
  }

  describe(id: string, description: string, nowMs: number): void {
    this.#sql.exec('UPDATE lists SET description = ?, modified_ms = ? WHERE id = ?', description, nowMs, id);
  }

  touch(id: string, nowMs: number): void {
    this.#sql.exec('UPDATE lists SET modified_ms = ? WHERE id = ?', nowMs, id);
  }

  remove({ id, sequence }: List): void {
    this.#sql.exec('DELETE FROM list_items WHERE list = ?', sequence);
    listTable.remove(this.#sql, id);
  }

  getItem({ sequence }: List, id: string): StoredItem | undefined {
    return itemTable.select(this.#sql, 'WHERE list = ? AND id = ?', sequence, id)[0];
  }

  /** In ascending order, whatever the direction of the cursor. */
  findItems({ sequence, kind }: List, { cursor, limit, search }: ItemQuery): StoredItem[] {
    const isBackward = cursor?.direction === 'before';
    const conditions = ['list = ?'];
    const values: (string | number)[] = [sequence];
    if (cursor !== undefined) {
      conditions.push(isBackward ? 'key < ?' : 'key > ?');
      values.push(cursor.key);
    }
    if (search !== undefined && search !== '') {
      conditions.push(searches[kind]);
      values.push(search.toLowerCase());
    }
    const items = itemTable.select(
      this.#sql,
      `WHERE ${conditions.join(' AND ')} ORDER BY key ${isBackward ? 'DESC' : 'ASC'} LIMIT ?`,
      ...values,
      limit,
    );
    return isBackward ? items.toReversed() : items;
  }

  /** The lists as the directory shows them. */
  readFacts(): ListFacts[] {
    return this.listAll().map(({ id, name, kind }) => ({ id, name, kind }));
  }

  /** In ascending order. */
  readValues({ sequence }: List): ItemValue[] {
    return itemTable.pick(this.#sql, 'value', 'WHERE list = ? ORDER BY key', sequence);
  }
}
