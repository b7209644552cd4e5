/** Why a call failed: the server refused it, or its outcome is unknown. */
export interface ErrorEntry {
  readonly code: number;
  readonly message: string;
  readonly source?: { readonly pointer?: string };
  readonly error_chain?: readonly ErrorEntry[];
}

/** The server refused the call. Nothing was changed unless a message says so. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** `GET /zones` */
  readonly call: string;
  readonly status: number;
  readonly errors: readonly ErrorEntry[];
  /** What the server sends beside its errors. */
  readonly messages: readonly ErrorEntry[];
  /** Of the zone or account that refused. */
  readonly version: string | undefined;
  /** How long the server asks the client to wait. */
  readonly retryAfterMs: number | undefined;

  constructor(
    call: string,
    answer: {
      readonly status: number;
      readonly errors: readonly ErrorEntry[];
      readonly messages?: readonly ErrorEntry[];
      readonly version?: string | undefined;
      readonly retryAfterMs?: number | undefined;
    },
  ) {
    const { status, errors, messages = [], version, retryAfterMs } = answer;
    const reasons = [...errors, ...messages].map(describeEntry);
    super(`the server refused ${call}: ${reasons.join('; ') || `status ${status}`}`);
    this.call = call;
    this.status = status;
    this.errors = errors;
    this.messages = messages;
    this.version = version;
    this.retryAfterMs = retryAfterMs;
  }

  has(code: number): boolean {
    return this.errors.some((entry) => entry.code === code);
  }
}

function describeEntry({ code, message, source, error_chain = [] }: ErrorEntry): string {
  const place = source?.pointer === undefined ? '' : `${source.pointer}: `;
  return `${place}${[message, ...error_chain.map(describeEntry)].join(': ')} (${code})`;
}

/** The result of a call; undefined if the server answers that the resource does not exist. */
export async function ifFound<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
}

/** The server did not answer, or the answer is not from the API: the outcome is unknown. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}
