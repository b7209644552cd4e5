/** A refusal of the API: what each entry says, by code and by the place in the body that it is about. */
export interface ErrorEntry {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer: string };
  readonly error_chain?: readonly ErrorEntry[];
}

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly entries: readonly ErrorEntry[];
  /** Of the zone or account that refused. */
  readonly version: string | undefined;

  /** `details`: what the answer says beside its errors. */
  constructor(
    status: number,
    entries: readonly ErrorEntry[],
    { details = [], version }: { readonly details?: readonly string[]; readonly version?: string } = {},
  ) {
    super(
      [...entries.map(describeEntry), ...details].join('; ') || `The server answered with status ${status}.`,
    );
    this.status = status;
    this.entries = entries;
    this.version = version;
  }

  has(code: number): boolean {
    return this.entries.some((entry) => entry.code === code);
  }
}

function describeEntry({ message, error_chain = [] }: ErrorEntry): string {
  return [message, ...error_chain.map(describeEntry)].join(': ');
}

/** The server did not answer: nothing is known about what it did. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

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
    error instanceof ConnectionError ||
    (error instanceof ApiError && [429, 502, 503, 504].includes(error.status))
  );
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
