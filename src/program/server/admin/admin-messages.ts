/** The messages between the thread of the admin port and the program. */

/** The data that the thread starts with. */
export interface AdminThreadData {
  /** The bound socket. */
  readonly fd: number;
  /** The address that it is bound to, in the operator's notation. */
  readonly host: string;
  /**
   * A single number: when the program last showed that it is alive, in milliseconds of the clock that all threads
   * share.
   */
  readonly beat: SharedArrayBuffer;
  /** After a silence of this length the program is considered dead. */
  readonly liveMs: number;
}

/** A request that the program answers. */
export interface AdminRequest {
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly address: string;
}

export interface AdminAnswer {
  readonly number: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
}

export type ToAdminThread = AdminAnswer | { readonly close: { readonly graceMs: number } };
/** The URL is sent once, when connections are accepted. */
export type FromAdminThread = AdminRequest | { readonly url: string };

/** Milliseconds of a monotonic clock, the same in every thread. */
export function nowOfThreads(): number {
  return performance.timeOrigin + performance.now();
}
