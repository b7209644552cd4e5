/** The classes of references, by which code recognises them. None can be constructed. */
import { findReference, type Reference } from './reference.ts';

function isOfKind(value: unknown, kind: Reference['kind']): boolean {
  return findReference(value)?.kind === kind;
}

abstract class IllegalConstructor {
  constructor() {
    throw new TypeError('Illegal constructor');
  }
}

/** The result of a call that may not have arrived yet. */
export class RpcPromise extends IllegalConstructor {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, 'RpcPromise');
  }
}

/** A name on a stub. */
export class RpcProperty extends IllegalConstructor {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, 'RpcProperty');
  }
}

/** The stub of an entry point: an object, or a Worker. */
export class ServiceStub extends IllegalConstructor {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOfKind(value, 'ServiceStub');
  }
}
