/**
 * The right to call something that lives on another side. Any number of stubs may hold it, on any sides; when the last of
 * them is disposed of, the target is notified once.
 *
 * A call is sent at once and in order: its arguments are copied before `call` returns. The result can be called before
 * it exists: such calls enter the owner's side after the one they wait for, and act on the result itself, not on the
 * caller's copy.
 */
import { types } from 'node:util';
import { toCallerError } from './caller-error.ts';
import { passesAsIs } from './copy.ts';
import { invokeMethod } from './invoke.ts';
import { PassedValue, copyResult, disposeOn } from './passed-value.ts';
import { type Address, Reference, type RemoteCall, createProxy } from './reference.ts';
import { type Side, outside } from './side.ts';

/** What stubs hold: a capability of this process, or of one at the other end of a link. */
export interface Callable {
  /** Identifies an entry point, so that other processes can reach it without going through this one. */
  readonly address?: Address | undefined;
  hold(): void;
  release(): void;
  /** Calls the method at a path of names, or reads the property there if there are no arguments. */
  call(
    holder: Side,
    path: readonly string[],
    args: readonly unknown[] | undefined,
    transport?: Transport,
  ): RemoteCall;
}

/** Avoids copies in a call from another process, whose data is a copy already. */
export interface Transport {
  /** Whether the arguments are plain data that no other code references. */
  readonly ownsArguments: boolean;
  /** Converts the result to a form that later changes of it do not affect; undefined if it must be copied. */
  readonly packResult: (value: unknown) => unknown;
}

export interface CapabilityOptions {
  readonly address?: Address;
  readonly owner: Side;
  /** Called again for each call, on the side of the owner. */
  readonly target: () => unknown;
  /** For an entry point, whose class need not be an `RpcTarget`: the names that cannot be called. */
  readonly reserved?: ReadonlySet<string>;
  readonly onRelease?: () => void;
}

export class Capability implements Callable {
  readonly #options: CapabilityOptions;
  #holders = 0;

  constructor(options: CapabilityOptions) {
    this.#options = options;
  }

  get address(): Address | undefined {
    return this.#options.address;
  }

  hold(): void {
    this.#holders++;
  }

