/**
 * The load generator, a separate process: keep-alive connections on plain sockets, one request in flight on each, as
 * many as possible in the given time. Prints how many were answered with 200, and in how many milliseconds.
 *
 *     node bench/load.ts [--body <text>] <connections> <milliseconds> <url> [<url> …]     connection i uses url i, round robin; POST with a body
 */
import { connect } from 'node:net';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { body: { type: 'string' } }, allowPositionals: true });
const [connections, durationMs, ...urls] = positionals;
const deadline = performance.now() + Number(durationMs);
const start = performance.now();

/** The length of the first whole response in the text; undefined while it is incomplete. */
function responseLength(text: string): number | undefined {
  const headersEnd = text.indexOf('\r\n\r\n');
  if (headersEnd === -1) return undefined;
  const bodyStart = headersEnd + 4;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headersEnd))?.[1];
  if (length !== undefined)
    return bodyStart + Number(length) <= text.length ? bodyStart + Number(length) : undefined;
  const last = text.indexOf('0\r\n\r\n', bodyStart);
  return last === -1 ? undefined : last + 5;
}

function drive(url: URL): Promise<number> {
  const { body } = values;
  const head = `${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`;
  const request =
    body === undefined
      ? `GET ${head}\r\n`
      : `POST ${head}content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const socket = connect(Number(url.port), url.hostname).setNoDelay(true).setEncoding('latin1');
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answered = 0;
  let pending = '';
  socket.on('error', reject);
  socket.on('close', () => resolve(answered));
  socket.on('connect', () => socket.write(request));
  socket.on('data', (chunk: string) => {
    pending += chunk;
    const length = responseLength(pending);
    if (length === undefined) return;
    if (!pending.startsWith('HTTP/1.1 200')) reject(new Error(`not 200: ${pending.slice(0, 200)}`));
    pending = pending.slice(length);
    answered++;
    if (performance.now() < deadline) socket.write(request);
    else socket.end();
  });
  return promise;
}

const lanes = Array.from({ length: Number(connections) }, (_, i) => drive(new URL(urls[i % urls.length]!)));
const answered = (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
console.log(JSON.stringify({ answered, elapsedMs: performance.now() - start }));
