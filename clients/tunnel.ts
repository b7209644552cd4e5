/**
 * An HTTP proxy that knows one host: the API. Some clients have no setting for the address of the API; they all honour
 * HTTPS_PROXY, and the server shows a certificate for the name. Every other host is refused, so that nothing of a run
 * can leave this machine unnoticed.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** The name under which clients without a setting look for the API. */
export const apiName = 'api.cloudflare.com';

export class Tunnel implements AsyncDisposable {
  readonly url: string;
  readonly #server: Server;
  readonly #clients: ReadonlySet<Duplex>;

  private constructor(server: Server, clients: ReadonlySet<Duplex>) {
    this.#server = server;
    this.#clients = clients;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async open(httpsPort: number): Promise<Tunnel> {
    const clients = new Set<Duplex>();
    const server = createServer((_, response) => response.writeHead(405).end());
    server.on('connect', (request, client) => {
      clients.add(client);
      client.on('error', () => client.destroy());
      client.on('close', () => clients.delete(client));
      if (request.url !== `${apiName}:443`) {
        client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      const upstream = connect(httpsPort, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on('error', () => client.destroy());
      client.on('close', () => upstream.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Tunnel(server, clients);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The server cannot close a connection that was handed over, although it keeps the server open.
    for (const client of this.#clients) client.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
