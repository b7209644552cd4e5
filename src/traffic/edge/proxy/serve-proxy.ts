/**
 * The reverse proxy: listens, parses requests strictly, calls the judge, and forwards requests that may pass.
 * `../wire/request/parse-request-head.ts` says what is refused and why the parser is our own,
 * `../wire/forwarded-head.ts` what is changed on the way; `../wire/limits.ts` has all limits, `../wire/refusal.ts` all
 * statuses of our own.
 *
 * ```ts
 * await using proxy = await serveProxy({
 *   listeners: [{ port: 8080 }],
 *   judge: (request) => ({ kind: 'forward', zone: request.host, origin }),
 * });
 * ```
 */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import { IpSet } from '#addresses';
import { type Clock, realClock } from '#base';
import { beginListening, DescriptorBudget, emptyAcceptQueues } from '#listeners';
import type { Http2Limit } from '#http2';
import type { SendQuestion } from '../asking/asked-response.ts';
import { createSender } from './origin/send-question.ts';
import { type EdgeObserver, noObserver } from '../observation/edge-observer.ts';
import { type Peer, toPeer, workerPeer } from '../wire/client-address.ts';
import type { Judge } from '../wire/exchange.ts';
import {
  defaultLimits,
  defaultTimeouts,
  firstRequestMs,
  type WireLimits,
  type WireTimeouts,
} from '../wire/limits.ts';
import { type ProxiedAddresses, readProxyHeader } from '../wire/connection/proxy-header.ts';
import type { RefusalCode } from '../wire/refusal.ts';
import { AddressPolicy, type AddressPolicyOptions } from './origin/address-policy.ts';
import type { ClientCertificate } from './origin/open-origin-socket.ts';
import { type AdmittedSocket, ClientConnection } from './client-connection.ts';
import { Http2Connection } from './http2/http2-connection.ts';
import { readAhead } from './client-side/read-ahead.ts';
import { ProxyCore, type RefusedRequest } from './proxy-core.ts';
import { type Hello, isHelloComplete, readHello } from '../wire/connection/client-hello.ts';

export type MaybePromise<T> = T | Promise<T>;

export interface TlsOptions {
  /** The certificate for a name, or the default one for clients that send no name. Undefined aborts the handshake. */
  certificateFor(serverName: string | undefined): MaybePromise<SecureContext | undefined>;
  /**
   * The certificate that proves to an authority that the name is served here (RFC 8737). Undefined aborts the
   * handshake.
   */
  proofFor?(serverName: string | undefined): MaybePromise<SecureContext | undefined>;
  /** Whether clients of this name are offered HTTP/2; they are by default. It must not throw. */
  hasHttp2?(serverName: string | undefined): boolean;
}

interface ListenerOptions {
  /** Ignored if there is a `handle`. */
  readonly port: number;
  /** A bound socket, which other processes may also accept from. */
  readonly handle?: object;
  /** Loopback by default. */
  readonly host?: string;
  readonly tls?: TlsOptions;
  /** A Unix socket that only Workers on this host can reach, in place of the port. */
  readonly workerPath?: string;
}

export interface ProxyOptions {
  readonly listeners: readonly ListenerOptions[];
  readonly judge: Judge;
  /** Networks of peers whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. */
  readonly trustedProxies?: IpSet;
  /**
   * Networks of peers that start each connection with a PROXY protocol header. Their connections are refused without
   * it.
   */
  readonly proxyProtocol?: IpSet;
  readonly addresses?: AddressPolicyOptions;
  /** The sockets of Workers on this host, by name: paths. */
  readonly workers?: Readonly<Record<string, string>>;
  /** The client certificate for origins that ask for one; none by default. */
  readonly clientCertificate?: ClientCertificate;
  readonly limits?: Partial<WireLimits>;
  readonly timeouts?: Partial<WireTimeouts>;
  /** The name of the field that contains the request id for the client; `cf-ray` by default. */
  readonly requestIdHeader?: string;
  /** Part of every request id; random by default. It must differ between the processes of one installation. */
  readonly processName?: string;
  readonly onRefusal?: (refused: RefusedRequest) => void;
  /** Receives a record of each request. */
  readonly observer?: EdgeObserver;
  /** Receives what a judge threw; standard error by default. */
  readonly onError?: (error: unknown) => void;
  readonly clock?: Clock;
  /** Where uploads wait that are too long for memory; the system's directory for temporary files by default. */
  readonly uploadDirectory?: string;
}

