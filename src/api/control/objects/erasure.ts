/**
 * A deleted zone keeps its audit log, which is never deleted. The registry removes the zone and records in the same
 * transaction that its object must be erased; the object is erased after that, if necessary at the next start.
 */
import type { DurableObjectStorage } from '#objects';
import { auditTableNames } from '../stores/audit/audit-trail.ts';

export function eraseAllButAudit(storage: DurableObjectStorage): void {
  const { sql } = storage;
  const tables = sql.exec<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN (SELECT value FROM json_each(?))
      AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`,
    JSON.stringify(auditTableNames),
  );
  const names = Array.from(tables, ({ name }) => name);
  storage.transactionSync(() => {
    sql.exec('PRAGMA defer_foreign_keys = ON');
    for (const name of names) sql.exec(`DELETE FROM "${name}"`);
  });
}
