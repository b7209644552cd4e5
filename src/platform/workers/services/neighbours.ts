/**
 * The other Workers of the account, each in a process of its own on this machine: their entry points and their objects,
 * called through the socket of each Worker, and their calls to this one.
 *
 * - Calls wait for a Worker that is being replaced. It notifies its callers before it ends, so that later calls go to
 *   its successor, and it completes the calls that it has started.
 * - Objects belong to the Worker that has their class: it runs them, whichever Worker calls.
 * - Stubs of objects and of entry points refer to their own Worker, however many Workers they were passed through.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { neighbourSocketPath } from '#base';
import { beginListening } from '#listeners';
import { startOwn } from '#work';
import { acceptLink, connectLink, RemoteEntry } from '#hosts';
import { createObjectStub, DurableObjectNamespace, IdFactory, RpcTarget } from '#objects';
import {
  type Address,
  Capability,
  createStub,
  Link,
  type LinkEntry,
  outside,
  type RemoteCall,
  type Side,
  type Stub,
} from '#rpc';
import type { ObjectsElsewhere } from '../config/services.ts';
import { neighbourMsMax } from '../limits.ts';
import type { ServiceTarget } from './service-entry.ts';
import { createFetcher } from './service-stub.ts';

export interface NeighboursOptions {
  /** The name of this Worker. */
  readonly name: string;
  /** The folder of the sockets. */
  readonly folder: string;
  readonly warn: (text: string) => void;
}

/** The parts of this Worker that others can call. */
export interface OwnEntries {
  openService(target: Pick<ServiceTarget, 'entrypoint' | 'props'>): LinkEntry;
  /** Throws if there is no class with this key. */
  openObject(key: string, id: string, name: string | undefined): LinkEntry;
  keyOf(className: string): string | undefined;
  /** Calls of others in progress. */
  readonly callsOpen: number;
}

const retireMs = 10;

