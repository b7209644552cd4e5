import type { ApiError } from '#client';

/** What the server said, without the name of the code. */
export function explainRefusal({ errors: [entry], message }: ApiError): string {
  return entry?.message.replace(/^[\w.]+: /, '') ?? message;
}

/** A failure that its message explains to the person who asked. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: string;

  constructor(
    message: string,
    { code = 'OPERATOR_FAILED', ...options }: ErrorOptions & { code?: string } = {},
  ) {
    super(message, options);
    this.code = code;
  }
}
