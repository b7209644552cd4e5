/** Imports and exports plain database files, in the page size and state that other programs and objects expect. */
import { DatabaseSync } from 'node:sqlite';
import { touchPrivateFile } from '#files';
import { pageBytes } from '../database.ts';
import { openFile } from '../database-files.ts';

/** The file is not a complete SQLite database, or not one that an object can have. */
export class NotADatabaseError extends Error {
  override readonly name = 'NotADatabaseError';
  readonly code = 'NOT_A_DATABASE';
  /** What is wrong with it. */
  readonly problem: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`cannot copy the database ${file}: ${problem}`, options);
    this.problem = problem;
  }
}

/** Copies a database into a new file: a single file without a write-ahead log, in the page size of objects. */
export function copyDatabase(from: string, to: string): void {
  let source: DatabaseSync | undefined;
  try {
    source = openFile(from, { readOnly: true });
    const problems = source.prepare('PRAGMA integrity_check(1)').get();
    if (problems?.['integrity_check'] !== 'ok') throw new Error(String(problems?.['integrity_check']));
    const encoding = source.prepare('PRAGMA encoding').get()?.['encoding'];
    // The keys of hidden tables are compared and returned as bytes.
    if (encoding !== 'UTF-8') throw new Error(`its text is ${String(encoding)}, only UTF-8 can be taken`);
    touchPrivateFile(to);
    source.prepare('VACUUM INTO ?').run(to);
  } catch (error) {
    throw new NotADatabaseError(from, (error as Error).message, { cause: error });
  } finally {
    source?.close();
  }
  const copy = openFile(to);
  try {
    if (copy.prepare('PRAGMA page_size').get()?.['page_size'] !== pageBytes) {
      copy.exec(`PRAGMA journal_mode = DELETE; PRAGMA page_size = ${pageBytes}; VACUUM`);
    }
  } finally {
    copy.close();
  }
}
