/**
 * How a call finds its object from one process of a runtime: an object of this process is called as ever, any other
 * through a link to its host. There is one link from each process to each host that it calls, made at the first call.
 *
 * A host that is being started again is waited for: calls made meanwhile leave when it is there. What was under way when
 * it ended is rejected, and so are later calls through the stubs that were used before; a new stub reaches the object.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Socket, connect } from 'node:net';
import { join } from 'node:path';
import { BackOff, realClock } from '#base';
import {
  type DurableObjectId,
  DurableObjectNamespace,
  IdFactory,
  addressOf,
  createObjectStub,
} from '#objects';
import { type Address, type Entry, Link, type LinkOptions, type RemoteCall, type Side } from '#rpc';
import { connectMsMax, connectMsMin } from './limits.ts';
import { placeObject } from './placement.ts';

/** What a host sends first. */
const greeting = Buffer.of(1);

const connectDelays = { msMin: connectMsMin, msMax: connectMsMax };

/** A class as every process of the runtime knows it. */
export interface HostedClass {
  readonly name: string;
  /** What ids are derived from. */
  readonly uniqueKey: string;
}

export interface RouterParts {
  /** Where the hosts listen. */
  readonly sockets: string;
  readonly hosts: number;
  readonly classes: readonly HostedClass[];
  /** In a host: which it is, and what answers for its objects. */
  readonly here?: { readonly host: number; readonly openEntry: (id: DurableObjectId) => Entry };
}

export function socketPath(sockets: string, host: number): string {
  return join(sockets, `${host}.sock`);
}

export class Router implements Disposable {
  readonly #parts: RouterParts;
  readonly #ids: ReadonlyMap<string, IdFactory>;
  /** To each host that was called. */
  readonly #links = new Map<number, Link>();
  /** From the processes that call this one. */
  readonly #accepted = new Set<Link>();
  /** Runs what serves every object, and so must not count as work of the one that happens to call first. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #isClosed = false;

  constructor(parts: RouterParts) {
    this.#parts = parts;
    this.#ids = new Map(parts.classes.map(({ name, uniqueKey }) => [name, new IdFactory(name, uniqueKey)]));
  }

  get classNames(): string[] {
    return [...this.#ids.keys()];
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    return new DurableObjectNamespace<T>({ ids: this.#idsOf(className), open: (id) => this.#open(id) });
  }

  /** Serves a process that has connected. */
  accept(socket: Socket): void {
    const link = new Link(this.#linkOptions());
    socket.write(greeting);
    link.attach(socket);
    this.#accepted.add(link);
    void link.closed.then(() => this.#accepted.delete(link));
  }

  /** The link to a host: the one that is there, or another if that is broken. */
  linkTo(host: number): Link {
    const present = this.#links.get(host);
    if (present?.isBroken === false) return present;
    const link = new Link(this.#linkOptions());
    this.#links.set(host, link);
    if (this.#isClosed) link.close();
    else this.#apart(() => this.#connect(link, host, new BackOff(connectDelays)));
    return link;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const link of [...this.#links.values(), ...this.#accepted]) link.close();
  }

  /**
   * Connects the link once the host has greeted: the socket of a process that is being ended still takes connections, and
   * what it was sent would be lost.
   */
  #connect(link: Link, host: number, backOff: BackOff): void {
    if (link.isBroken) return;
    const socket = connect(socketPath(this.#parts.sockets, host));
    // What is wrong with it, its end tells as well.
    socket.on('error', () => {});
    const retry = (): void => {
      realClock.setTimer(realClock.now() + backOff.next(), () => this.#connect(link, host, backOff));
    };
    socket.once('close', retry);
    socket.once('data', (bytes: Buffer) => {
      socket.off('close', retry);
      socket.pause();
      if (bytes.length > greeting.length) socket.unshift(bytes.subarray(greeting.length));
      link.attach(socket);
      socket.resume();
    });
  }

  #linkOptions(): LinkOptions {
    return {
      openEntry: (address) => {
        const { here } = this.#parts;
        if (here === undefined) throw new Error('there are no objects in this process');
        return here.openEntry(this.#idOf(address));
      },
      createEntryStub: (address, holder) => {
        const id = this.#idOf(address);
        return createObjectStub(id, this.#open(id), holder) as object;
      },
    };
  }

  #open(id: DurableObjectId): Entry {
    const { here, hosts } = this.#parts;
    const host = placeObject(id.toString(), hosts);
    return host === here?.host ? here.openEntry(id) : new HostedEntry(() => this.linkTo(host), id);
  }

  #idOf({ className, id, name }: Address): DurableObjectId {
    if (className === undefined || id === undefined || !/^[0-9a-f]{64}$/.test(id))
      throw new TypeError('an object is named by its class and its id');
    return this.#idsOf(className).fromAddress(id, name);
  }

  #idsOf(className: string): IdFactory {
    const ids = this.#ids.get(className);
    if (ids === undefined)
      throw new TypeError(
        `there is no class ${className} in this runtime: it has ${this.classNames.join(', ')}`,
      );
    return ids;
  }
}

/** An object of another process, for the calls of one stub, which belong to one link from the first of them on. */
class HostedEntry implements Entry {
  readonly address: Address;
  readonly #link: () => Link;
  #remote: ReturnType<Link['entry']> | undefined;

  constructor(link: () => Link, id: DurableObjectId) {
    this.#link = link;
    this.address = addressOf(id);
  }

  /** The stub of an entry point does not keep its object awake. */
  hold(): void {}
  release(): void {}

  call(holder: Side, path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#bound().call(holder, path, args);
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    return this.#bound().fetch(holder, request);
  }

  #bound(): ReturnType<Link['entry']> {
    this.#remote ??= this.#link().entry(this.address);
    return this.#remote;
  }
}