  release(): void {
    if (--this.#holders === 0) this.#options.onRelease?.();
  }

  call(
    holder: Side,
    path: readonly string[],
    args: readonly unknown[] | undefined,
    transport?: Transport,
  ): RemoteCall {
    return new CapabilityCall({ options: this.#options, holder, path, args, transport });
  }
}

interface CallParts {
  readonly options: CapabilityOptions;
  readonly holder: Side;
  readonly path: readonly string[];
  readonly args: readonly unknown[] | undefined;
  readonly transport?: Transport | undefined;
}

class CapabilityCall implements RemoteCall {
  readonly result: Promise<unknown>;
  readonly #options: CapabilityOptions;
  readonly #holder: Side;
  readonly #transport: Transport | undefined;
  #answer: { readonly value: unknown } | undefined;
  /** For calls on the result that were made before it arrived. */
  #awaited: PromiseWithResolvers<unknown> | undefined;

  constructor({ options, holder, path, args, transport }: CallParts) {
    this.#options = options;
    this.#holder = holder;
    this.#transport = transport;
    this.result = this.#send(path, args);
  }

  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    // If this call fails, the calls that depend on it report the error.
    this.result.catch(() => {});
    const options = { owner: this.#options.owner, target: () => this.#awaitResult() };
    return new CapabilityCall({ options, holder: this.#holder, path, args });
  }

  #awaitResult(): unknown {
    // Earlier calls on the result wait for this promise, and run before those made after the answer.
    if (this.#awaited === undefined && this.#answer !== undefined) return this.#answer.value;
    if (this.#awaited === undefined) {
      this.#awaited = Promise.withResolvers();
      this.result.catch(this.#awaited.reject);
    }
    return this.#awaited.promise;
  }

  #send(path: readonly string[], args: readonly unknown[] | undefined): Promise<unknown> {
    const { owner } = this.#options;
    try {
      const light = args === undefined || this.#transport?.ownsArguments === true || args.every(passesAsIs);
      const sent = light ? undefined : new PassedValue(args, { from: this.#holder, to: owner, exportTarget });
      return this.#holder.reach(() => owner.enter(() => this.#run(path, sent?.value ?? args, sent)));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  /** The part of a call that is an event of the owner. */
  async #run(
    path: readonly string[],
    args: readonly unknown[] | undefined,
    sent: PassedValue | undefined,
  ): Promise<unknown> {
    try {
      const found = this.#options.target();
      // If a call fails, calls on its result fail with the same error.
      return await this.#invoke(types.isPromise(found) ? await found : found, path, args);
    } finally {
      sent?.dispose();
    }
  }

  async #invoke(
    receiver: unknown,
    path: readonly string[],
    args: readonly unknown[] | undefined,
  ): Promise<unknown> {
    try {
      const value = await invokeMethod(receiver, path, args, this.#options);
      this.#answer = { value };
      this.#awaited?.resolve(value);
      if (passesAsIs(value)) return value;
      const packed = this.#transport?.packResult(value);
      return packed ?? copyResult(value, { from: this.#options.owner, to: this.#holder, exportTarget });
    } catch (error) {
      throw toCallerError(error);
    }
  }
}

export interface StubOptions {
  /**
   * The properties that the stub has locally. With them, the stub is that of an entry point: not callable, not disposable.
   */
  readonly own?: object;
  /** Creates the same stub for another holder, if its local properties depend on the holder. */
  readonly handTo?: (holder: Side) => object;
}

/** Any name can be read from a stub, called and awaited. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Stub = any;

/** Creates a stub that holds the capability for one side. */
export function createStub(capability: Callable, holder: Side, options: StubOptions = {}): Stub {
  if (options.own === undefined) return createProxy(new Holding(capability, holder));
  return createProxy(new Service(capability, holder, options.own, options.handTo), options.own);
}

/** The stub of an entry point. It does not keep its target alive, so it need not be disposed of. */
class Service extends Reference {
  readonly kind = 'ServiceStub';
  protected readonly prototype: object;
  readonly #capability: Callable;
  readonly #holder: Side;
  readonly #own: object;
  readonly #handTo: ((holder: Side) => object) | undefined;

  constructor(capability: Callable, holder: Side, own: object, handTo: StubOptions['handTo']) {
    super();
    this.prototype = Object.getPrototypeOf(own) as object;
    this.#capability = capability;
    this.#holder = holder;
    this.#own = own;
    this.#handTo = handTo;
  }

  override get address(): Address | undefined {
    return this.#capability.address;
  }

  override get written(): object {
    return { ...this.#own };
  }

  call(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#capability.call(this.#holder, path, args);
  }

  override handTo(holder: Side): object {
    if (this.#handTo !== undefined) return this.#handTo(holder);
    return createStub(this.#capability, holder, { own: this.#own }) as object;
  }

  /** Even properties that are undefined here are answered by this side. */
  override get(target: object, name: string | symbol): unknown {
    return Object.hasOwn(this.#own, name) ? Reflect.get(this.#own, name) : super.get(target, name);
  }

  /** Any name may be a method of the object, except `then`: with it, a stub would be taken for a promise. */
  has(target: object, name: string | symbol): boolean {
    return typeof name === 'string' ? name !== 'then' : Reflect.has(target, name);
  }

  protected local(): unknown {
    return undefined;
  }
}

/** One stub's share in a capability. */
class Holding extends Reference {
  readonly kind = 'RpcStub';
  protected readonly prototype = RpcStub.prototype;
  readonly #capability: Callable;
  readonly #holder: Side;
  #disposed = false;

  constructor(capability: Callable, holder: Side) {
    super();
    capability.hold();
    this.#capability = capability;
    this.#holder = holder;
  }

  override get held(): Callable {
    return this.#capability;
  }

  call(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#disposed ? createDisposedCall() : this.#capability.call(this.#holder, path, args);
  }

  override handTo(holder: Side): object {
    if (this.#disposed) throw createDisposedError();
    return createProxy(new Holding(this.#capability, holder));
  }

  protected local(name: string | symbol): unknown {
    if (name === 'dup') return () => this.handTo(this.#holder);
    return name === Symbol.dispose ? () => this.#dispose() : undefined;
  }

  #dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#capability.release();
  }
}

function createDisposedCall(): RemoteCall {
  return { result: Promise.reject(createDisposedError()), pipeline: createDisposedCall };
}

function createDisposedError(): Error {
  return new Error('RPC stub used after being disposed.');
}

/** A reference to a function or an `RpcTarget`. If user code creates it, it refers to a local target by the same rules. */
export class RpcStub {
  constructor(target: object) {
    return exportTarget(target, outside, outside) as RpcStub;
  }

  get [Symbol.toStringTag](): string {
    return 'JsRpcStub';
  }
}

export function exportTarget(target: object, owner: Side, holder: Side): object {
  const onRelease = (): void => disposeOn(owner, target);
  return createStub(new Capability({ owner, target: () => target, onRelease }), holder) as object;
}
