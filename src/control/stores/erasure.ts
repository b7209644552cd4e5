/**
 * What is left of a deleted zone: its audit log, which nothing takes away. The registry forgets a zone in the transaction
 * of its deletion and notes that its object is to be erased; the object is erased after that, at the next start if need be.
 */
import type { DurableObjectStorage } from '#objects';

export function eraseAllButAudit(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const tables = sql.exec<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'audit'
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`,
  );
  const names = Array.from(tables, ({ name }) => name);
  storage.transactionSync(() => {
    sql.exec('PRAGMA defer_foreign_keys = ON');
    for (const name of names) sql.exec(`DELETE FROM "${name}"`);
  });
}
