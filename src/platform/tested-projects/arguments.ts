/** The arguments of functions on objects. */
import { classNameOf as classNameOfId, DurableObjectId, type DurableObjectNamespace } from '#objects';

/** A stub, which names an object. */
export interface StubLike {
  readonly id: DurableObjectId;
}

export function isStub(value: unknown): value is StubLike {
  return (
    (typeof value === 'object' || typeof value === 'function') &&
    value !== null &&
    (value as Partial<StubLike>).id instanceof DurableObjectId
  );
}

/** The class of a namespace's objects, by its name in the runtime. */
export function classNameOf(namespace: DurableObjectNamespace): string {
  return classNameOfId(namespace.newUniqueId());
}
