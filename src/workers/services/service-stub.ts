/** What code holds of another Worker, or of its own: `fetch`, and every method of the class that answers. */
import { callingSide, type FetchArguments, fetchThrough } from '#objects';
import { createStub, type LinkEntry, type Side, type Stub } from '#rpc';
import { ServiceEntry, type ServiceTarget, type Surroundings } from './service-entry.ts';

export function createServiceStub(target: ServiceTarget, surroundings: Surroundings): Stub {
  return createFetcher(new ServiceEntry(target, surroundings));
}

/** The stub of anything that has a `fetch`. */
export function createFetcher(entry: LinkEntry): Stub {
  const heldBy = (side: Side): Stub => {
    const own = new FetcherFace((args) => fetchThrough(entry, side, args));
    return createStub(entry, side, { own, handTo: heldBy });
  };
  return heldBy(callingSide);
}

/** An entry point in `ctx.exports`: called with `props`, it is the same entry point with those. */
export function createLoopback(target: ServiceTarget, surroundings: Surroundings): object {
  const stub = createServiceStub(target, surroundings) as object;
  const withProps = (options: { readonly props?: object } = {}): Stub =>
    createServiceStub({ ...target, props: options.props ?? {} }, surroundings);
  return new Proxy(withProps, {
    get: (_target, name) => Reflect.get(stub, name) as unknown,
    has: (_target, name) => Reflect.has(stub, name),
    getPrototypeOf: () => Object.getPrototypeOf(stub) as object,
  });
}

/** What a stub answers itself. */
class FetcherFace {
  readonly #send: (args: FetchArguments) => Promise<Response>;

  constructor(send: (args: FetchArguments) => Promise<Response>) {
    this.#send = send;
  }

  /** Read, not called, on this object: the call comes through the proxy that stands before it. */
  get fetch(): (...args: FetchArguments) => Promise<Response> {
    return async (...args) => await this.#send(args);
  }

  get [Symbol.toStringTag](): string {
    return 'Fetcher';
  }
}
