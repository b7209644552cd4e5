/** Explains a failed call to the reader of the page. */
import { ApiError, ConnectionError, type ErrorEntry } from '#client';

/** The server did not answer: the outcome is unknown. */
export class UnreachableError extends ConnectionError {
  constructor(options?: ErrorOptions) {
    super(
      'The server cannot be reached. Nothing that you typed is lost; try again when it is back up.',
      options,
    );
  }
}

/** The server cannot answer now. This says nothing about the shown data, so retries continue. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ApiError && [429, 502, 503, 504].includes(error.status))
  );
}

/** Only the server's message of a refusal: the name of the refused call does not help a reader. */
export function describeError(error: unknown): string {
  if (error instanceof ApiError) {
    const { status, errors, messages } = error;
    return (
      [...errors, ...messages].map(describeEntry).join('; ') || `The server answered with status ${status}.`
    );
  }
  return error instanceof Error ? error.message : String(error);
}

function describeEntry({ message, error_chain = [] }: ErrorEntry): string {
  return [message, ...error_chain.map(describeEntry)].join(': ');
}
