/** An application behind the edge: answers every request, and records it. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export class TestOrigin implements AsyncDisposable {
  readonly #server: Server;
  readonly url: string;
  #received: ReceivedRequest[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** Answers with the status that the path begins with, as `/404/…`; 200 otherwise. */
  static async listen(): Promise<TestOrigin> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const origin = new TestOrigin(server);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const { method = '', url = '', headers } = request;
        origin.#received.push({ method, url, headers, body: Buffer.concat(pieces).toString('latin1') });
        response.statusCode = Number(/^\/([2-5]\d\d)\//.exec(url)?.[1] ?? 200);
        response.setHeader('content-type', 'text/plain');
        response.end(`origin got ${method} ${url}`);
      });
    });
    return origin;
  }

  /** The requests since the last call. */
  take(): readonly ReceivedRequest[] {
    const received = this.#received;
    this.#received = [];
    return received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
