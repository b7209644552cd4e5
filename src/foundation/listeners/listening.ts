/** Opens and closes listeners. */
import type { Server as HttpServer, ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { emptyAcceptQueues } from './accept-queue.ts';
import { beginListening } from './begin-listening.ts';

/** How long to wait for the first request of a new connection after closing: its client may be about to send one. */
const firstRequestMs = 500;

/** How often a closing listener looks for connections whose answer has been sent. */
const idleCheckMs = 50;

type WebServer = HttpServer | HttpsServer;

export interface Listening {
  /** With the actual port. */
  readonly url: string;
  /**
   * Stops accepting and answers everything that was sent: requests in progress, and those whose bytes have arrived,
   * even on connections that were not accepted yet. A connection without a request is closed, a new one only if nothing
   * arrives on it for a moment. The rest is disconnected after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** A bound socket, instead of the address. */
  readonly handle?: object | undefined;
  readonly scheme?: string;
}

export async function listen(server: WebServer, options: ListenOptions): Promise<Listening> {
  const { host, port, handle, scheme = 'http' } = options;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await beginListening(server, handle ?? { port, host });
  // A Unix domain socket has no port.
  const address = server.address();
  const found = typeof address === 'object' ? (address?.port ?? port) : port;
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${found}`;
  return { url, close: (graceMs) => drain(server, sockets, graceMs) };
}

async function drain(server: WebServer, sockets: ReadonlySet<Socket>, graceMs: number): Promise<void> {
  const answerLast = (_incoming: unknown, outgoing: ServerResponse): void => {
    outgoing.shouldKeepAlive = false;
  };
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, answerLast);
  await emptyAcceptQueues([server]);
  const { promise, resolve } = Promise.withResolvers<void>();
  // This also closes connections between two requests.
  server.close(() => resolve());
  const destroy = (isGone: (socket: Socket) => boolean): void => {
    for (const socket of sockets) if (isGone(socket)) socket.destroy();
  };
  const timers = [
    setTimeout(() => destroy(({ bytesRead }) => bytesRead === 0), Math.min(firstRequestMs, graceMs)),
    setTimeout(() => destroy(() => true), graceMs),
    // An answer whose head was sent earlier does not close its connection.
    setInterval(() => server.closeIdleConnections(), idleCheckMs),
  ];
  await promise;
  for (const timer of timers) clearTimeout(timer);
}

/** Every loopback address represents all of them. */
export function endpointOf(url: string): { readonly address: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1');
  return { address, port: Number(port) };
}

/** The port of an HTTP URL, which omits the default port of its scheme. */
export function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}
