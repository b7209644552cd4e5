import type { DiskRefusal } from '#base';
import { describeResultCode } from './result-codes.ts';

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