export interface ProxyStats {
  readonly connections: number;
  /** Connections accepted since the start. */
  readonly connectionsAccepted: number;
  /** Connections refused by a limit before anything was read. */
  readonly connectionsDropped: number;
  /** Connections evicted for newer ones because they had waited longest for their client. */
  readonly connectionsEvicted: number;
  /** Connections closed because they had to start with a PROXY protocol header and did not. */
  readonly proxyHeadersRefused: number;
  readonly requests: number;
  /** Bytes of uploads on disk. */
  readonly uploadBytes: number;
  readonly originConnections: number;
  readonly originConnectionsIdle: number;
  readonly refusals: Readonly<Partial<Record<RefusalCode, number>>>;
  /** Connections that speak HTTP/2. */
  readonly http2Connections: number;
  /** How often each limit of HTTP/2 was exceeded. */
  readonly http2Limits: Readonly<Record<Http2Limit, number>>;
}

export interface ServedProxy extends AsyncDisposable {
  /** In the order of the options. */
  readonly addresses: readonly AddressInfo[];
  stats(): ProxyStats;
  /** Replaces the networks whose `X-Forwarded-For` is trusted, for later connections and requests. */
  trust(trustedProxies: IpSet): void;
  /** Asks about a visitor, over the connections to origins. */
  readonly sendQuestion: SendQuestion;
  /** Opens more listeners. */
  listen(listeners: readonly ListenerOptions[]): Promise<void>;
  /**
   * Stops accepting, and answers what was already sent: requests in progress, and those whose bytes have arrived, even
   * on connections that were not accepted yet. Requests still open after `graceMs` are cut off.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

const closeGraceMs = 10_000;

export async function serveProxy(options: ProxyOptions): Promise<ServedProxy> {
  const policy = new AddressPolicy(options.addresses);
  const descriptors = new DescriptorBudget('visitors');
  const limits = { ...defaultLimits, ...options.limits };
  const core = new ProxyCore({
    judge: options.judge,
    // A forwarded request needs another descriptor.
    limits: {
      ...limits,
      connectionsMax: Math.min(limits.connectionsMax, Math.floor(descriptors.connectionsMax / 2)),
    },
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    clock: options.clock ?? realClock,
    policy,
    workers: options.workers ?? {},
    clientCertificate: options.clientCertificate,
    trustedProxies: options.trustedProxies ?? new IpSet([]),
    requestIdHeader: (options.requestIdHeader ?? 'cf-ray').toLowerCase(),
    processName: options.processName,
    onRefusal: options.onRefusal ?? (() => {}),
    observer: options.observer ?? noObserver,
    onError: options.onError ?? ((error) => console.error(error)),
    uploadDirectory: options.uploadDirectory,
  });
  const door = new Door(core, options.proxyProtocol ?? new IpSet([]), descriptors);
  const servers: Server[] = [];
  const addresses: AddressInfo[] = [];
  const openListeners = async (listeners: readonly ListenerOptions[]): Promise<void> => {
    const opened = servers.length;
    try {
      for (const listener of listeners) servers.push(await listen(door, listener));
    } catch (error) {
      for (const server of servers) server.close();
      throw error;
    }
    for (const server of servers.slice(opened)) {
      const found = server.address() as AddressInfo | string;
      if (typeof found === 'string') continue;
      addresses.push(found);
      policy.forbid({ address: found.address, port: found.port });
    }
  };
  await openListeners(options.listeners);
  const close = ({ graceMs = closeGraceMs } = {}): Promise<void> => door.close(servers, graceMs);
  return {
    addresses,
    stats: () => door.stats(),
    trust: (trustedProxies) => (core.trustedProxies = trustedProxies),
    sendQuestion: createSender(core.pools, core.loopToken),
    listen: openListeners,
    close,
    [Symbol.asyncDispose]: () => close(),
  };
}

interface Handshake {
  readonly tls: TlsOptions;
  /** The name that the client asked for. */
  readonly name: string | undefined;
  readonly context: SecureContext | undefined;
  /** Whether the client is an authority that only checks a proof. */
  readonly isProof: boolean;
  readonly onDone: () => void;
}

