/** Lists and their items as rows of the account's database. */
import type { ListFacts } from '../../context/directory.ts';
import type { ItemCursor } from './item-cursor.ts';
import type { ListKind } from '#firewall';
import type { ItemValue } from './list-item.ts';
import type { Sql } from '../../context/tables/sql.ts';

export const listTables = [
  `CREATE TABLE IF NOT EXISTS lists (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    description TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS list_items (
    list INTEGER NOT NULL,
    key TEXT NOT NULL,
    id TEXT NOT NULL UNIQUE,
    text TEXT NOT NULL,
    value TEXT NOT NULL,
    comment TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    modified_ms INTEGER NOT NULL,
    PRIMARY KEY (list, key)
  ) WITHOUT ROWID`,
];

export interface List {
  /** The order of creation; items refer to it. */
  readonly sequence: number;
  readonly id: string;
  readonly name: string;
  readonly kind: ListKind;
  readonly description: string;
  readonly itemCount: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface StoredItem {
  readonly id: string;
  readonly key: string;
  readonly value: ItemValue;
  readonly comment: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

export interface ItemQuery {
  readonly cursor: ItemCursor | undefined;
  readonly limit: number;
  readonly search: string | undefined;
}

interface ListRow extends Record<string, string | number> {
  sequence: number;
  id: string;
  name: string;
  kind: ListKind;
  description: string;
  created_ms: number;
  modified_ms: number;
  items: number;
}

interface ItemRow extends Record<string, string | number> {
  id: string;
  key: string;
  value: string;
  comment: string;
  created_ms: number;
  modified_ms: number;
}

const listColumns = '*, (SELECT count(*) FROM list_items WHERE list = sequence) AS items';
const itemColumns = 'id, key, value, comment, created_ms, modified_ms';

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
    const [row] = this.#sql.exec<ListRow>(`SELECT ${listColumns} FROM lists WHERE id = ?`, id);
    return row && toList(row);
  }

  findByName(name: string): List | undefined {
    const [row] = this.#sql.exec<ListRow>(`SELECT ${listColumns} FROM lists WHERE name = ?`, name);
    return row && toList(row);
  }

  /** In the order of creation. */
  listAll(): List[] {
    return Array.from(this.#sql.exec<ListRow>(`SELECT ${listColumns} FROM lists ORDER BY sequence`), toList);
  }

  add(list: Pick<List, 'id' | 'name' | 'kind' | 'description' | 'createdAtMs'>): void {
    const { id, name, kind, description, createdAtMs } = list;
    this.#sql.exec(
      'INSERT INTO lists (id, name, kind, description, created_ms, modified_ms) VALUES (?, ?, ?, ?, ?, ?)',
      id,
      name,
      kind,
      description,
      createdAtMs,
      createdAtMs,
    );
  }

  describe(id: string, description: string, nowMs: number): void {
    this.#sql.exec('UPDATE lists SET description = ?, modified_ms = ? WHERE id = ?', description, nowMs, id);
  }

  touch(id: string, nowMs: number): void {
    this.#sql.exec('UPDATE lists SET modified_ms = ? WHERE id = ?', nowMs, id);
  }

  remove({ sequence }: List): void {
    this.#sql.exec('DELETE FROM list_items WHERE list = ?', sequence);
    this.#sql.exec('DELETE FROM lists WHERE sequence = ?', sequence);
  }

  getItem({ sequence }: List, id: string): StoredItem | undefined {
    const [row] = this.#sql.exec<ItemRow>(
      `SELECT ${itemColumns} FROM list_items WHERE list = ? AND id = ?`,
      sequence,
      id,
    );
    return row && toItem(row);
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
    const rows = this.#sql.exec<ItemRow>(
      `SELECT ${itemColumns} FROM list_items WHERE ${conditions.join(' AND ')}
        ORDER BY key ${isBackward ? 'DESC' : 'ASC'} LIMIT ?`,
      ...values,
      limit,
    );
    const items = Array.from(rows, toItem);
    return isBackward ? items.toReversed() : items;
  }

  /** The lists as the directory shows them. */
  readFacts(): ListFacts[] {
    return this.listAll().map(({ id, name, kind }) => ({ id, name, kind }));
  }

  /** In ascending order. */
  readValues({ sequence }: List): ItemValue[] {
    const rows = this.#sql.exec<{ value: string }>(
      'SELECT value FROM list_items WHERE list = ? ORDER BY key',
      sequence,
    );
    return Array.from(rows, ({ value }) => JSON.parse(value) as ItemValue);
  }
}

function toList(row: ListRow): List {
  const { sequence, id, name, kind, description } = row;
  return {
    sequence,
    id,
    name,
    kind,
    description,
    itemCount: row.items,
    createdAtMs: row.created_ms,
    modifiedAtMs: row.modified_ms,
  };
}

function toItem({ id, key, value, comment, created_ms, modified_ms }: ItemRow): StoredItem {
  return {
    id,
    key,
    value: JSON.parse(value) as ItemValue,
    comment,
    createdAtMs: created_ms,
    modifiedAtMs: modified_ms,
  };
}
