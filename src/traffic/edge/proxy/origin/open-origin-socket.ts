/**
 * Opens connections to origins: resolves the name, checks the address policy, connects and verifies TLS, within one
 * deadline.
 */
import { isIP, type Socket } from 'node:net';
import { checkServerIdentity, type ConnectionOptions, connect as connectTls } from 'node:tls';
import { findWorkerSocket, otherSockets } from '#base';
import { awaitWorker, workerWaitMsMax } from '#files';
import type { Origin } from '../../wire/exchange.ts';
import { Refusal } from '../../wire/refusal.ts';
import type { AddressPolicy } from './address-policy.ts';
import { connectTcp } from './connect-tcp.ts';
import type { Watchdog } from '../watchdog.ts';

/** The client certificate for an origin that asks for one, by the name of the zone. */
export type ClientCertificate = (name: string) => Pick<ConnectionOptions, 'cert' | 'key'>;

export interface OpenOptions {
  readonly policy: AddressPolicy;
  /** The sockets of Workers on this host, as `findWorkerSocket` reads them. */
  readonly workers: Readonly<Record<string, string>>;
  readonly clientCertificate: ClientCertificate | undefined;
  readonly watchdog: Watchdog;
  readonly timeoutMs: number;
}

export async function openOriginSocket(origin: Origin, options: OpenOptions): Promise<Socket | Refusal> {
  const late = new AbortController();
  const { promise, resolve } = Promise.withResolvers<Refusal>();
  const watch = options.watchdog.watch(() => {
    late.abort();
    resolve(new Refusal('origin_connect_timeout', 'The origin did not accept a connection in time.'));
  });
  // Leaves time for a Worker to restart.
  watch.within(options.timeoutMs + (origin.worker === undefined ? 0 : workerWaitMsMax));
  try {
    const connected =
      origin.worker === undefined
        ? connectToAny(origin, options, late.signal)
        : connectToWorker(origin.worker, options.workers, late.signal);
    return await Promise.race([connected, promise]);
  } finally {
    watch.end();
  }
}

/** Only the operator names the sockets of Workers, so there is no address to check. */
async function connectToWorker(
  name: string,
  sockets: OpenOptions['workers'],
  signal: AbortSignal,
): Promise<Socket | Refusal> {
  const path = findWorkerSocket(sockets, name);
  if (path === undefined) {
    return new Refusal('origin_unreachable', 'The origin did not accept a connection.', {
      text: `no Worker with the name ${name} runs on this edge: add it to the setting workers`,
    });
  }
  const attempt = (): Promise<Socket | Refusal> =>
    awaitConnection(connectTcp({ path }), {
      signal,
      event: 'connect',
      refuse: (cause) =>
        new Refusal('origin_unreachable', 'The origin did not accept a connection.', {
          text: `connection to the Worker ${name} failed: ${cause}`,
        }),
    });
  const first = await attempt();
  // Workers of the configuration have their sockets for as long as their program runs.
  const folder = Object.hasOwn(sockets, name) ? undefined : sockets[otherSockets];
  if (!(first instanceof Refusal) || folder === undefined) return first;
  return (await awaitWorker(folder, path)) ? await attempt() : first;
}

/** Tries one address after the other, until one accepts the connection. */
async function connectToAny(
  origin: Origin,
  { policy, clientCertificate }: OpenOptions,
  signal: AbortSignal,
): Promise<Socket | Refusal> {
  const shown = origin.clientName === undefined ? {} : clientCertificate?.(origin.clientName);
  const addresses = await policy.findAddresses(origin.connectTo ?? origin.host, origin.port);
  if (addresses instanceof Refusal) return addresses;
  let problem: Refusal | undefined;
  for (const address of addresses) {
    if (signal.aborted) break;
    const socket = await connectOne(origin, address, { signal, shown });
    if (!(socket instanceof Refusal)) return socket;
    problem ??= socket;
  }
  return problem ?? new Refusal('origin_unreachable', 'The origin did not accept a connection.');
}

interface OriginSocketOptions {
  readonly signal: AbortSignal;
  /** The client certificate of the edge, if there is one. */
  readonly shown: ReturnType<ClientCertificate> | undefined;
}

function connectOne(
  origin: Origin,
  address: string,
  { signal, shown }: OriginSocketOptions,
): Promise<Socket | Refusal> {
  const target = { host: address, port: origin.port, noDelay: true };
  const isTls = origin.scheme === 'https';
  const socket = isTls
    ? connectTls({ ...target, ...createTlsOptions(origin), ...shown })
    : connectTcp(target);
  let isTcpConnected = false;
  socket.once('connect', () => (isTcpConnected = true));
  return awaitConnection(socket, {
    signal,
    event: isTls ? 'secureConnect' : 'connect',
    refuse(cause) {
      const detail = { text: `connection to ${address} port ${origin.port} failed: ${cause}` };
      return isTls && isTcpConnected
        ? new Refusal('origin_tls', 'No trusted TLS connection to the origin could be made.', detail)
        : new Refusal('origin_unreachable', 'The origin did not accept a connection.', detail);
    },
  });
}

interface Awaited {
  readonly signal: AbortSignal;
  /** The event by which the socket reports that it is connected. */
  readonly event: 'connect' | 'secureConnect';
  readonly refuse: (cause: string) => Refusal;
}

function awaitConnection(socket: Socket, { signal, event, refuse }: Awaited): Promise<Socket | Refusal> {
  const { promise, resolve } = Promise.withResolvers<Socket | Refusal>();
  const abort = (): void => void socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  const fail = (error?: NodeJS.ErrnoException | boolean): void => {
    signal.removeEventListener('abort', abort);
    resolve(refuse(typeof error === 'object' ? (error.code ?? error.message) : 'closed'));
  };
  socket.once('error', fail);
  socket.once('close', fail);
  socket.once(event, () => {
    socket.off('error', fail);
    socket.off('close', fail);
    signal.removeEventListener('abort', abort);
    resolve(socket);
  });
  return promise;
}

function createTlsOptions(origin: Origin): ConnectionOptions {
  const name = origin.host.replace(/^\[(.*)\]$/, '$1');
  return {
    // An address is not a server name, but the certificate can still contain it.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...(origin.ca === undefined ? {} : { ca: origin.ca }),
    rejectUnauthorized: origin.verifyTls ?? true,
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
    ALPNProtocols: ['http/1.1'],
  };
}
