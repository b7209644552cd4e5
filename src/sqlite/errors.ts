import { describeResultCode } from './result-codes.ts';

/** What node:sqlite throws when SQLite reports an error. */
export interface NativeError extends Error {
  readonly code: 'ERR_SQLITE_ERROR';
  readonly errcode: number;
}

export function isNativeError(error: unknown): error is NativeError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

/** An integer came out of the database that a JavaScript number cannot hold exactly. */
export function isIntegerTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
}

/**
 * The error that an object's code gets to see. Clients match on these texts, so they are the original's:
 * SQLite's message, the offset into the statement where SQLite knows one, the names of the codes.
 */
export function toSqlError(error: NativeError, offset?: number): Error {
  const place = offset === undefined ? '' : ` at offset ${offset}`;
  return new Error(`${error.message}${place}: ${describeResultCode(error.errcode)}`);
}
