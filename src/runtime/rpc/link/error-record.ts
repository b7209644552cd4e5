/** A caller's error as plain data and back: class, message, stack, and the flags that guide a caller's next step. */
import { encodeValue } from '#values';
import { createError, toCallerError } from '../caller-error.ts';
import { messageBytesMax } from '../limits.ts';
import { errorCharactersMax } from './limits.ts';

interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly isException: boolean;
  /** The own properties of a caller's error. */
  readonly flags: Readonly<Record<string, unknown>>;
}

/**
 * Encodes any thrown value, of any size: a call that fails must not lose its answer. Properties that cannot be sent are
 * omitted, and texts that do not fit into a message are truncated.
 */
export function encodeError(thrown: unknown): Uint8Array {
  const record = toErrorRecord(thrown);
  return (
    tryToEncode(record) ??
    tryToEncode({ ...record, flags: {} }) ??
    encodeValue({
      ...record,
      name: cut(record.name),
      message: cut(record.message),
      stack: record.stack === undefined ? undefined : cut(record.stack),
      flags: {},
    })
  );
}

function toErrorRecord(thrown: unknown): ErrorRecord {
  const error = thrown instanceof Error ? thrown : toCallerError(thrown);
  try {
    const { name, message, stack } = error;
    const flags = Object.fromEntries(Object.entries(error));
    return {
      name: String(name),
      message: String(message),
      stack: typeof stack === 'string' ? stack : undefined,
      isException: error instanceof DOMException,
      flags,
    };
  } catch {
    // One of its getters throws.
    const message = 'an error was thrown that cannot be read';
    return { name: 'Error', message, stack: undefined, isException: false, flags: {} };
  }
}

function tryToEncode(record: ErrorRecord): Uint8Array | undefined {
  try {
    const bytes = encodeValue(record);
    return bytes.length <= messageBytesMax ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length <= errorCharactersMax ? text : `${text.slice(0, errorCharactersMax)}…`;
}

export function fromErrorRecord(record: unknown): Error {
  const { name, message, stack, isException, flags } = record as ErrorRecord;
  const error = isException ? new DOMException(message, name) : createError(name, message);
  Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
  return Object.assign(error, flags);
}
