/** Sends the bytes of a request to a server, and reads the status of the answer. */
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { RecordedRequest } from '../traffic/recorded-request.ts';
import { UnreachableServerError } from './rule-test-error.ts';

/** A server that does not answer by then is considered to have closed the connection. */
const answerMsMax = 30_000;
/** The size of a status line, with the interim responses before it. */
const statusBytesMax = 64 * 1024;

/** Undefined if the server closes the connection without an answer. */
export async function sendRaw(url: URL, bytes: Uint8Array): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const socket = open(url);
  let received = '';
  socket.setTimeout(answerMsMax, () => resolve(undefined));
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1');
    const status = readStatus(received);
    if (status !== undefined || received.length > statusBytesMax) resolve(status);
  });
  socket.on('close', () => resolve(readStatus(received)));
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // A server may close the connection before it has read everything.
    if (socket.bytesWritten > 0) resolve(readStatus(received));
    else
      reject(new UnreachableServerError(`${url.host} does not answer: ${error.message}`, { cause: error }));
  });
  socket.write(bytes);
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function open({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return protocol === 'https:'
    ? connectTls({ host, port: Number(port || 443), servername: host })
    : connectTcp({ host, port: Number(port || 80) });
}

/** Interim responses (1xx) are skipped. */
function readStatus(text: string): number | undefined {
  let rest = text;
  for (;;) {
    const found = /^HTTP\/1\.[01] (\d{3})/.exec(rest);
    if (found === null) return undefined;
    const status = Number(found[1]);
    if (status >= 200 || status === 101) return status;
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    rest = rest.slice(end + 4);
  }
}

/** The connection is closed afterwards. */
export function writeRequest(
  { method, target, headers, body }: RecordedRequest,
  host: string | undefined,
): Buffer {
  const dropped = /^(?:connection|content-length|transfer-encoding|keep-alive|upgrade|expect)$/i;
  const kept = headers.filter(
    ([name]) => !dropped.test(name) && (host === undefined || !/^host$/i.test(name)),
  );
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(host === undefined ? [] : [`Host: ${host}`]),
    ...kept.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${body.length}`]),
    'Connection: close',
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)]);
}
