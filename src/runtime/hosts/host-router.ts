/**
 * How a call finds its object from one process of a runtime: an object of this process is called directly, any other
 * through a link to its host. There is one link from each process to each host that it calls, made at the first call.
 *
 * Calls wait for a host that is restarting, and leave when it is ready. Calls in progress when it ended are rejected,
 * and so are later calls through the stubs that were used before; another stub reaches the object.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { BackOff, realClock } from '#base';
import { startOwn } from '#work';
import {
  type DurableObjectId,
  DurableObjectNamespace,
  IdFactory,
  addressOf,
  callingSide,
  createObjectStub,
} from '#objects';
import {
  type Address,
  type LinkEntry,
  Link,
  type LinkOptions,
  type Stub,
  createStub,
  LocalEntry,
  outside,
} from '#rpc';
import { connectMsMax, connectMsMin, unreachableMsMax } from './limits.ts';
import type { PlainObjectId } from './runtime/questions.ts';
import type { Port } from './runtime/port.ts';
import { placeObject } from './placement.ts';
import { RemoteEntry } from './remote-entry.ts';

/** The first byte that a host sends. */
const greeting = Buffer.of(1);

const connectDelays = { msMin: connectMsMin, msMax: connectMsMax };

interface LinkWait {
  /** How long to wait for the other process. */
  readonly msMax: number;
  /** Called when the other process did not appear, before the link is closed. */
  readonly onGivenUp: () => void;
}

/**
 * Connects a link once the listening process has sent the greeting: the socket of a process that is being ended still
 * accepts connections, and data sent to it would be lost.
 */
export function connectLink(link: Link, path: string, { msMax, onGivenUp }: LinkWait): void {
  const backOff = new BackOff(connectDelays);
  const beganMs = performance.now();
  const tryOnce = (): void => {
    if (link.isBroken) return;
    const socket = startOwn(() => connect(path));
    // The `close` event also reports its errors.
    socket.on('error', () => {});
    const retry = (): void => {
      if (performance.now() - beganMs > msMax) {
        onGivenUp();
        return link.close();
      }
      realClock.setTimer(realClock.now() + backOff.next(), tryOnce);
    };
    socket.once('close', retry);
    socket.once('data', (bytes: Buffer) => {
      socket.off('close', retry);
      socket.pause();
      if (bytes.length > greeting.length) socket.unshift(bytes.subarray(greeting.length));
      link.attach(socket);
      socket.resume();
    });
  };
  tryOnce();
}

/** The other end of `connectLink`. */
export function acceptLink(link: Link, socket: Socket): void {
  socket.write(greeting);
  link.attach(socket);
}

/** A class, with what every process of the runtime knows about it. */
export interface HostedClass {
  readonly name: string;
  /** The key that ids are derived from. */
  readonly uniqueKey: string;
  readonly storage: 'kv' | 'sql';
}

/** A listening process: a host by its number, or the process that has started them. */
type ListeningProcess = number | 'main';

export interface HostRouterParts {
  /** The folder of the hosts' sockets. */
  readonly sockets: string;
  readonly hosts: number;
  readonly classes: readonly HostedClass[];
  /** In a host: its number, and what answers calls of its objects and of the main process. */
  readonly here?: {
    readonly host: number;
    readonly openEntry: (id: DurableObjectId) => LinkEntry;
    readonly port: () => object;
  };
  /** In the main process: what code in the hosts can call, by name. */
  readonly services?: Readonly<Record<string, object>>;
  /** In the main process, which ends hosts: the error for callers of an object then; undefined for the default. */
  readonly explainLoss?: (host: number, address: Address) => Error | undefined;
  /** In the main process: called before a host is connected to. */
  readonly onCall?: () => void;
  readonly log: (message: string, error?: unknown) => void;
}

function describeListener(listener: ListeningProcess): string {
  return listener === 'main' ? 'the process that has started the hosts' : `host ${listener}`;
}

export function socketPath(sockets: string, listener: ListeningProcess): string {
  return join(sockets, `${listener}.sock`);
}

export class HostRouter implements Disposable {
  readonly #parts: HostRouterParts;
  #classes!: ReadonlyMap<string, HostedClass & { readonly ids: IdFactory }>;
  /** Links to the processes that were called. */
  readonly #links = new Map<ListeningProcess, Link>();
  /** The port of each host, with its link. */
  readonly #ports = new Map<number, { readonly link: Link; readonly port: Port }>();
  /** Links from the processes that call this one. */
  readonly #accepted = new Set<Link>();
  /** Runs work for all objects outside the context of the object that happens to call first. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #isClosed = false;

  constructor(parts: HostRouterParts) {
    this.#parts = parts;
    this.useClasses(parts.classes);
  }

  /** Uses other classes from now on. */
  useClasses(classes: readonly HostedClass[]): void {
    const entries = classes.map((each) => ({ ...each, ids: new IdFactory(each.name, each.uniqueKey) }));
    this.#classes = new Map(entries.map((entry) => [entry.name, entry]));
  }

