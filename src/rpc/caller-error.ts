/**
 * An error as its caller sees it. Only the error classes of the language are kept, recognised by name; the name of any other
 * class becomes part of the message. Own properties are dropped, except the two that tell a caller what to do next, and the
 * stack, which shows where in the object the error was thrown.
 */

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

/** What each copy was made from, so that a log can tell that two errors are one. */
const origins = new WeakMap<object, object>();

/** The error that was thrown first, if this is a copy of one. */
export function originOf(error: object): object {
  return origins.get(error) ?? error;
}

export function toCallerError(thrown: unknown, flags: CallerErrorFlags = { remote: true }): Error {
  const error = copyError(thrown);
  if (isObject(thrown)) origins.set(error, originOf(thrown));
  const own = isObject(thrown) ? (thrown as CallerErrorFlags) : {};
  const overloaded = flags.overloaded ?? Boolean(own.overloaded);
  // A call to an overloaded object must not be retried, whatever the error says.
  const retryable = !overloaded && (flags.retryable ?? Boolean(own.retryable));
  if (flags.remote === true) Object.assign(error, { remote: true });
  if (flags.durableObjectReset === true) Object.assign(error, { durableObjectReset: true });
  if (overloaded) Object.assign(error, { overloaded });
  if (retryable) Object.assign(error, { retryable });
  return error;
}

function copyError(thrown: unknown): Error {
  if (!(thrown instanceof Error) && !Error.isError(thrown)) return new Error(toText(thrown));
  const name = String(thrown.name);
  const message = String(thrown.message);
  if (thrown instanceof DOMException) return setStack(new DOMException(message, name), thrown);
  if (thrown instanceof AggregateError) return setStack(createAggregateError(message), thrown);
  if (classes.has(name)) return setStack(createError(name, message), thrown);
  return setStack(new Error(message === '' ? name : `${name}: ${message}`), thrown);
}

/** An error of the class of the language with this name, or a plain one. */
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
  if (!isObject(thrown) || typeof thrown === 'function') return String(thrown);
  const { constructor } = thrown;
  return `#<${typeof constructor === 'function' ? constructor.name : 'Object'}>`;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
