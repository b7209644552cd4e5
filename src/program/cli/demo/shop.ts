/** The application behind the demo: pages of a shop, a blog and an API. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export class Shop implements AsyncDisposable {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async open(): Promise<Shop> {
    const server = createServer((request, response) => {
      request.resume();
      const { pathname } = new URL(request.url ?? '/', 'http://shop.example');
      const isMissing = /\.(?:php|env)$|^\/\.git|^\/admin/.test(pathname);
      response.writeHead(isMissing ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(
        isMissing ? 'There is no such page.\n' : `<h1>Teapots</h1><p>${request.headers.host ?? ''}</p>\n`,
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new Shop(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
