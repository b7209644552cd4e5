/** Why a call failed, in words for the person who reads the page. */
import { ApiError, ConnectionError, type ErrorEntry } from '#client';

/** The server did not answer: nothing is known about what it did. */
export class UnreachableError extends ConnectionError {
  constructor(options?: ErrorOptions) {
    super(
      'The server cannot be reached. Nothing that you typed is lost; try again when it is back.',
      options,
    );
  }
}

/** The server cannot answer now. That it could not be asked says nothing about what is shown, so asking goes on. */
export function isTemporary(error: unknown): boolean {
  return (
    error instanceof UnreachableError ||
    (error instanceof ApiError && [429, 502, 503, 504].includes(error.status))
  );
}

/** Of a refusal only what the server says: which call it refused is of no use to a reader. */
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
