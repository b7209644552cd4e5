/**
 * Finds what a path of names means on the receiving side, and calls or reads it. Callers are not trusted. Of a class, only
 * the methods and getters that its author wrote can be reached, never the fields of the instance; of a plain object or a
 * function, only its own properties; of anything else, nothing. What `Object.prototype` defines is never reachable.
 */
import { types } from 'node:util';
import { kindOf } from '#values';
import { findReference } from './reference.ts';
import { RpcTarget } from './target.ts';

export interface InvokeOptions {
  /** Set for an entry point, whose class need not extend `RpcTarget`: the names that the runtime reserves. */
  readonly reserved?: ReadonlySet<string>;
}

/** Calls the method at the path, or reads the property there if `args` is undefined. */
export async function invokeMethod(
  target: unknown,
  path: readonly string[],
  args: readonly unknown[] | undefined,
  options: InvokeOptions = {},
): Promise<unknown> {
  let receiver: unknown;
  let value = target;
  for (const [i, name] of path.entries()) {
    // The target behind the stub resolves the rest of the path.
    const stub = findReference(value);
    if (stub !== undefined) return stub.call(path.slice(i), args).result;
    receiver = value;
    value = lookUp(receiver, name, i === 0 ? options.reserved : undefined, path[i - 1] ?? name);
    if (i < path.length - 1) value = await value;
  }
  if (args === undefined) return value;
  if (typeof value !== 'function') throw new TypeError(`"${path.at(-1) ?? '(this)'}" is not a function.`);
  return Reflect.apply(value, receiver, args) as unknown;
}

function lookUp(
  receiver: unknown,
  name: string,
  reserved: ReadonlySet<string> | undefined,
  blame: string,
): unknown {
  if (reserved?.has(name) === true) {
    throw new TypeError(`'${name}' is a reserved method and cannot be called over RPC.`);
  }
  if (typeof receiver !== 'function' && (typeof receiver !== 'object' || receiver === null))
    throw createNotFoundError(blame);
  if (reserved !== undefined || receiver instanceof RpcTarget) {
    if (!hasClassMember(receiver, name))
      throw explains && reserved !== undefined ? explainMissing(receiver, name) : createNotFoundError(name);
  } else {
    if (typeof receiver !== 'function' && !isOpen(receiver)) throw createNotFoundError(blame);
    if (!Object.hasOwn(receiver, name)) throw createNotFoundError(name);
  }
  return Reflect.get(receiver, name) as unknown;
}

/** An exported Proxy decides about its own properties itself. */
function isOpen(receiver: object): boolean {
  return kindOf(receiver) === 'plain' || types.isProxy(receiver);
}

function hasClassMember(instance: object, name: string): boolean {
  if (name === 'constructor' || Object.hasOwn(instance, name)) return false;
  return isInherited(instance, name);
}

/** Whether the author of a class wrote a member of that name. */
function isInherited(instance: object, name: string): boolean {
  let prototype = Object.getPrototypeOf(instance) as object | null;
  while (prototype !== null && prototype !== Object.prototype) {
    if (Object.hasOwn(prototype, name)) return true;
    prototype = Object.getPrototypeOf(prototype) as object | null;
  }
  return false;
}

function createNotFoundError(name: string): TypeError {
  return new TypeError(`The RPC receiver does not implement the method "${name}".`);
}

let explains = false;

/** From now on, errors explain why a member of a class cannot be reached: for tests, with Cloudflare's texts. */
export function explainMissingMembers(): void {
  explains = true;
}

function explainMissing(instance: object, name: string): TypeError {
  if (!Object.hasOwn(instance, name)) return new TypeError(`The RPC receiver does not implement "${name}".`);
  if (isInherited(instance, name)) return createNotFoundError(name);
  return new TypeError(
    `The RPC receiver's prototype does not implement "${name}", but the receiver instance does.\n` +
      'Only properties and methods defined on the prototype can be accessed over RPC.\n' +
      `Ensure properties are declared like \`get ${name}() { ... }\` instead of \`${name} = ...\`,\n` +
      `and methods are declared like \`${name}() { ... }\` instead of \`${name} = () => { ... }\`.`,
  );
}
