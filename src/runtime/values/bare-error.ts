/** An error that is not about this moment: its stack is the stored one, or the one line V8 gives an error without. */
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
