/**
 * An error as its caller gets to see it. Only the classes of the language survive the way, recognised by name; the name
 * of any other class becomes part of the message. Own properties are left behind, except the two that tell a caller
 * what to do next, and the stack, which says where in the object it went wrong.
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

export function toCallerError(thrown: unknown, flags: CallerErrorFlags = { remote: true }): Error {
  const error = copyError(thrown);
  const own = isObject(thrown) ? (thrown as CallerErrorFlags) : {};
  const overloaded = flags.overloaded ?? Boolean(own.overloaded);
  // What is overloaded must not be tried again, whatever else it says of itself.
  const retryable = !overloaded && (flags.retryable ?? Boolean(own.retryable));
  if (flags.remote === true) Object.assign(error, { remote: true });
  if (flags.durableObjectReset === true) Object.assign(error, { durableObjectReset: true });
  if (overloaded) Object.assign(error, { overloaded });
  if (retryable) Object.assign(error, { retryable });
  return error;
}

function copyError(thrown: unknown): Error {
  if (!(thrown instanceof Error) && !Error.isError(thrown)) return new Error(textOf(thrown));
  const name = String(thrown.name);
  const message = String(thrown.message);
  if (thrown instanceof DOMException) return withStack(new DOMException(message, name), thrown);
  if (thrown instanceof AggregateError) return withStack(aggregateWithoutErrors(message), thrown);
  const known = classes.get(name);
  if (known !== undefined) return withStack(new known(message), thrown);
  return withStack(new Error(message === '' ? name : `${name}: ${message}`), thrown);
}

/** What it gathered stays behind, as every own property does. */
function aggregateWithoutErrors(message: string): Error {
  const error: Partial<AggregateError> = new AggregateError([], message);
  delete error.errors;
  return error as Error;
}

function withStack<T extends Error>(error: T, from: Error): T {
  const frames = typeof from.stack === 'string' ? /^ {4}at [^]*/m.exec(from.stack)?.[0] : undefined;
  const head = error.message === '' ? error.name : `${error.name}: ${error.message}`;
  const value = frames === undefined ? head : `${head}\n${frames}`;
  Object.defineProperty(error, 'stack', { value, writable: true, configurable: true });
  return error;
}

function textOf(thrown: unknown): string {
  if (!isObject(thrown) || typeof thrown === 'function') return String(thrown);
  const { constructor } = thrown;
  return `#<${typeof constructor === 'function' ? constructor.name : 'Object'}>`;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
