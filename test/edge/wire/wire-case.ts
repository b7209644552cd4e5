/** One case on the wire: bytes, the statuses of the responses, and how many whole requests reach the origin. */
export interface WireCase {
  readonly title: string;
  readonly bytes: string;
  /** In order. After the last the connection is closed if it is an error. */
  readonly statuses: readonly number[];
  readonly reaching: number;
}

export function expectRefused(title: string, bytes: string, status = 400): WireCase {
  return { title, bytes, statuses: [status], reaching: 0 };
}

/** Served up to this request, and refused from there on. */
export function refusedAfterOne(title: string, bytes: string, status = 400): WireCase {
  return { title, bytes, statuses: [200, status], reaching: 1 };
}

export function expectAccepted(title: string, bytes: string, requests = 1): WireCase {
  return { title, bytes, statuses: Array.from({ length: requests }, () => 200), reaching: requests };
}

/** A GET with these lines after its `Host`. */
export function get(...lines: readonly string[]): string {
  return `${['GET / HTTP/1.1', 'Host: a.example', ...lines].join('\r\n')}\r\n\r\n`;
}

/** A POST with these lines after its `Host`, and what follows the head. */
export function post(lines: readonly string[], after = ''): string {
  return `${['POST / HTTP/1.1', 'Host: a.example', ...lines].join('\r\n')}\r\n\r\n${after}`;
}

/** A chunked POST with this after its head. */
export function writeChunked(after: string): string {
  return post(['Transfer-Encoding: chunked'], after);
}

/** The request that an attacker wants another server to read. */
export const hidden = 'GET /hidden HTTP/1.1\r\nHost: a.example\r\n\r\n';