/** The protocol of connections that close after the handshake. */
const proofProtocol = 'acme-tls/1';

/** The open connections. */
class Door {
  readonly #core: ProxyCore;
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Set<ClientConnection | Http2Connection>();
  #connectionsAccepted = 0;
  #connectionsDropped = 0;
  #connectionsEvicted = 0;
  #proxyHeadersRefused = 0;
  readonly #proxyProtocol: IpSet;
  readonly #descriptors: DescriptorBudget;

  constructor(core: ProxyCore, proxyProtocol: IpSet, descriptors: DescriptorBudget) {
    this.#core = core;
    this.#descriptors = descriptors;
    this.#proxyProtocol = proxyProtocol;
  }

  admit(socket: Socket, tls: TlsOptions | undefined): void {
    // The client disconnected before it was accepted.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    const peer = toPeer(socket.remoteAddress, this.#core.trustedProxies);
    const isProxied = toPeer(socket.remoteAddress, this.#proxyProtocol).isTrusted;
    this.#admit(socket, peer, { tls, isProxied });
  }

  /** A connection of a Worker on this host. */
  admitWorker(socket: Socket): void {
    this.#admit(socket, workerPeer, { tls: undefined, isProxied: false });
  }

  #admit(
    socket: Socket,
    peer: Peer,
    { tls, isProxied }: { readonly tls: TlsOptions | undefined; readonly isProxied: boolean },
  ): void {
    const counted = isProxied ? { ...peer, isTrusted: true } : peer;
    const evict = (): void => {
      this.#connectionsEvicted++;
      socket.destroy();
    };
    const { admission } = this.#core;
    const isCrowded = !this.#descriptors.allows(socket, admission.connections);
    const slot = admission.admitConnection(counted, evict, { isCrowded });
    if (slot === undefined) {
      this.#connectionsDropped++;
      return void socket.destroy();
    }
    slot.wait();
    this.#connectionsAccepted++;
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      slot.release();
    });
    const admitted = { socket, peer, slot };
    if (isProxied) this.#readHeader(admitted, tls);
    else this.#begin(admitted, tls);
  }

  #begin(admitted: AdmittedSocket, tls: TlsOptions | undefined): void {
    if (tls === undefined) this.#enter(admitted);
    else this.#secure(admitted, tls);
  }

  /** From here on, the client address is the one that the load balancer reports. */
  #readHeader(admitted: AdmittedSocket, tls: TlsOptions | undefined): void {
    const { socket, slot } = admitted;
    const watch = this.#core.watchdog.watch(() => socket.destroy());
    watch.within(this.#core.timeouts.headMs);
    socket.once('close', () => watch.end());
    let addresses: ProxiedAddresses | undefined;
    const take = (bytes: Buffer): number | undefined => {
      const header = readProxyHeader(bytes);
      if (header === 'more') return undefined;
      if (header === 'malformed') {
        this.#proxyHeadersRefused++;
        socket.destroy();
        return undefined;
      }
      addresses = header.addresses;
      return header.length;
    };
    readAhead(socket, take, () => {
      watch.end();
      if (addresses === undefined) return this.#begin(admitted, tls);
      const peer = toPeer(addresses.clientAddress, this.#core.trustedProxies);
      if (this.#core.admission.admitToAddress(slot, peer))
        return this.#begin({ ...admitted, peer, addresses }, tls);
      this.#connectionsDropped++;
      socket.destroy();
    });
  }

  #secure(admitted: AdmittedSocket, tls: TlsOptions): void {
    const { socket } = admitted;
    const watch = this.#core.watchdog.watch(() => socket.destroy());
    watch.within(this.#core.timeouts.headMs);
    socket.once('close', () => watch.end());
    readClientHello(socket, ({ name, protocols }) => {
      const isProof = protocols.length === 1 && protocols[0] === proofProtocol;
      const proceed = (context: SecureContext | undefined): void => {
        const handshake = { tls, name, context, isProof, onDone: () => watch.end() };
        if (!socket.destroyed) this.#shakeHands(admitted, handshake);
      };
      const context = findCertificate(() => (isProof ? tls.proofFor?.(name) : tls.certificateFor(name)));
      if (context instanceof Promise) context.then(proceed, () => proceed(undefined));
      else proceed(context);
    });
  }

  #shakeHands(admitted: AdmittedSocket, { tls, name, context, isProof, onDone }: Handshake): void {
    const { socket } = admitted;
    const secured = new TLSSocket(socket, {
      isServer: true,
      ALPNCallback: ({ protocols }) => (isProof ? proofProtocol : chooseProtocol(tls, name, protocols)),
      ...(context === undefined ? {} : { secureContext: context }),
      SNICallback: (asked, done) => {
        if (context === undefined || asked !== name) done(new Error('no certificate for this name'));
        else done(null, context);
      },
    });
    secured.on('error', () => socket.destroy());
    secured.once('secure', () => {
      onDone();
      if (isProof) secured.end();
      else this.#enter({ ...admitted, socket: secured });
    });
  }

  #enter(admitted: AdmittedSocket): void {
    admitted.socket.setNoDelay(true);
    const isHttp2 = admitted.socket instanceof TLSSocket && admitted.socket.alpnProtocol === 'h2';
    const Accepted = isHttp2 ? Http2Connection : ClientConnection;
    this.#connections.add(
      new Accepted(this.#core, admitted, (connection) => this.#connections.delete(connection)),
    );
  }

  stats(): ProxyStats {
    const { admission, pools, uploads } = this.#core;
    const { open, idle } = pools.countConnections();
    return {
      connections: admission.connections,
      connectionsAccepted: this.#connectionsAccepted,
      connectionsDropped: this.#connectionsDropped,
      connectionsEvicted: this.#connectionsEvicted,
      proxyHeadersRefused: this.#proxyHeadersRefused,
      requests: admission.requests,
      uploadBytes: uploads.bytes,
      originConnections: open,
      originConnectionsIdle: idle,
      refusals: this.#core.refusalCounts(),
      http2Connections: this.#connections
        .values()
        .reduce((count, each) => count + (each instanceof Http2Connection ? 1 : 0), 0),
      http2Limits: { ...this.#core.http2Limits },
    };
  }

  async close(servers: readonly Server[], graceMs: number): Promise<void> {
    this.#core.isClosing = true;
    await emptyAcceptQueues(servers);
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    for (const connection of this.#connections) if (!connection.isNew) connection.closeIfWaiting();
    const destroy = (isGone: (socket: Socket) => boolean): void => {
      for (const socket of this.#sockets) if (isGone(socket)) socket.destroy();
    };
    const timers = [
      setTimeout(() => destroy(({ bytesRead }) => bytesRead === 0), Math.min(firstRequestMs, graceMs)),
      setTimeout(() => destroy(() => true), graceMs),
    ];
    await Promise.all(closed);
    for (const timer of timers) clearTimeout(timer);
    this.#core.pools.close();
  }
}

/**
 * The protocol that both sides support; undefined aborts the handshake. Clients that offer no protocol use HTTP/1.1.
 */
function chooseProtocol(
  tls: TlsOptions,
  serverName: string | undefined,
  offered: readonly string[],
): string | undefined {
  const isHttp2 = offered.includes('h2') && tls.hasHttp2?.(serverName) !== false;
  if (isHttp2) return 'h2';
  return offered.includes('http/1.1') ? 'http/1.1' : undefined;
}

/** An exception in a callback of the operator must not crash the process. */
function findCertificate(
  find: () => MaybePromise<SecureContext | undefined>,
): MaybePromise<SecureContext | undefined> {
  try {
    return find();
  } catch {
    return undefined;
  }
}

async function listen(
  door: Door,
  { port, host = '127.0.0.1', handle, tls, workerPath }: ListenerOptions,
): Promise<Server> {
  const server = createServer((socket) =>
    workerPath === undefined ? door.admit(socket, tls) : door.admitWorker(socket),
  );
  await beginListening(server, handle ?? (workerPath === undefined ? { port, host } : { path: workerPath }));
  return server;
}

/** `onHello` is not called if the client disconnects first. */
function readClientHello(socket: Socket, onHello: (hello: Hello) => void): void {
  let hello: Hello;
  readAhead(
    socket,
    (bytes) => {
      if (!isHelloComplete(bytes)) return undefined;
      hello = readHello(bytes);
      return 0;
    },
    () => onHello(hello),
  );
}
