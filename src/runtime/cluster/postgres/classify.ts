import { DatabaseError } from '../errors.ts';

/**
 * Codes of errors after which a transaction may still have been committed, or of a server that closes a connection
 * because of a timeout: the outcome of statements in transit is then also unknown.
 */
const unknownOutcomes = new Set(['40003', '57P01', '57P02', '57014', '57P05', '25P03', '25P04']);
/** The last two: another host creates the same table at the same moment, even with `IF NOT EXISTS`. */
const conflicts = new Set(['40001', '40P01', '55P03', '23505', '42710', '42P07']);
/** Codes of a transaction that conflicted with another, and of nothing else. */
const serializationFailures = new Set(['40001', '40P01']);
/** No prepared statement of that name exists, or one exists already. */
const namesLost = new Set(['26000', '42P05']);
/** A pooler that refuses a request, as well as an invalid message. */
const protocolViolation = '08P01';
const undefinedTable = '42P01';
const diskFull = '53100';
const readOnly = '25006';
/** A standby's answer to a serializable transaction, whatever that does. */
const unsupported = '0A000';
const serializableSnapshot = 'GetSerializableTransactionSnapshot';

/** Classifies an error of the client library, or of the server, by whether the request may have been executed. */
export function classifyError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  const { code, message, routine } = error as {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly routine?: unknown;
  };
  const text = typeof message === 'string' && message !== '' ? message : String(code ?? error);
  const describe = (
    outcome: 'no' | 'unknown',
    reason: DatabaseError['reason'],
    diskRefusal?: DatabaseError['diskRefusal'],
  ): DatabaseError =>
    new DatabaseError(`the database of the cluster: ${text}`, {
      outcome,
      reason,
      cause: error,
      ...(diskRefusal === undefined ? {} : { diskRefusal }),
    });
  // Codes of the server have five characters; other codes are from the connection.
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return describe('unknown', 'away');
  if (conflicts.has(code)) return describe('no', 'conflict');
  if (code === undefinedTable) return describe('no', 'no-table');
  if (unknownOutcomes.has(code) || code.startsWith('08') || code.startsWith('XX'))
    return describe('unknown', 'away');
  if (code === diskFull) return describe('no', 'refused', 'full');
  // As a standby until it is promoted: it may accept writes soon.
  if (code === readOnly || (code === unsupported && routine === serializableSnapshot))
    return describe('no', 'away', 'read-only');
  // The server is starting or stopping, or has no connection left: nothing was begun.
  if (code === '57P03' || code.startsWith('53')) return describe('no', 'away');
  return describe('no', 'refused');
}

export function isSerializationFailure(error: DatabaseError): boolean {
  return serializationFailures.has(codeOf(error));
}

export function isNameLost(error: DatabaseError): boolean {
  return namesLost.has(codeOf(error));
}

export function isProtocolViolation(error: DatabaseError): boolean {
  return codeOf(error) === protocolViolation;
}

function codeOf({ cause }: DatabaseError): string {
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
}
