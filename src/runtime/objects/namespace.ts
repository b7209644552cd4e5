/** Namespaces create ids and stubs; all other code, objects included, calls an object through a stub. */
import { markAsUncloneable } from 'node:worker_threads';
import { allowStreamBody, type Callee, createLeftError, isIncoming, readAbortReason, wrongType } from '#base';
import { passUpgrade } from '#sockets';
import {
  type Address,
  Capability,
  type LinkEntry,
  type Side,
  type Stub,
  createStub,
  outside,
  toCallerError,
} from '#rpc';
import { type Actor, currentContext } from './actor/actor.ts';
import { type ErrorFlags, diskRefusalFlag, flagged } from './errors.ts';
import type { ObjectHandlers } from './durable-object.ts';
import { type DurableObjectId, IdFactory, classNameOf, isDurableObjectId } from './ids.ts';
import { makeEnumerable, toKey, toOptions } from './storage/arguments.ts';
import type { DurableObjectStub } from './stub-types.ts';

export interface NamespaceParts {
  readonly ids: IdFactory;
  /** Returns the entry that answers the calls of one stub of an object. */
  readonly open: (id: DurableObjectId) => LinkEntry;
}

const face = 'DurableObjectNamespace';

interface NewUniqueIdOptions {
  readonly jurisdiction?: string | null;
}

export interface ObjectGetOptions {
  readonly locationHint?: string;
  readonly routingMode?: string;
}

/** Names that an object's callers cannot use: only the runtime calls them. */
const reserved: ReadonlySet<string> = new Set([
  'fetch',
  'connect',
  'alarm',
  'webSocketMessage',
  'webSocketClose',
  'webSocketError',
  'dup',
  'constructor',
]);

// oxlint-disable-next-line typescript/no-explicit-any -- a namespace of any class, unless told which
export class DurableObjectNamespace<T = any> {
  readonly #parts: NamespaceParts;

  /** @internal */
  constructor(parts: NamespaceParts) {
    this.#parts = parts;
    markAsUncloneable(this);
  }