  listClasses(): HostedClass[] {
    return Array.from(this.#classes.values(), ({ name, uniqueKey, storage }) => ({
      name,
      uniqueKey,
      storage,
    }));
  }

  get classNames(): string[] {
    return [...this.#classes.keys()];
  }

  storageOf(className: string): 'kv' | 'sql' {
    return this.#class(className).storage;
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    const { ids } = this.#class(className);
    return new DurableObjectNamespace<T>({ ids, open: (id) => this.#open(id) });
  }

  /** A stub of what the main process offers under this name. */
  service(name: string): Stub {
    return createStub(new RemoteEntry(() => this.linkTo('main'), { service: name }), callingSide, {
      own: {},
    });
  }

  /** The interface to a host itself. */
  portOf(host: number): Port {
    const link = this.linkTo(host);
    const known = this.#ports.get(host);
    if (known?.link === link) return known.port;
    const port = createStub(new RemoteEntry(() => link, { part: 'runtime' }), outside, { own: {} }) as Port;
    this.#ports.set(host, { link, port });
    return port;
  }

  findId({ className, id, name }: PlainObjectId): DurableObjectId {
    return this.#class(className).ids.fromAddress(id, name);
  }

  /** Serves a process that has connected. */
  accept(socket: Socket): void {
    const link = new Link(this.#linkOptions());
    acceptLink(link, socket);
    this.#accepted.add(link);
    void link.closed.then((fault) => {
      this.#accepted.delete(link);
      this.#reportFault(fault, 'another process of this runtime');
    });
  }

  /** The link to another process: the existing one, or another if that is broken. */
  linkTo(listener: ListeningProcess): Link {
    const present = this.#links.get(listener);
    if (present?.isBroken === false) return present;
    const link = new Link({
      ...this.#linkOptions(),
      explainLoss: (address) =>
        listener === 'main' ? undefined : this.#parts.explainLoss?.(listener, address),
    });
    this.#links.set(listener, link);
    if (!this.#isClosed) this.#apart(() => this.#parts.onCall?.());
    void link.closed.then((fault) => this.#reportFault(fault, describeListener(listener)));
    if (this.#isClosed) link.close();
    else this.#apart(() => this.#connect(link, listener));
    return link;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const link of [...this.#links.values(), ...this.#accepted]) link.close();
  }

  /** A host that does not return is given up, and its callers get an error. */
  #connect(link: Link, listener: ListeningProcess): void {
    connectLink(link, socketPath(this.#parts.sockets, listener), {
      msMax: unreachableMsMax,
      onGivenUp: () => {
        const seconds = unreachableMsMax / 1_000;
        this.#parts.log(
          `${describeListener(listener)} did not answer for ${seconds} s; its callers get an error`,
        );
      },
    });
  }

  #reportFault(fault: Error | undefined, peer: string): void {
    if (fault === undefined) return;
    this.#parts.log(`ended the connection with ${peer}, because what it sent could not be understood`, fault);
  }

  #linkOptions(): LinkOptions {
    return {
      openEntry: (address) => this.#openEntry(address),
      createEntryStub: (address, holder) => {
        if (address['service'] !== undefined) return this.service(address['service']) as object;
        const id = this.#idOf(address);
        return createObjectStub(id, this.#open(id), holder) as object;
      },
    };
  }

  /** The target in this process that another process requests. */
  #openEntry(address: Address): LinkEntry {
    const { here, services = {} } = this.#parts;
    const { part, service } = address;
    if (part === 'runtime' && here !== undefined) return new LocalEntry(here.port);
    if (service !== undefined) {
      return new LocalEntry(() => {
        if (Object.hasOwn(services, service)) return services[service]!;
        throw new TypeError(`there is no service ${service}: there are ${Object.keys(services).join(', ')}`);
      });
    }
    if (here === undefined) throw new Error('there are no objects in this process');
    return here.openEntry(this.#idOf(address));
  }

  #open(id: DurableObjectId): LinkEntry {
    const { here, hosts } = this.#parts;
    const host = placeObject(id.toString(), hosts);
    return host === here?.host ? here.openEntry(id) : new RemoteEntry(() => this.linkTo(host), addressOf(id));
  }

  #idOf({ className, id, name }: Address): DurableObjectId {
    if (className === undefined || id === undefined || !/^[0-9a-f]{64}$/.test(id))
      throw new TypeError('an object is named by its class and its id');
    return this.findId({ className, id, name });
  }

  #class(className: string): HostedClass & { readonly ids: IdFactory } {
    const entry = this.#classes.get(className);
    if (entry === undefined)
      throw new TypeError(
        `there is no class ${className} in this runtime: it has ${this.classNames.join(', ')}`,
      );
    return entry;
  }
}
