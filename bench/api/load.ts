/**
 * The load generator of the API benchmark, a separate process: keep-alive connections on plain sockets, one request in
 * flight on each. `#` in the body and in headers, or `%23` in the path, becomes a number that no other request has.
 * Prints how many were answered with the expected status, in how many milliseconds, and how long half and nearly all of
 * them took.
 *
 *     node bench/api/load.ts '{"urls": […], "method": "GET", "headers": {…}, "body": "", "connections": 32, "durationMs": 2000}'
 */
import { connect } from 'node:net';

export interface LoadPlan {
  /** One after the other. */
  readonly urls: readonly string[];
  /** This many requests to each of them; then the load ends. */
  readonly requestsPerUrl: number;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly connections: number;
  readonly durationMs: number;
}

export interface LoadResult {
  readonly answered: number;
  readonly elapsedMs: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const plan = JSON.parse(process.argv[2]!) as LoadPlan;
const urls = plan.urls.map((url) => new URL(url));
const { host, hostname, port } = urls[0]!;
const head = Object.entries({ host, ...plan.headers })
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
const startedMs = performance.now();
const deadlineMs = startedMs + plan.durationMs;
const latencies: number[] = [];
const uniqueFirst = Math.floor(Math.random() * 1e6) * 1e6;
let sent = 0;

/** Undefined when every URL has received its share. */
function requestText(): string | undefined {
  const url = urls[Math.floor(sent / plan.requestsPerUrl)];
  if (url === undefined) return undefined;
  const unique = String(uniqueFirst + sent++);
  const body = plan.body.replaceAll('#', unique);
  const path = `${url.pathname}${url.search}`.replaceAll('%23', unique);
  const length =
    body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
  return `${plan.method} ${path} HTTP/1.1\r\n${head.replaceAll('#', unique)}${length}\r\n${body}`;
}

/** How many bytes of an answer are still to come after its first piece; undefined while its head is not whole. */
function bytesMissing(piece: Buffer): number | undefined {
  const end = piece.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const text = piece.toString('latin1', 0, end);
  // Some rules respond with a redirect.
  if (!/^HTTP\/1\.1 (?:200|301)/.test(text)) throw new Error(`not 200: ${piece.toString('latin1', 0, 600)}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without a length: ${text}`);
  return end + 4 + Number(length) - piece.length;
}

function drive(): Promise<void> {
  const socket = connect(Number(port), hostname).setNoDelay(true);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let head: Buffer | undefined;
  let missing = 0;
  let sentMs = 0;
  const send = (): void => {
    const text = performance.now() < deadlineMs ? requestText() : undefined;
    sentMs = performance.now();
    if (text === undefined) socket.end();
    else socket.write(text);
  };
  socket.on('error', reject);
  socket.on('close', () => resolve());
  socket.on('connect', send);
  socket.on('data', (chunk: Buffer) => {
    if (missing > 0) missing -= chunk.length;
    else {
      const piece = head === undefined ? chunk : Buffer.concat([head, chunk]);
      const rest = bytesMissing(piece);
      head = rest === undefined ? piece : undefined;
      if (rest === undefined) return;
      missing = rest;
    }
    if (missing > 0) return;
    latencies.push(performance.now() - sentMs);
    send();
  });
  return promise;
}

await Promise.all(Array.from({ length: plan.connections }, drive));
latencies.sort((a, b) => a - b);
const at = (share: number): number => latencies[Math.floor(latencies.length * share)] ?? 0;
const result: LoadResult = {
  answered: latencies.length,
  elapsedMs: performance.now() - startedMs,
  medianMs: at(0.5),
  p99Ms: at(0.99),
};
console.log(JSON.stringify(result));
