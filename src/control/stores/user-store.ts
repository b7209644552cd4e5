/** The users of the account. */
import type { UserFacts } from '../context/directory.ts';
import type { Sql } from '../context/tables/sql.ts';
import { Table, text } from '../context/tables/table.ts';

const table = new Table('users', {
  columns: { id: text(), email: text({ isUnique: true }), keyHash: text() },
});

export const userTables = [table.creation];

export class UserStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add(user: UserFacts): void {
    table.insert(this.#sql, user);
  }

  setKeyHash(id: string, keyHash: string): void {
    this.#sql.exec('UPDATE users SET key_hash = ? WHERE id = ?', keyHash, id);
  }

  listAll(): UserFacts[] {
    return table.select(this.#sql, 'ORDER BY email');
  }
}
