/**
 * The outcome of an operation in a host. Callers of objects get errors without their class and their properties, as on
 * Cloudflare; an operator gets them complete, as from a runtime in this process.
 */
import {
  DirectoryLockedError,
  HistoryMissingError,
  ImageDamageError,
  ImageMissingError,
  JournalDamageError,
  JournalWriteError,
  NotADatabaseError,
  ObjectChangedError,
  TablesDamageError,
} from '#objects';

export type HostReply<T> = { readonly value: T } | { readonly error: ErrorParts };

interface ErrorParts {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Errors that callers may recognise by their class. */
const prototypes = new Map<string, object>(
  [
    TypeError,
    RangeError,
    DirectoryLockedError,
    HistoryMissingError,
    ImageDamageError,
    ImageMissingError,
    JournalDamageError,
    JournalWriteError,
    NotADatabaseError,
    ObjectChangedError,
    TablesDamageError,
  ].map(({ name, prototype }) => [name, prototype as object]),
);

export async function toHostReply<T>(work: () => T | Promise<T>): Promise<HostReply<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error: takeApart(error) };
  }
}

export function fromHostReply<T>(outcome: HostReply<T>): T {
  if ('value' in outcome) return outcome.value;
  const { name, message, stack, properties } = outcome.error;
  const error = new Error(message);
  Object.setPrototypeOf(error, prototypes.get(name) ?? Error.prototype);
  Object.defineProperty(error, 'stack', { value: stack, writable: true, configurable: true });
  throw Object.assign(error, properties);
}

function takeApart(thrown: unknown): ErrorParts {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { message, stack } = error;
  const properties: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(error)) {
    if (value === null || typeof value !== 'object') properties[key] = value;
  }
  return { name: error.constructor.name, message, stack, properties };
}
