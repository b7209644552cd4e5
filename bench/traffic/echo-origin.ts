/** An application that returns its requests as JSON; `/404…` does not exist. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class EchoOrigin implements AsyncDisposable {
  readonly port: number;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
  }

  static async listen(): Promise<EchoOrigin> {
    const server = createServer((incoming, response) => {
      incoming.resume();
      incoming.on('end', () => {
        response.statusCode = incoming.url!.startsWith('/404') ? 404 : 200;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ url: incoming.url, ...incoming.headers }));
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new EchoOrigin(server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
