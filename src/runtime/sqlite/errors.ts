import type { DiskRefusal } from '#files';

/** What node:sqlite throws when SQLite reports an error. */
export interface NativeError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  readonly errcode: number;
}

export function isNativeError(error: unknown): error is NativeError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** SQLite's report that a disk refuses writes; undefined for any other error. */
export function sqliteDiskRefusal(error: unknown): DiskRefusal | undefined {
  if (!(error instanceof Error)) return undefined;
  // Errors that objects see contain only the name of the code, at their end.
  const name = isNativeError(error) ? describeResultCode(error.errcode) : error.message;
  if (/\bSQLITE_FULL\b/.test(name)) return 'full';
  if (/\bSQLITE_IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE)\b/.test(name)) return 'failing';
  return undefined;
}

/** The database returned an integer that a JavaScript number cannot represent exactly. */
export function isIntegerTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/**
 * The error that an object's code sees. Clients match on these texts, so they are workerd's: SQLite's message, the
 * offset into the statement where SQLite knows one, the names of the codes.
 */
export function toSqlError(error: NativeError, offset?: number): Error {
  const place = offset === undefined ? '' : ` at offset ${offset}`;
  return new Error(`${error.message}${place}: ${describeResultCode(error.errcode)}`);
}

/** SQLite's result codes by number, as its header names them. */
const primaryNames: Readonly<Record<number, string>> = {
  1: 'ERROR',
  2: 'INTERNAL',
  3: 'PERM',
  4: 'ABORT',
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  9: 'INTERRUPT',
  10: 'IOERR',
  11: 'CORRUPT',
  12: 'NOTFOUND',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  16: 'EMPTY',
  17: 'SCHEMA',
  18: 'TOOBIG',
  19: 'CONSTRAINT',
  20: 'MISMATCH',
  21: 'MISUSE',
  22: 'NOLFS',
  23: 'AUTH',
  24: 'FORMAT',
  25: 'RANGE',
  26: 'NOTADB',
  27: 'NOTICE',
  28: 'WARNING',
};

/** For each primary code, the extended ones in the order of their numbers: the first is `code | 1 << 8`. */
const extendedNames: Readonly<Record<number, readonly string[]>> = {
  1: ['MISSING_COLLSEQ', 'RETRY', 'SNAPSHOT', 'RESERVESIZE', 'KEY', 'UNABLE'],
  4: ['', 'ROLLBACK'],
  5: ['RECOVERY', 'SNAPSHOT', 'TIMEOUT'],
  6: ['SHAREDCACHE', 'VTAB'],
  8: ['RECOVERY', 'CANTLOCK', 'ROLLBACK', 'DBMOVED', 'CANTINIT', 'DIRECTORY'],
  10: (
    'READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS ' +
    'CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH ' +
    'CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE'
  ).split(' '),
  11: ['VTAB', 'SEQUENCE', 'INDEX'],
  14: ['NOTEMPDIR', 'ISDIR', 'FULLPATH', 'CONVPATH', 'DIRTYWAL', 'SYMLINK'],
  19: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE'.split(
    ' ',
  ),
  23: ['USER'],
};

/** `SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_UNIQUE)`, or just the first part. */
function describeResultCode(code: number): string {
  const primary = code & 0xff;
  const name = `SQLITE_${primaryNames[primary] ?? primary}`;
  if (code === primary) return name;
  const extended = extendedNames[primary]?.[(code >> 8) - 1];
  return `${name} (extended: ${extended ? `${name}_${extended}` : code})`;
}
