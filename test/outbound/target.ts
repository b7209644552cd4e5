/**
 * The service that a Worker must not reach: on this machine, over TCP, UDP and a Unix socket. It counts connections.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export class Target {
  readonly port: number;
  readonly socket: string;
  readonly #count: () => number;

  private constructor(parts: {
    readonly port: number;
    readonly socket: string;
    readonly count: () => number;
  }) {
    this.port = parts.port;
    this.socket = parts.socket;
    this.#count = parts.count;
  }

  static async start(t: TestContext, directory: string): Promise<Target> {
    let reached = 0;
    const serve = async (...place: [number, string] | [string]): Promise<Server> => {
      const server = createServer((incoming, outgoing) => {
        // Each request is a connection, and counts.
        outgoing.shouldKeepAlive = false;
        const to = new URL(incoming.url!, 'http://a').searchParams.get('to');
        if (to === null) outgoing.setHeader('content-type', 'text/event-stream').end('reached');
        else outgoing.writeHead(302, { location: to }).end();
      });
      server.on('connection', () => (reached += 1));
      server.listen(...(place as [number, string]));
      await once(server, 'listening');
      t.after(() => {
        server.closeAllConnections();
        server.close();
      });
      return server;
    };
    const first = await serve(0, '127.0.0.1');
    const { port } = first.address() as AddressInfo;
    await serve(port, '::1').catch(() => {});
    const socket = join(directory, 'service');
    await serve(socket);
    const datagrams = createSocket('udp4').bind(port, '127.0.0.1');
    datagrams.on('message', () => (reached += 1));
    await once(datagrams, 'listening');
    t.after(() => datagrams.close());
    return new Target({ port, socket, count: () => reached });
  }

  /** Connections and datagrams since the start. */
  get reached(): number {
    return this.#count();
  }
}
