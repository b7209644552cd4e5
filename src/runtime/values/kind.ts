/**
 * The kind of an object, by its internal slots and not by what it claims to be. Order matters: nothing is read from a
 * Proxy, because every access would run its traps.
 */
import { types } from 'node:util';
import { refusalOf } from './errors.ts';

export type ObjectKind =
  /** Prototype is `Object.prototype` of some realm, or null. */
  | 'plain'
  /** Of a class written in JavaScript by the user. */
  | 'instance'
  | 'array'
  | 'date'
  | 'map'
  | 'set'
  | 'regexp'
  | 'error'
  | 'boxed'
  | 'buffer'
  | 'sharedBuffer'
  | 'view'
  /** Of a class the platform provides as a global: `URL`, `Headers`, `ReadableStream`. */
  | 'platform'
  /** Kept out of storage by `refuseToStore`. */
  | 'refused'
  /** Of a class of the language that cannot be copied (`Promise`, `WeakMap`, a generator), or a Proxy. */
  | 'opaque';

type ClassKind = 'plain' | 'instance' | 'platform' | 'refused' | 'opaque';

const { getPrototypeOf, getOwnPropertyDescriptor } = Object;
const plainPrototype = Object.prototype;

export function kindOf(value: object): ObjectKind {
  if (types.isProxy(value)) return 'opaque';
  if (Array.isArray(value)) return 'array';
  const prototype = getPrototypeOf(value) as object | null;
  if (prototype === plainPrototype) {
    return Symbol.iterator in value && types.isArgumentsObject(value) ? 'opaque' : 'plain';
  }
  if (prototype === null) return types.isModuleNamespaceObject(value) ? 'opaque' : 'plain';
  return slottedKind(value) ?? classKind(prototype);
}

function slottedKind(value: object): ObjectKind | undefined {
  if (types.isDate(value)) return 'date';
  if (ArrayBuffer.isView(value)) return 'view';
  if (types.isMap(value)) return 'map';
  if (types.isSet(value)) return 'set';
  if (types.isNativeError(value)) return value instanceof DOMException ? 'platform' : 'error';
  if (types.isRegExp(value)) return 'regexp';
  if (types.isArrayBuffer(value)) return 'buffer';
  if (types.isSharedArrayBuffer(value)) return 'sharedBuffer';
  if (types.isSymbolObject(value) || types.isArgumentsObject(value)) return 'opaque';
  return types.isBoxedPrimitive(value) ? 'boxed' : undefined;
}

// A class hardly ever changes its base class, so each prototype is examined once.
const classKinds = new WeakMap<object, ClassKind>();
const globalNames = new Set(Object.getOwnPropertyNames(globalThis));

function classKind(prototype: object): ClassKind {
  let kind = classKinds.get(prototype);
  if (kind === undefined) {
    kind = walkClass(prototype);
    classKinds.set(prototype, kind);
  }
  return kind;
}

/**
 * A class is opaque if it, or any it extends, is native to the language: such objects have slots that a copy would
 * lose. Language prototypes without an ordinary constructor (those of generators and iterators) count as well.
 */
function walkClass(start: object): ClassKind {
  for (let prototype: object | null = start; prototype !== null; prototype = getPrototypeOf(prototype)) {
    if (refusalOf(prototype) !== undefined) return 'refused';
    const constructor = getOwnPropertyDescriptor(prototype, 'constructor');
    if (constructor === undefined) continue;
    if (typeof constructor.value !== 'function') return 'opaque';
    const { name, prototype: own } = constructor.value as { name: unknown; prototype: unknown };
    // A constructor copied from elsewhere says nothing about this prototype.
    if (own !== prototype) continue;
    const native = Function.prototype.toString.call(constructor.value).endsWith('{ [native code] }');
    if (native && name === 'Object') return prototype === start ? 'plain' : 'instance';
    if (native) return 'opaque';
    if (isGlobal(name, constructor.value)) return 'platform';
  }
  return 'instance';
}

/** Whether it is the global of this name, or the base class of its replacement, such as a faster `Request`. */
function isGlobal(name: unknown, constructor: { readonly prototype: object }): boolean {
  if (typeof name !== 'string' || !globalNames.has(name)) return false;
  const present = Reflect.get(globalThis, name) as { readonly prototype?: unknown } | undefined;
  return (
    present === constructor ||
    Object.prototype.isPrototypeOf.call(constructor.prototype, present?.prototype as object)
  );
}
