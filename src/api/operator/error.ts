import type { ApiError } from '#client';

/** The message of the server, without the name of the code. */
export function explainRefusal({ errors: [entry], message }: ApiError): string {
  return entry?.message.replace(/^[\w.]+: /, '') ?? message;
}

/** A failure whose message is complete for the user. */
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
