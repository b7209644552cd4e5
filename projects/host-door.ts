/** An address of this machine that leads to one host name of an edge, for clients that look names up. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';

export class HostDoor implements AsyncDisposable {
  readonly #server: Server;
  readonly url: string;
  /** Where requests go. */
  host = '';

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(edge: string): Promise<HostDoor> {
    const { hostname, port } = new URL(edge);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const door = new HostDoor(server, `http://127.0.0.1:${(server.address() as { port: number }).port}`);
    server.on('request', (incoming, response) => {
      const { method, url, headers } = incoming;
      const outgoing = request({
        hostname,
        port,
        method,
        path: url,
        headers: { ...headers, host: door.host },
      });
      outgoing.on('response', (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        pipeline(answer, response, () => {});
      });
      outgoing.on('error', () => response.destroy());
      pipeline(incoming, outgoing, () => {});
    });
    server.on('upgrade', (incoming: IncomingMessage, socket, head: Buffer) => {
      const edgeSocket = connect(Number(port), hostname);
      const fields = Object.entries({ ...incoming.headers, host: door.host });
      const lines = [
        `GET ${incoming.url} HTTP/1.1`,
        ...fields.map(([name, value]) => `${name}: ${String(value)}`),
      ];
      edgeSocket.write(`${lines.join('\r\n')}\r\n\r\n`);
      edgeSocket.write(head);
      pipeline(socket, edgeSocket, socket, () => {});
    });
    return door;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
