/**
 * The objects that user code holds and calls. Three kinds share one interface: a stub represents a target, a property a name
 * (or a path of names) on a stub, a promise the result of a call. Reading a name from any of them gives a property, calling
 * any of them sends a call, awaiting a property reads it. A stub itself is not awaitable, so that an `async` function can
 * return it.
 *
 * Each is a Proxy whose handler is the `Reference`. One is created for every call, so they have no state of their own: the
 * handler implements everything, and is found again through a private field on the Proxy, which no trap can see.
 */
import { explainRefusals } from '#values';
import { propertiesCachedMax } from './limits.ts';
import type { Side } from './side.ts';

/** A call in progress. */
export interface RemoteCall {
  readonly result: Promise<unknown>;
  /** Calls the result before it has arrived. */
  pipeline(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall;
}

/** The address of an entry point, as plain data: only the side that serves it interprets it. */
export type Address = Readonly<Record<string, string | undefined>>;

const arrayIndex = /^(?:0|[1-9][0-9]*)$/;

export abstract class Reference implements ProxyHandler<object> {
  /** The platform's name for this kind of reference. */
  abstract readonly kind: 'RpcStub' | 'RpcPromise' | 'RpcProperty' | 'ServiceStub';
  /** Where `toString` and similar methods come from. */
  protected abstract readonly prototype: object;
  #properties: Map<string, object> | undefined;

  /** Calls the method at a path of names, or reads the property there if there are no arguments. */
  abstract call(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall;

  /** The address of the entry point that this represents, if it has one. */
  get address(): Address | undefined {
    return undefined;
  }

  /** The object that a stub holds, so that a link recognises what it has imported when that returns. */
  get held(): object | undefined {
    return undefined;
  }

  /** The value that `JSON.stringify` writes for this; undefined if it writes nothing. */
  get written(): object | undefined {
    return undefined;
  }

  /** The same reference for another holder, unless it is of a kind that cannot be passed on. */
  handTo?(holder: Side): object;

  /** The local property of that name, if there is one. */
  protected abstract local(name: string | symbol): unknown;

  get(target: object, name: string | symbol): unknown {
    const known = this.#properties?.get(name as string);
    if (known !== undefined) return known;
    const local = this.local(name);
    if (local !== undefined) return local;
    if (typeof name === 'symbol' || name in this.prototype) return Reflect.get(this.prototype, name, target);
    // Anything with a `then` would be treated as a promise, and an index as an element.
    if (name === 'then' || arrayIndex.test(name)) return undefined;
    const property = createProxy(new Property(this, name));
    this.#properties ??= new Map();
    if (this.#properties.size < propertiesCachedMax) this.#properties.set(name, property);
    return property;
  }

  apply(_target: object, _receiver: unknown, args: readonly unknown[]): object {
    return createProxy(new ResultPromise(this.call([], args)));
  }

  /** All callable references share one target, so nothing may be set on it. */
  defineProperty(target: object, name: string | symbol, attributes: PropertyDescriptor): boolean {
    return target !== callable && Reflect.defineProperty(target, name, attributes);
  }

  setPrototypeOf(): boolean {
    return false;
  }

  getPrototypeOf(): object {
    return this.prototype;
  }
}

class Property extends Reference {
  readonly kind = 'RpcProperty';
  protected readonly prototype = propertyPrototype;
  readonly #parent: Reference;
  readonly #name: string;

  constructor(parent: Reference, name: string) {
    super();
    this.#parent = parent;
    this.#name = name;
  }

  call(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#parent.call([this.#name, ...path], args);
  }

  /** `JSON.stringify` calls `toJSON` with a key and cannot wait: a stub answers it itself, as in workerd. */
  override apply(target: object, receiver: unknown, args: readonly unknown[]): object {
    const written = this.#name === 'toJSON' && isKeyOfJson(args) ? this.#parent.written : undefined;
    return written ?? super.apply(target, receiver, args);
  }

  /** Each `then` reads again. */
  protected local(name: string | symbol): unknown {
    return isPromiseMethod(name) ? bindPromiseMethod(name, () => this.call([], undefined).result) : undefined;
  }
}

function isKeyOfJson(args: readonly unknown[]): boolean {
  return args.length === 1 && typeof args[0] === 'string';
}

class ResultPromise extends Reference {
  readonly kind = 'RpcPromise';
  protected readonly prototype = answerPrototype;
  readonly #call: RemoteCall;

  constructor(call: RemoteCall) {
    super();
    this.#call = call;
  }

  call(path: readonly string[], args: readonly unknown[] | undefined): RemoteCall {
    return this.#call.pipeline(path, args);
  }

  protected local(name: string | symbol): unknown {
    const { result } = this.#call;
    if (isPromiseMethod(name)) return bindPromiseMethod(name, () => result);
    return name === Symbol.dispose ? () => void result.then(disposeValue, () => {}) : undefined;
  }
}

type PromiseMethod = 'then' | 'catch' | 'finally';

function isPromiseMethod(name: string | symbol): name is PromiseMethod {
  return name === 'then' || name === 'catch' || name === 'finally';
}

function bindPromiseMethod(
  name: PromiseMethod,
  result: () => Promise<unknown>,
): (...args: unknown[]) => unknown {
  return (...args) => Reflect.apply(Promise.prototype[name], result(), args);
}

function disposeValue(value: unknown): void {
  (value as Partial<Disposable> | null | undefined)?.[Symbol.dispose]?.();
}

const propertyPrototype = { [Symbol.toStringTag]: 'JsRpcProperty' };
const answerPrototype = { [Symbol.toStringTag]: 'JsRpcPromise' };

// A function without own `name` and `length`: every name can be a remote one.
const callable = (): void => {};
Reflect.deleteProperty(callable, 'name');
Reflect.deleteProperty(callable, 'length');

/** Creates the object that user code holds. Without a target of its own it is callable, and nothing can be set on it. */
export function createProxy(reference: Reference, target: object = callable): object {
  return new Brand(new Proxy(target, reference), reference);
}

/** The reference behind an object, if the object is a proxy of one. */
export function findReference(value: unknown): Reference | undefined {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return undefined;
  return Brand.read(value);
}

class Returned {
  constructor(object: object) {
    return object;
  }
}

/** Puts a private field on an object that it did not create. */
class Brand extends Returned {
  readonly #reference: Reference;

  constructor(object: object, reference: Reference) {
    super(object);
    this.#reference = reference;
  }

  static read(object: object): Reference | undefined {
    return #reference in object ? object.#reference : undefined;
  }
}

explainRefusals((value) => {
  switch (findReference(value)?.kind) {
    case 'RpcStub':
      return 'Remote RPC references can only be serialized for RPC.';
    case 'ServiceStub':
      return 'ServiceStub cannot be serialized in this context.';
    case 'RpcPromise':
      return 'Could not serialize object of type "RpcPromise". This type does not support serialization.';
    case 'RpcProperty':
      return 'Could not serialize object of type "RpcProperty". This type does not support serialization.';
    case undefined:
      return undefined;
  }
});
