/** A caller's error as plain data and back: class, message, stack, and the flags that tell a caller what to do next. */
import { createError } from '../caller-error.ts';

interface ErrorRecord {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly isException: boolean;
  /** The own properties of a caller's error. */
  readonly flags: Readonly<Record<string, unknown>>;
}

export function toErrorRecord(error: Error): ErrorRecord {
  const { name, message, stack } = error;
  const flags = Object.fromEntries(Object.entries(error));
  return { name, message, stack, isException: error instanceof DOMException, flags };
}

export function fromErrorRecord(record: unknown): Error {
  const { name, message, stack, isException, flags } = record as ErrorRecord;
  const error = isException ? new DOMException(message, name) : createError(name, message);
  Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
  return Object.assign(error, flags);
}
