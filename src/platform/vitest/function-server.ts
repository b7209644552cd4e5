/**
 * Functions of a configuration (`serviceBindings`, `outboundService`), called from the threads of tests: over HTTP on
 * loopback, with a token that only they know.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { FunctionTable } from '#tested-projects';
import { functionHeaders, toOriginalHeaders } from './function-headers.ts';

export class FunctionServer {
  readonly #server: Server;
  readonly #token: string;

  private constructor(server: Server, token: string) {
    this.#server = server;
    this.#token = token;
  }

  static async start(functions: FunctionTable): Promise<FunctionServer> {
    const token = randomBytes(24).toString('hex');
    const server = createServer((request, response) => {
      answer(functions, token, request, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy();
        else response.writeHead(500, { [functionHeaders.failed]: 'yes' }).end(String(error));
      });
    });
    // A thread that was busy for long would write to a connection that is being closed.
    server.keepAliveTimeout = 0;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    server.unref();
    return new FunctionServer(server, token);
  }

  get place(): { readonly url: string; readonly token: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, token: this.#token };
  }

  async close(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

async function answer(
  functions: FunctionTable,
  token: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const {
    [functionHeaders.token]: given,
    [functionHeaders.number]: number,
    [functionHeaders.url]: url,
  } = incoming.headers;
  const found = functions.get(Number(number));
  if (!isSame(String(given), token) || found === undefined || typeof url !== 'string') {
    outgoing.writeHead(403).end();
    return;
  }
  const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
  const request = new Request(url, {
    method: incoming.method ?? 'GET',
    headers: toOriginalHeaders(incoming.rawHeaders),
    ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' } : {}),
  });
  const response = await found(request);
  outgoing.writeHead(response.status, response.statusText, [...response.headers].flat());
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body), outgoing);
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
