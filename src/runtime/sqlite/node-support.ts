import { StatementSync } from 'node:sqlite';

/** Whether `node:sqlite` can end a statement at will, as databases of objects need it; that of Node 24 cannot. */
export function supportsSqlDatabases(statement: object = StatementSync.prototype): boolean {
  return 'close' in statement;
}