  /** @internal */
  static deferred(ids: IdFactory, find: () => DurableObjectNamespace): DurableObjectNamespace {
    return new DurableObjectNamespace({ ids, open: (id) => find().#parts.open(id) });
  }

  newUniqueId(options?: NewUniqueIdOptions | null): DurableObjectId {
    const callee = { method: 'newUniqueId', face };
    const { jurisdiction } = toOptions<NewUniqueIdOptions>(options, callee, 1, 'NewUniqueIdOptions');
    refuseJurisdiction(jurisdiction);
    return this.#parts.ids.unique();
  }

  idFromName(name: string): DurableObjectId {
    if (arguments.length === 0) throw wrongType({ method: 'idFromName', face }, 1, 'string');
    return this.#parts.ids.fromName(toKey(name));
  }

  idFromString(text: string): DurableObjectId {
    if (arguments.length === 0) throw wrongType({ method: 'idFromString', face }, 1, 'string');
    return this.#parts.ids.fromString(toKey(text));
  }

  get(id: DurableObjectId, options?: ObjectGetOptions | null): DurableObjectStub<T> {
    const callee = { method: 'get', face };
    if (!isDurableObjectId(id)) throw wrongType(callee, 1, 'DurableObjectId');
    return this.#stub(id, options, callee);
  }

  getByName(name: string, options?: ObjectGetOptions | null): DurableObjectStub<T> {
    const callee = { method: 'getByName', face };
    if (arguments.length === 0) throw wrongType(callee, 1, 'string');
    return this.#stub(this.idFromName(name), options, callee);
  }

  jurisdiction(jurisdiction?: string | null): DurableObjectNamespace<T> {
    refuseJurisdiction(jurisdiction);
    return new DurableObjectNamespace<T>(this.#parts);
  }

  get [Symbol.toStringTag](): string {
    return face;
  }

  #stub(
    id: DurableObjectId,
    options: ObjectGetOptions | null | undefined,
    callee: Callee,
  ): DurableObjectStub<T> {
    const { routingMode } = toOptions<ObjectGetOptions>(options, callee, 2, 'GetDurableObjectOptions');
    if (routingMode !== undefined && routingMode !== 'primary-only')
      throw new RangeError(`unknown routingMode: ${routingMode}`);
    return createObjectStub(id, this.#parts.open(id), currentSide()) as DurableObjectStub<T>;
  }
}
makeEnumerable(DurableObjectNamespace.prototype, [
  'newUniqueId',
  'idFromName',
  'idFromString',
  'get',
  'getByName',
  'jurisdiction',
]);

/** A namespace that can exist before its objects do: `find` is called when a stub is made. */
export function deferNamespace(
  { className, uniqueKey }: { readonly className: string; readonly uniqueKey: string },
  find: () => DurableObjectNamespace,
): DurableObjectNamespace {
  return DurableObjectNamespace.deferred(new IdFactory(className, uniqueKey), find);
}

/** All objects are on one machine: a promise about where data lives could not be kept. */
function refuseJurisdiction(jurisdiction: unknown): void {
  if (jurisdiction === undefined || jurisdiction === null) return;
  throw new Error(
    `Jurisdictions are out of scope: objects live where this process runs. Leave out the jurisdiction "${toKey(jurisdiction)}".`,
  );
}

/** The running object, or the outside, whose stubs may still be used inside of objects. */
function currentSide(): Side {
  return currentContext()?.actor ?? callingSide;
}

/** The side that is running when a call is made, for stubs that several objects share. */
export const callingSide: Side = {
  enter: (body) => outside.enter(body),
  reach: (message) => (currentContext()?.actor ?? outside).reach(message),
};

/** One stub's view of the object. A stub that has seen the object break keeps that error. */
class Binding implements Side {
  readonly #id: DurableObjectId;
  readonly #obtain: (id: DurableObjectId) => Actor;
  #actor: Actor | undefined;

  constructor(id: DurableObjectId, obtain: (id: DurableObjectId) => Actor) {
    this.#id = id;
    this.#obtain = obtain;
  }

  enter<T>(body: () => Promise<T>): Promise<T> {
    return this.#alive().enter(body).catch(this.#explain);
  }

  reach<T>(message: () => Promise<T>): Promise<T> {
    return this.#alive().reach(message);
  }

  instance(): object {
    return this.#alive().instance;
  }

  #alive(): Actor {
    if (this.#actor === undefined || this.#actor.lifecycle.state === 'asleep')
      this.#actor = this.#obtain(this.#id);
    return this.#actor;
  }

  /** Creates a separate error for each caller, with the shared cause. */
  readonly #explain = (error: unknown): never => {
    if (error !== this.#actor?.broken) throw error;
    throw flagged(toCallerError(error, flagsOf(error as ErrorFlags)), diskRefusalFlag(error));
  };
}

function flagsOf({ remote, durableObjectReset, overloaded, retryable }: ErrorFlags): ErrorFlags {
  return {
    ...(remote === undefined ? {} : { remote }),
    ...(durableObjectReset === undefined ? {} : { durableObjectReset }),
    ...(overloaded === undefined ? {} : { overloaded }),
    ...(retryable === undefined ? {} : { retryable }),
  };
}

/** The members of a stub that are not calls of the object. */
class StubFace {
  declare readonly name: string | undefined;
  declare readonly id: DurableObjectId;
  readonly #send: (args: FetchArguments) => Promise<Response>;

  constructor(id: DurableObjectId, send: (args: FetchArguments) => Promise<Response>) {
    Object.defineProperty(this, 'name', { value: id.name, enumerable: true });
    Object.defineProperty(this, 'id', { value: id, enumerable: true });
    this.#send = send;
  }

  /** Only read on this object: calls come through the proxy in front of it. */
  get fetch(): (...args: FetchArguments) => Promise<Response> {
    return async (...args) => await this.#send(args);
  }

  get connect(): () => never {
    return () => {
      throw new Error('connect() is out of scope: objects are reached by fetch() and by their methods');
    };
  }

  get [Symbol.toStringTag](): string {
    return stubClassName;
  }
}
makeEnumerable(StubFace.prototype, ['fetch', 'connect']);

const stubClassName = 'DurableObject';
/** Programs recognise a stub by the name of its constructor. */
const stubConstructor = {
  [stubClassName]() {
    throw new TypeError('Illegal constructor');
  },
}[stubClassName];
Object.defineProperty(StubFace.prototype, 'constructor', { value: stubConstructor });

/** The address of an object, which is the same in every process of a runtime. */
export function addressOf(id: DurableObjectId): Address {
  return { className: classNameOf(id), id: id.toString(), name: id.name };
}

/** An object of this process, for the calls of one stub. */
export class ObjectEntry extends Capability implements LinkEntry {
  readonly #id: DurableObjectId;
  readonly #binding: Binding;

  /** `obtain` returns the living actor of the object, and wakes it if necessary. */
  constructor(id: DurableObjectId, obtain: (id: DurableObjectId) => Actor) {
    const binding = new Binding(id, obtain);
    super({ owner: binding, target: () => binding.instance(), reserved });
    this.#id = id;
    this.#binding = binding;
  }

  /** A stub that is passed to another process leads back here. */
  override get address(): Address {
    return addressOf(this.#id);
  }

  fetch(holder: Side, request: Request): Promise<Response> {
    const binding = this.#binding;
    return holder.reach(() => binding.enter(() => callFetch(binding.instance(), request)));
  }
}

/** Creates the stub of an object, in whichever process the object is. */
export function createObjectStub(id: DurableObjectId, entry: LinkEntry, holder: Side): Stub {
  const stubHeldBy = (side: Side): Stub => {
    const own = new StubFace(id, (args) => fetchThrough(entry, side, args));
    return createStub(entry, side, { own, handTo: stubHeldBy });
  };
  return stubHeldBy(holder);
}

export type FetchArguments = [input?: string | URL | Request, init?: RequestInit | null];

/** The `fetch` of a stub. When its signal aborts, the caller stops waiting, and the callee sees a disconnect. */
export async function fetchThrough(entry: LinkEntry, side: Side, args: FetchArguments): Promise<Response> {
  const [input, init] = args;
  const given = init?.signal;
  const signal = given ?? (input instanceof Request && !isIncoming(input) ? input.signal : undefined);
  if (!(signal instanceof AbortSignal)) return await entry.fetch(side, toFetchRequest(args));
  if (signal.aborted) throw readAbortReason(signal);
  const left = new AbortController();
  const sent = toFetchRequest(args);
  // Not a copy of `init` with another signal: its fields may be getters of its class, as in a `Request`.
  const request = signal === given ? toFetchRequest([sent, { signal: left.signal }]) : sent;
  return await side.reach(() => untilAborted(entry.fetch(outside, request), signal, left));
}

/** The answer, unless the signal aborts first; then `left` aborts as well. */
async function untilAborted(
  answer: Promise<Response>,
  signal: AbortSignal,
  left: AbortController,
): Promise<Response> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => {
    reject(readAbortReason(signal));
    left.abort(createLeftError());
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** Converts the arguments of a stub's `fetch` to a request. */
function toFetchRequest(args: FetchArguments): Request {
  const [input, init] = args;
  if (args.length === 0 || input === undefined)
    throw wrongType({ method: 'fetch', face: 'Fetcher' }, 1, 'Request or string');
  if (input instanceof Request && (init === undefined || init === null)) return input;
  if (!(input instanceof Request) && !URL.canParse(String(input)))
    throw new TypeError(`Invalid URL: ${String(input)}`);
  return new Request(input, allowStreamBody(init));
}

async function callFetch(instance: ObjectHandlers, request: Request): Promise<Response> {
  try {
    if (typeof instance.fetch !== 'function') throw new Error('Handler does not export a fetch() function.');
    const response: unknown = await instance.fetch(request);
    if (!(response instanceof Response)) {
      throw new TypeError("Incorrect type for Promise: the Promise did not resolve to 'Response'.");
    }
    return passUpgrade(request, response);
  } catch (error) {
    throw toCallerError(error);
  }
}
