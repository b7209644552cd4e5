/**
 * A request and its answer as the API sees them, without a server around: what `node:http`, a test or an embedding
 * program can all give and take.
 */
export interface ApiRequest {
  readonly method: string;
  /** As it was sent: the path and the query, nothing decoded. */
  readonly target: string;
  /** Lower-case names; a header sent twice is joined or an array, as `node:http` has it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Of the client, for conditions on addresses and the audit log. */
  readonly address: string;
  /** Whether it came over TLS. */
  readonly isEncrypted?: boolean;
  /** Reads the body once; `too-large` as soon as it has more bytes than that. */
  readBody(bytesMax: number): Promise<Uint8Array | 'too-large'>;
  /** The body as it comes in, for operations that take files. */
  readonly content?: AsyncIterable<Uint8Array>;
  /** Aborted when the client is gone. */
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent piece by piece as it comes, and is returned early when the client goes away. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** The cookie that carries a session of the dashboard, and the header that a request with it needs. */
export const sessionCookie = 'gatehouse_session';
export const csrfHeader = 'x-csrf-token';
