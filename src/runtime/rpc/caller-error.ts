/**
 * An error as its caller sees it. Only the error classes of the language are kept, recognised by name. There are two forms:
 *
 * - a bare one: the name of any other class becomes part of the message, and own properties are dropped, except the two
 *   that guide a caller's next step, and the stack, which shows where in the object the error was thrown;
 * - one with its properties, as in workerd from 2026-04-21 on: the name of another class and all own properties are copied,
 *   unless one of them cannot be.
 */
import { decodeValue, encodeValue } from '#values';

export interface CallerErrorFlags {
  /** Thrown by the code of the object, not by the runtime around it. */
  readonly remote?: boolean;
  readonly durableObjectReset?: boolean;
  readonly overloaded?: boolean;
  readonly retryable?: boolean;
}

const classes = new Map<string, ErrorConstructor>(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((each) => [
    each.name,
    each,
  ]),
);

/** The origin of each copy, so that a log can recognise that two errors are the same. */
const origins = new WeakMap<object, object>();

/** The error that was originally thrown, if this is a copy of one. */
export function originOf(error: object): object {
  return origins.get(error) ?? error;
}

export interface ErrorSettings {
  /** Whether errors that the code of objects and Workers throws keep their properties. */
  readonly keepsProperties: boolean;
}

let settings: ErrorSettings = { keepsProperties: false };

export function useErrorSettings(chosen: ErrorSettings): void {
  settings = chosen;
}

export function toCallerError(thrown: unknown, flags: CallerErrorFlags = { remote: true }): Error {
  if (!settings.keepsProperties || flags.remote !== true || !isPlainError(thrown))
    return toBareError(thrown, flags);
  const error = copyWithProperties(thrown);
  origins.set(error, originOf(thrown));
  return Object.assign(error, flags);
}

export function toBareError(thrown: unknown, flags: CallerErrorFlags = { remote: true }): Error {
  const error = copyError(thrown);
  if (isReference(thrown)) origins.set(error, originOf(thrown));
  const own = isReference(thrown) ? (thrown as CallerErrorFlags) : {};
  const overloaded = flags.overloaded ?? Boolean(own.overloaded);
  // A call to an overloaded object must not be retried, whatever the error says.
  const retryable = !overloaded && (flags.retryable ?? Boolean(own.retryable));
  if (flags.remote === true) Object.assign(error, { remote: true });
  if (flags.durableObjectReset === true) Object.assign(error, { durableObjectReset: true });
  if (overloaded) Object.assign(error, { overloaded });
  if (retryable) Object.assign(error, { retryable });
  return error;
}

/** An error whose properties are its own: those of a `DOMException` belong to its class. */
function isPlainError(thrown: unknown): thrown is Error {
  return (thrown instanceof Error || Error.isError(thrown)) && !(thrown instanceof DOMException);
}

function copyWithProperties(thrown: Error): Error {
  const name = String(thrown.name);
  const error = createError(name, String(thrown.message));
  const isKnown = error.name === name;
  Object.assign(error, isKnown ? {} : { name }, copyProperties(thrown));
  return setStack(error, thrown);
}

/** Empty if one of them cannot be copied. */
function copyProperties(thrown: Error): object {
  const names = Object.getOwnPropertyNames(thrown).filter((name) => !standardNames.has(name));
  if (names.length === 0) return {};
  try {
    const values = Object.fromEntries(names.map((name) => [name, Reflect.get(thrown, name) as unknown]));
    return decodeValue(encodeValue(values)) as object;
  } catch {
    return {};
  }
}

const standardNames: ReadonlySet<string> = new Set(['name', 'message', 'stack']);

function copyError(thrown: unknown): Error {
  if (!(thrown instanceof Error) && !Error.isError(thrown)) return new Error(toText(thrown));
  const name = String(thrown.name);
  const message = String(thrown.message);
  if (thrown instanceof DOMException) return setStack(new DOMException(message, name), thrown);
  if (thrown instanceof AggregateError) return setStack(createAggregateError(message), thrown);
  if (classes.has(name)) return setStack(createError(name, message), thrown);
  return setStack(new Error(message === '' ? name : `${name}: ${message}`), thrown);
}

/** An error of the language's class with this name, or a plain one. */
export function createError(name: string, message: string): Error {
  if (name === 'AggregateError') return createAggregateError(message);
  return new (classes.get(name) ?? Error)(message);
}

/** The collected errors are dropped, as every own property is. */
function createAggregateError(message: string): Error {
  const error: Partial<AggregateError> = new AggregateError([], message);
  delete error.errors;
  return error as Error;
}

function setStack<T extends Error>(error: T, from: Error): T {
  const frames = typeof from.stack === 'string' ? /^ {4}at [^]*/m.exec(from.stack)?.[0] : undefined;
  const head = error.message === '' ? error.name : `${error.name}: ${error.message}`;
  const value = frames === undefined ? head : `${head}\n${frames}`;
  Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  return error;
}

function toText(thrown: unknown): string {
  if (!isReference(thrown) || typeof thrown === 'function') return String(thrown);
  const { constructor } = thrown;
  return `#<${typeof constructor === 'function' ? constructor.name : 'Object'}>`;
}

/** Whether a value is an object in the sense of the language: it has an identity. Functions count. */
export function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
