/**
 * SQLite, wrapped for objects: each has a database of its own, on which its code runs SQL.
 *
 * ```ts
 * using database = new SqlDatabase('/scratch/object.sqlite', {
 *   beforeWrite: () => database.isTransaction || database.execTrusted('BEGIN'),
 * });
 * database.exec('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
 * database.exec('INSERT INTO notes (text) VALUES (?)', 'remember the milk');
 * database.exec('SELECT text FROM notes WHERE id = ?', 1).one(); // { text: 'remember the milk' }
 * database.execTrusted('COMMIT');
 * ```
 */
export { Cursor as SqlCursor } from './sqlite/cursor.ts';
export { pageBytes, SqlDatabase, type SqlDatabaseOptions } from './sqlite/database.ts';
export { splitStatements } from './sqlite/text/statements.ts';
export { type SqlLimits, sqlLimitsDefault } from './sqlite/limits.ts';
export type { SqlRow, SqlValue } from './sqlite/rows.ts';
export type { TrustedOptions, TrustedStatement } from './sqlite/trusted-statement.ts';
export { sqliteDiskRefusal } from './sqlite/errors.ts';
export { supportsSqlDatabases } from './sqlite/node-support.ts';
export { copyDatabaseAside } from './sqlite/copies/copy-aside.ts';
export { copyTables } from './sqlite/copies/copy-tables.ts';
export { NotADatabaseError } from './sqlite/copies/copy-database.ts';
export { removeDatabase } from './sqlite/database-files.ts';
export { DirectoryLock, DirectoryLockedError } from './sqlite/directory-lock.ts';
export { type CommittedPages, WalReader } from './sqlite/wal-reader.ts';
