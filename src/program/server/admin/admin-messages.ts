/** What passes between the thread of the admin port and the program. */

/** What the thread starts with. */
export interface AdminThreadData {
  /** The bound socket. */
  readonly fd: number;
  /** The address that it is bound to, as the operator wrote it. */
  readonly host: string;
  /** One number: when the program showed last that it lives, in milliseconds of the clock that all threads share. */
  readonly beat: SharedArrayBuffer;
  /** After a silence of this length the program counts as dead. */
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
/** The address is said once, when connections are accepted. */
export type FromAdminThread = AdminRequest | { readonly url: string };

/** Milliseconds of a clock that cannot be set, the same in every thread. */
export function nowOfThreads(): number {
  return performance.timeOrigin + performance.now();
}
