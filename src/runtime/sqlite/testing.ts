/** For the tests of this room: a database in memory or in a temporary directory, with an owner like the real one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqlDatabase, type SqlDatabaseOptions } from './database.ts';

export interface TestDatabase extends Disposable {
  readonly database: SqlDatabase;
  /** The owner's callbacks, in order. */
  readonly events: string[];
  commit(): void;
}

export function openTestDatabase(options: Partial<SqlDatabaseOptions> = {}): TestDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-sqlite-'));
  const events: string[] = [];
  const database = new SqlDatabase(join(directory, 'object.sqlite'), {
    beforeWrite: () => {
      if (database.isTransaction) return;
      events.push('begin');
      database.execTrusted('BEGIN');
    },
    onTransactionLost: (error) => events.push(`lost: ${(error as Error).message}`),
    ...options,
  });
  return {
    database,
    events,
    commit: () => database.execTrusted('COMMIT'),
    [Symbol.dispose]: () => {
      database.close();
      rmSync(directory, { recursive: true });
    },
  };
}
