/** Connections between the hosts of a cluster: one link from each host to each that it calls, made at the first call. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { Link, type LinkOptions, outside } from '#rpc';
import type { LeaseClock } from '../lease-clock.ts';
import { acceptHost, greetHost } from './handshake.ts';

export interface Listen {
  /** The address to listen on; that of the loopback device by default, which is for hosts on one machine. */
  readonly host?: string;
  /** A free one by default. */
  readonly port?: number;
  /** Where other hosts reach this one, if it is not where it listens. */
  readonly advertise?: string;
}

interface PeerParts {
  readonly secret: Buffer;
  readonly clock: LeaseClock;
  /** This host. */
  readonly id: () => string;
}

export class Peers {
  /** Where other hosts reach this one: a machine, a colon and a port. */
  readonly address: string;
  readonly #parts: PeerParts;
  readonly #server: Server;
  readonly #links = new Map<string, Promise<Link>>();
  readonly #accepted = new Set<Link>();
  readonly #early: Socket[] = [];
  /** Runs what serves every object, and so must not count as work of the one that happens to call first. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #options: LinkOptions | undefined;
  #isClosed = false;

  private constructor(server: Server, parts: PeerParts, advertise: string | undefined) {
    const { address, port } = server.address() as AddressInfo;
    this.address = advertise ?? `${address.includes(':') ? `[${address}]` : address}:${port}`;
    this.#server = server;
    this.#parts = parts;
    server.on('connection', (socket) => this.#accept(socket));
  }

  static async listen({ host = '127.0.0.1', port = 0, advertise }: Listen, parts: PeerParts): Promise<Peers> {
    const server = createServer();
    server.listen({ host, port });
    await once(server, 'listening');
    return new Peers(server, parts, advertise);
  }

  /** Begins to answer. Connections that came before have waited. */
  serve(options: LinkOptions): void {
    this.#options = options;
    for (const socket of this.#early.splice(0)) this.#accept(socket);
  }

  /** The link to a host, connected; the one that is there, or another if that is broken. */
  async linkTo({ id, address }: { readonly id: string; readonly address: string }): Promise<Link> {
    const present = this.#links.get(id);
    if (present !== undefined) {
      const link = await present;
      if (!link.isBroken) return link;
    }
    const connecting = this.#apart(() => this.#connect(id, address));
    this.#links.set(id, connecting);
    connecting.catch(() => {
      if (this.#links.get(id) === connecting) this.#links.delete(id);
    });
    return await connecting;
  }

  /** Ends the links to hosts that are not among these: whoever waits for one of them is told. */
  retain(ids: ReadonlySet<string>): void {
    for (const [id, connecting] of this.#links) {
      if (ids.has(id)) continue;
      this.#links.delete(id);
      connecting.then(
        (link) => link.close(),
        () => {},
      );
    }
  }

  /** Tells every host that calls this one that it leaves; resolves when all have heard. */
  async tellLeaving(): Promise<void> {
    const told = new Set<Link>();
    for (;;) {
      const links = [...this.#accepted].filter((link) => !told.has(link));
      if (links.length === 0) return;
      const address = { leaving: this.#parts.id() };
      // One whose connection ends calls no more.
      await Promise.allSettled(links.map((link) => link.entry(address).call(outside, ['leave'], []).result));
      for (const link of links) told.add(link);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#server.close();
    this.retain(new Set());
    for (const link of this.#accepted) link.close();
    for (const socket of this.#early) socket.destroy();
  }

  async #connect(id: string, address: string): Promise<Link> {
    const { hostname, port } = new URL(`tcp://${address}`);
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), noDelay: true });
    // What is wrong with it, its end tells as well.
    socket.on('error', () => {});
    try {
      await once(socket, 'connect');
      await greetHost(socket, { ...this.#parts, id });
      if (this.#isClosed) throw new Error('this host has left the cluster');
    } catch (error) {
      socket.destroy();
      throw new Error(`could not reach host ${id} of the cluster at ${address}`, { cause: error });
    }
    const link = new Link(this.#options!);
    link.attach(socket);
    return link;
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {});
    const options = this.#options;
    if (options === undefined) {
      this.#early.push(socket);
      return;
    }
    acceptHost(socket, { ...this.#parts, id: this.#parts.id() }).then(
      () => {
        const link = new Link(options);
        socket.setNoDelay(true);
        link.attach(socket);
        this.#accepted.add(link);
        void link.closed.then(() => this.#accepted.delete(link));
      },
      () => socket.destroy(),
    );
  }
}
