/** The users of the account. */
import type { UserFacts } from '../context/directory.ts';
import type { Sql } from '../context/sql.ts';

export const userTables = [
  `CREATE TABLE IF NOT EXISTS users (id TEXT PRIMARY KEY, email TEXT NOT NULL UNIQUE, key_hash TEXT NOT NULL)`,
];

export class UserStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  add({ id, email, keyHash }: UserFacts): void {
    this.#sql.exec('INSERT INTO users VALUES (?, ?, ?)', id, email, keyHash);
  }

  setKeyHash(id: string, keyHash: string): void {
    this.#sql.exec('UPDATE users SET key_hash = ? WHERE id = ?', keyHash, id);
  }

  listAll(): UserFacts[] {
    const rows = this.#sql.exec<{ id: string; email: string; key_hash: string }>(
      'SELECT * FROM users ORDER BY email',
    );
    return Array.from(rows, ({ id, email, key_hash }) => ({ id, email, keyHash: key_hash }));
  }
}
