/**
 * Connections between the hosts of a cluster: one link from each host to each that it calls, for each database that
 * they meet in, made at the first call. A link that is silent for two leases is closed, so that calls fail in a network
 * that drops everything as they do in one that reports errors.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AddressInfo } from 'node:net';
import type { Server, TLSSocket } from 'node:tls';
import type { Timer } from '#base';
import { beginListening } from '#listeners';
import { Link, type LinkOptions, outside } from '#rpc';
import { ClusterListenError } from '../errors.ts';
import type { LeaseClock } from '../lease-clock.ts';
import { linkAsksPerLease, linkSilentLeases } from '../limits.ts';
import { RareLog } from './rare-log.ts';
import { connectSecurely, createSecureServer } from './secure-sockets.ts';

export interface Listen {
  /** The address to listen on; by default that of the loopback device, for hosts on one machine. */
  readonly host?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Where other hosts reach this one, if not at the address it listens on. */
  readonly advertise?: string;
}

interface PeerParts {
  readonly clock: LeaseClock;
  readonly leaseMs: number;
  /** The ids of this host in the databases. */
  readonly ids: () => readonly string[];
  /** The secret of this host under one of these ids; undefined for any other id. */
  readonly secretOf: (id: string) => Buffer | undefined;
  /** Whether a host reported computing when it last renewed its lease: then it may not answer. */
  readonly isBusy: (id: string) => boolean;
  readonly log: (message: string, error?: unknown) => void;
}

/** A host to call. */
export interface Peer {
  readonly id: string;
  readonly address: string;
  readonly secret: Buffer;
  /** The database that lists it. */
  readonly database: string;
}

interface Connecting {
  readonly database: string;
  readonly link: Promise<Link>;
}

