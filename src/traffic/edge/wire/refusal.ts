/**
 * All refusals that the wire itself sends instead of forwarding a request, or instead of an origin's response. The
 * codes are stable: they appear in the body of the response and in the counters. `status` is the one that the client
 * gets.
 *
 * An origin that cannot be reached or does not send valid HTTP is 502, one that takes too long is 504, one of our own
 * limits is 503. Cloudflare's 52x statuses are not used, because intermediaries do not know them.
 */

const statuses = {
  // Errors of the client.
  bad_request_line: 400,
  bad_target: 400,
  bad_header: 400,
  bad_host: 400,
  bad_framing: 400,
  bad_chunk: 400,
  bad_connection_header: 400,
  bad_expectation: 417,
  head_timeout: 408,
  body_timeout: 408,
  client_too_slow: 408,
  body_too_large: 413,
  target_too_long: 414,
  head_too_large: 431,
  method_not_allowed: 405,
  coding_not_supported: 501,
  version_not_supported: 505,
  loop_detected: 508,
  // Errors of the edge.
  judge_failed: 500,
  too_busy: 503,
  zone_too_busy: 503,
  address_too_busy: 503,
  uploads_too_busy: 503,
  origin_too_busy: 503,
  // Errors of the origin.
  origin_forbidden: 502,
  origin_unresolved: 502,
  origin_unreachable: 502,
  origin_tls: 502,
  origin_closed: 502,
  origin_bad_response: 502,
  origin_connect_timeout: 504,
  origin_timeout: 504,
} as const satisfies Readonly<Record<string, number>>;

export type RefusalCode = keyof typeof statuses;

/** For the operator of the edge, never for clients. */
export interface RefusalDetail {
  readonly text: string;
  /** Whether the reason is that the origin has a private address. */
  readonly isPrivateOrigin?: boolean;
}

export class Refusal {
  readonly code: RefusalCode;
  readonly status: number;
  /** For the reader of the response: one sentence that quotes nothing of the request. */
  readonly message: string;
  readonly detail: RefusalDetail | undefined;

  constructor(code: RefusalCode, message: string, detail?: RefusalDetail) {
    this.code = code;
    this.status = statuses[code];
    this.message = message;
    this.detail = detail;
  }
}

export const bodyTooLarge = new Refusal('body_too_large', 'The body is too large.');

export const clientTooSlow = new Refusal(
  'client_too_slow',
  'The server is busy, and this connection had been idle the longest.',
);
