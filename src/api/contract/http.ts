/**
 * A request and its answer as the API sees them, independent of any server: `node:http`, a test or an embedding program
 * can supply and consume them.
 */
export interface ApiRequest {
  readonly method: string;
  /** As it was sent: the path and the query, nothing decoded. */
  readonly target: string;
  /** Lower-case names; a repeated header is joined or an array, as in `node:http`. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The client's address, for conditions on addresses and the audit log. */
  readonly address: string;
  /** Whether the request arrived over TLS. */
  readonly isEncrypted?: boolean;
  /** Reads the body once; `too-large` as soon as it exceeds `bytesMax`. */
  readBody(bytesMax: number): Promise<Uint8Array | 'too-large'>;
  /** The body as it arrives, for operations that accept files. */
  readonly content?: AsyncIterable<Uint8Array>;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable is sent piece by piece, and `return` is called on it when the client disconnects. */
  readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array> | null;
}

/** The cookie that carries a session of the dashboard, and the header that a request with it needs. */
export const sessionCookie = 'gatehouse_session';
export const csrfHeader = 'x-csrf-token';