export class Peers {
  /** Where other hosts reach this one: a machine, a colon and a port. */
  readonly address: string;
  /** The address this host listens on. */
  readonly localAddress: string;
  readonly #parts: PeerParts;
  readonly #log: RareLog;
  readonly #server: Server;
  readonly #links = new Map<string, Connecting>();
  readonly #accepted = new Set<Link>();
  readonly #early: TLSSocket[] = [];
  /** Runs work for all objects outside the context of the object that happens to call first. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #options: LinkOptions | undefined;
  #isClosed = false;

  private constructor(server: Server, parts: PeerParts, advertise: string | undefined) {
    const { address, port } = server.address() as AddressInfo;
    this.localAddress = `${address.includes(':') ? `[${address}]` : address}:${port}`;
    // Port 0 stands for the port that was assigned.
    this.address = advertise?.replace(/:0$/, `:${port}`) ?? this.localAddress;
    this.#server = server;
    this.#parts = parts;
    this.#log = new RareLog(parts.log, parts.clock);
    server.on('secureConnection', (socket) => this.#accept(socket));
    server.on('tlsClientError', (error, socket) => this.#refuse(error, socket));
  }

  static async listen({ host = '127.0.0.1', port = 0, advertise }: Listen, parts: PeerParts): Promise<Peers> {
    const server = createSecureServer(parts.secretOf);
    try {
      await beginListening(server, { host, port });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new ClusterListenError({ host, port }, code ?? String(error), { cause: error });
    }
    return new Peers(server, parts, advertise);
  }

  /** Begins to answer, including connections that arrived earlier and waited. */
  serve(options: LinkOptions): void {
    this.#options = options;
    for (const socket of this.#early.splice(0)) this.#accept(socket);
  }

  /** The connected link to a host: the existing one, or another if that is broken. */
  async linkTo(peer: Peer): Promise<Link> {
    const { id, database } = peer;
    const present = this.#links.get(id);
    if (present !== undefined) {
      const link = await present.link;
      if (!link.isBroken) return link;
    }
    const link = this.#apart(() => this.#connect(peer));
    const connecting = { database, link };
    this.#links.set(id, connecting);
    link.catch(() => {
      if (this.#links.get(id) === connecting) this.#links.delete(id);
    });
    return await link;
  }

  /** Closes the links to hosts of a database that are not in `ids`; calls that wait for one of them fail. */
  retain(database: string, ids: ReadonlySet<string>): void {
    for (const [id, connecting] of this.#links)
      if (connecting.database === database && !ids.has(id)) this.#drop(id, connecting);
  }

  /**
   * Notifies every host that calls this one that it leaves; resolves when all have answered. From then on no host can
   * connect: a host that looks for an object finds it elsewhere.
   */
  async announceLeaving(): Promise<void> {
    this.#server.close();
    const told = new Set<Link>();
    for (;;) {
      const links = [...this.#accepted].filter((link) => !told.has(link));
      if (links.length === 0) return;
      const address = { leaving: this.#parts.ids().join(' ') };
      // A host whose connection ends makes no more calls.
      await Promise.allSettled(links.map((link) => link.entry(address).call(outside, ['leave'], []).result));
      for (const link of links) told.add(link);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#server.close();
    for (const [id, connecting] of this.#links) this.#drop(id, connecting);
    for (const link of this.#accepted) link.close();
    for (const socket of this.#early) socket.destroy();
  }

  #drop(id: string, { link }: Connecting): void {
    this.#links.delete(id);
    link.then(
      (each) => each.close(),
      () => {},
    );
  }

  async #connect({ id, address, secret }: Peer): Promise<Link> {
    const { hostname, port } = new URL(`tcp://${address}`);
    const target = { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
    let socket: TLSSocket;
    try {
      socket = await connectSecurely(target, { id, secret, clock: this.#parts.clock });
    } catch (error) {
      const message = `could not reach host ${id} of the cluster at ${address}`;
      this.#log.say('unreachable', `${message}; trying again with the next call`, error);
      throw new Error(message, { cause: error });
    }
    if (this.#isClosed) {
      socket.destroy();
      throw new Error('this host has left the cluster');
    }
    const link = new Link(this.#options!);
    link.attach(socket);
    this.#watch(link, id, `host ${id} of the cluster at ${address}`);
    return link;
  }

  /** Checks repeatedly that the other host responds. A host that is computing reports that with its lease. */
  #watch(link: Link, id: string, peer: string): void {
    const { clock, isBusy, leaseMs } = this.#parts;
    let heardAt = clock.now();
    // If it was this host that did not run, an answer may be waiting here to be read.
    let turns = 0;
    let isAsking = false;
    let timer: Timer | undefined;
    const host = link.entry({ alive: '' });
    const hear = (): void => {
      heardAt = clock.now();
      turns = 0;
    };
    const ask = (): void => {
      if (isBusy(id)) hear();
      const silentMs = clock.now() - heardAt;
      turns++;
      if (silentMs > linkSilentLeases * leaseMs && turns > linkSilentLeases * linkAsksPerLease) {
        const text = `${peer} was silent for ${Math.round(silentMs)} ms; closed the connection to it and failed its unanswered calls`;
        this.#log.say('silent', text);
        return link.close();
      }
      if (!isAsking) {
        isAsking = true;
        const answered = (): void => {
          isAsking = false;
          hear();
        };
        host.call(outside, ['alive'], []).result.then(answered, answered);
      }
      timer = clock.setTimer(leaseMs / linkAsksPerLease, ask);
    };
    ask();
    void link.closed.then((fault) => {
      timer?.cancel();
      this.#reportFault(fault, peer);
    });
  }

  /** A correct host never sends this, so the peer runs another version. */
  #reportFault(fault: Error | undefined, peer: string): void {
    if (fault === undefined) return;
    const text = `ended the connection with ${peer}, because this version does not understand what it sent; run the same version on all hosts`;
    this.#log.say('broken', text, fault);
  }

  /** For a client that does not know the secret, or that means another host: closing the connection is its answer. */
  #refuse(error: NodeJS.ErrnoException, socket: TLSSocket): void {
    const { remoteAddress } = socket;
    socket.destroy();
    // The client only checked whether the port is open.
    if (error.code === 'ECONNRESET') return;
    const text = `refused a connection from ${remoteAddress}: it does not have the secret of this cluster, or wants a host that is no longer here`;
    this.#log.say('refused', text, error);
  }

  #accept(socket: TLSSocket): void {
    socket.on('error', () => {});
    const options = this.#options;
    if (options === undefined) {
      this.#early.push(socket);
      return;
    }
    const link = new Link(options);
    link.attach(socket);
    this.#accepted.add(link);
    const peer = `the host of the cluster that calls from ${socket.remoteAddress}`;
    void link.closed.then((fault) => {
      this.#accepted.delete(link);
      this.#reportFault(fault, peer);
    });
  }
}
