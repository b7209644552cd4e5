/** The stub of another Worker, or of its own: `fetch`, and every method of the class that answers. */
import { callingSide, type FetchArguments, fetchThrough } from '#objects';
import { createStub, type LinkEntry, type Side, type Stub } from '#rpc';
import type { SocketOptions } from '../modules/cloudflare-sockets.ts';
import { connectService, type ServiceSocket } from './service-socket.ts';
import { ServiceEntry, type ServiceTarget, type Surroundings } from './service-entry.ts';

/** How a Worker sees others. */
export interface ServiceOptions {
  /** Whether `queue` and `scheduled` of a stub call the handlers of those names. */
  readonly hasExtraHandlers: boolean;
}

export function createServiceStub(
  target: ServiceTarget,
  surroundings: Surroundings,
  { hasExtraHandlers }: ServiceOptions,
): Stub {
  const entry = new ServiceEntry(target, surroundings);
  return createStubOf(entry, (side) => {
    const fetch = (args: FetchArguments): Promise<Response> => fetchThrough(entry, side, args);
    const connect: Connect = (...args) => entry.connect(...args);
    return hasExtraHandlers
      ? new ExtraFace(fetch, connect, { entry, side })
      : new FetcherFace(fetch, connect);
  });
}

/** The stub of something that has a `fetch` but does not accept connections. */
export function createFetcher(entry: LinkEntry): Stub {
  const connect: Connect = (address, options) => connectService(address, options ?? {}, () => undefined);
  return createStubOf(entry, (side) => new FetcherFace((args) => fetchThrough(entry, side, args), connect));
}

function createStubOf(entry: LinkEntry, createFace: (side: Side) => FetcherFace): Stub {
  const heldBy = (side: Side): Stub => createStub(entry, side, { own: createFace(side), handTo: heldBy });
  return heldBy(callingSide);
}

/** An entry point in `ctx.exports`: called with `props`, it is the same entry point with those. */
export function createLoopback(
  target: ServiceTarget,
  surroundings: Surroundings,
  settings: ServiceOptions,
): object {
  const stub = createServiceStub(target, surroundings, settings) as object;
  const withProps = (options: { readonly props?: object } = {}): Stub =>
    createServiceStub({ ...target, props: options.props ?? {} }, surroundings, settings);
  return new Proxy(withProps, {
    get: (_target, name) => Reflect.get(stub, name) as unknown,
    has: (_target, name) => Reflect.has(stub, name),
    getPrototypeOf: () => Object.getPrototypeOf(stub) as object,
  });
}

type Connect = (address?: unknown, options?: SocketOptions) => ServiceSocket;

/** The members that a stub implements itself. */
class FetcherFace {
  readonly #send: (args: FetchArguments) => Promise<Response>;
  readonly #connect: Connect;

  constructor(send: (args: FetchArguments) => Promise<Response>, connect: Connect) {
    this.#send = send;
    this.#connect = connect;
  }

  /** Only read, not called, on this object: the call goes through its proxy. */
  get fetch(): (...args: FetchArguments) => Promise<Response> {
    return async (...args) => await this.#send(args);
  }

  get connect(): Connect {
    return this.#connect;
  }

  get [Symbol.toStringTag](): string {
    return 'Fetcher';
  }
}

interface Called {
  readonly entry: ServiceEntry;
  readonly side: Side;
}

class ExtraFace extends FetcherFace {
  readonly #called: Called;

  constructor(send: ConstructorParameters<typeof FetcherFace>[0], connect: Connect, called: Called) {
    super(send, connect);
    this.#called = called;
  }

  get queue() {
    const { entry, side } = this.#called;
    return async (...args: Parameters<ServiceEntry['queue']>[1]) => await entry.queue(side, args);
  }

  get scheduled() {
    const { entry, side } = this.#called;
    return async (options?: Parameters<ServiceEntry['scheduled']>[1]) => await entry.scheduled(side, options);
  }
}
