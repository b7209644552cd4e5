import { StatementSync } from 'node:sqlite';

/** Whether `node:sqlite` can finalize a statement on demand, as objects' databases require; Node 24's cannot. */
export function supportsSqlDatabases(statement: object = StatementSync.prototype): boolean {
  return 'close' in statement;
}
