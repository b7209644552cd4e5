/** Opening and closing listeners. */
import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

type Server = HttpServer | HttpsServer;

/** Answers with the URL, the port that was found in it. */
export async function listen(
  server: Server,
  { host, port, scheme = 'http' }: { readonly host: string; readonly port: number; readonly scheme?: string },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, host, resolve);
  await promise;
  server.off('error', reject);
  const { port: found } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${found}`;
}

/** Stops accepting, waits for the answers under way, at most so long, and closes every connection. */
export async function closeServer(server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMs);
  await promise;
  clearTimeout(timer);
}

/** Every address of loopback stands for all of them. */
export function endpointOf(url: string): { readonly address: string; readonly port: number } {
  const { hostname, port } = new URL(url);
  const address = hostname === 'localhost' ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1');
  return { address, port: Number(port) };
}