export class Neighbours implements Disposable {
  readonly #options: NeighboursOptions;
  readonly #links = new Map<string, Link>();
  readonly #accepted = new Set<Link>();
  /** Runs work for all callers, so that it does not count as work of the first caller. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #own: OwnEntries | undefined;
  #server: Server | undefined;
  #isClosed = false;

  constructor(options: NeighboursOptions) {
    this.#options = options;
  }

  /** Accepts calls of other Workers. */
  async listen(own: OwnEntries): Promise<void> {
    this.#own = own;
    const path = neighbourSocketPath(this.#options.folder, this.#options.name);
    const server = startOwn(() =>
      createServer((socket) => {
        const link = new Link(this.#describeLink(() => {}));
        acceptLink(link, socket);
        this.#accepted.add(link);
        void link.closed.then((fault) => {
          this.#accepted.delete(link);
          if (fault !== undefined) this.#reportFault('another Worker', fault);
        });
      }),
    );
    this.#server = server;
    // Left behind by a previous process that was killed.
    rmSync(path, { force: true });
    await beginListening(server, { path });
  }

  openService({ service: worker, entrypoint, props }: ServiceTarget): Stub {
    const address = { worker, entrypoint, props: JSON.stringify(props) };
    return createFetcher(new NeighbourEntry(() => this.#linkTo(worker), address));
  }

  openNamespace({ worker, uniqueKey }: ObjectsElsewhere): DurableObjectNamespace {
    return new DurableObjectNamespace({
      ids: new IdFactory(uniqueKey, uniqueKey),
      open: (id) => this.#openObject({ worker, key: uniqueKey, id: id.toString(), name: id.name }),
    });
  }

  /** Redirects callers to the successor, and waits for calls in progress. */
  async retire({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const endMs = performance.now() + graceMs;
    this.#server?.close();
    for (const link of this.#accepted)
      void (createStub(link.entry({ part: 'caller' }), outside, { own: {} }) as Caller)
        .retire()
        .catch(() => {});
    while ((this.#own?.callsOpen ?? 0) > 0 && performance.now() < endMs) await delay(retireMs);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#server?.close();
    for (const link of [...this.#links.values(), ...this.#accepted]) link.close();
  }

  #openObject(address: ObjectAddress): LinkEntry {
    return new RemoteEntry(() => this.#linkTo(address.worker), address);
  }

  #linkTo(worker: string): Link {
    const present = this.#links.get(worker);
    if (present?.isBroken === false) return present;
    const link: Link = new Link({
      ...this.#describeLink(() => {
        if (this.#links.get(worker) === link) this.#links.delete(worker);
      }),
      explainLoss: () => (wasReached ? undefined : new Error(`the Worker "${worker}" does not run`)),
    });
    let wasReached = true;
    this.#links.set(worker, link);
    void link.closed.then((fault) => {
      if (fault !== undefined) this.#reportFault(`the Worker ${worker}`, fault);
    });
    if (this.#isClosed) link.close();
    else
      this.#apart(() =>
        connectLink(link, neighbourSocketPath(this.#options.folder, worker), {
          msMax: neighbourMsMax,
          onGivenUp: () => (wasReached = false),
        }),
      );
    return link;
  }

  #describeLink(onRetired: () => void): ConstructorParameters<typeof Link>[0] {
    return {
      openEntry: (address) =>
        address['part'] === 'caller' ? new CallerEntry(onRetired) : this.#openOwn(address),
      createEntryStub: (address, holder) => this.#createStub(address, holder),
      qualify: (address) => this.#qualify(address),
    };
  }

  /** A part of this Worker that another Worker requested. */
  #openOwn(address: Address): LinkEntry {
    const { worker, entrypoint, props = '{}' } = address;
    const own = this.#own;
    if (own === undefined || worker !== this.#options.name)
      throw new Error(`the Worker "${worker}" is not in this process`);
    if (isOfObject(address)) return own.openObject(address.key, address.id, address.name);
    return own.openService({ entrypoint, props: JSON.parse(props) as object });
  }

  /** The stub of something that another Worker passes, whichever Worker owns it. */
  #createStub(address: Address, holder: Side): object {
    const { worker = '' } = address;
    const isHere = worker === this.#options.name;
    if (isOfObject(address)) {
      const id = new IdFactory(address.key, address.key).fromAddress(address.id, address.name);
      const entry = isHere ? this.#openOwn(address) : this.#openObject(address);
      return createObjectStub(id, entry, holder) as object;
    }
    const entry = isHere ? this.#openOwn(address) : new NeighbourEntry(() => this.#linkTo(worker), address);
    return createFetcher(entry) as object;
  }

  /** Other Workers identify objects of this Worker by its name. */
  #qualify(address: Address): Address {
    const { className, id, name } = address;
    if (className === undefined) return address;
    return { worker: this.#options.name, key: this.#own?.keyOf(className), id, name };
  }

  #reportFault(peer: string, { message }: Error): void {
    this.#options.warn(
      `ended the connection with ${peer}, because what it sent could not be understood: ${message}`,
    );
  }
}

interface ObjectAddress extends Address {
  readonly worker: string;
  readonly key: string;
  readonly id: string;
  readonly name: string | undefined;
}

function isOfObject(address: Address): address is ObjectAddress {
  const { key, id } = address;
  return key !== undefined && id !== undefined && /^[0-9a-f]{64}$/.test(id);
}

/** Names of Workers have no colon. */
/** An entry point of another Worker, through the current link: a binding outlives many processes of that Worker. */
class NeighbourEntry implements LinkEntry {
  readonly address: Address;
  readonly #linkTo: () => Link;
  #bound: { readonly link: Link; readonly entry: ReturnType<Link['entry']> } | undefined;

  constructor(linkTo: () => Link, address: Address) {
    this.#linkTo = linkTo;
    this.address = address;
  }

  hold(): void {}
  release(): void {}

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#entry.call(holder, path, args);
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return this.#entry.fetch(holder, request);
  }

  get #entry(): ReturnType<Link['entry']> {
    const link = this.#linkTo();
    if (this.#bound?.link !== link) this.#bound = { link, entry: link.entry(this.address) };
    return this.#bound.entry;
  }
}

interface Caller {
  retire(): Promise<void>;
}

/** Notifications of a Worker to its callers. */
class CallerEntry extends Capability implements LinkEntry {
  constructor(onRetired: () => void) {
    super({ owner: outside, target: () => new CallerPort(onRetired), reserved: new Set(['fetch']) });
  }

  fetch(): Promise<Response> {
    return Promise.reject(new TypeError('a caller has no fetch()'));
  }
}

class CallerPort extends RpcTarget {
  readonly #onRetired: () => void;

  constructor(onRetired: () => void) {
    super();
    this.#onRetired = onRetired;
  }

  retire(): void {
    this.#onRetired();
  }
}
