/** An error without the current stack: it has the stored one, or V8's single line for an error without a stack. */
export function bareError(create: () => Error): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return create();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

export function defineHidden(error: Error, name: string, value: unknown): void {
  Object.defineProperty(error, name, { value, writable: true, configurable: true });
}
