/** What tests pass to functions on objects. */
import { classNameOf as classNameOfId, DurableObjectId, type DurableObjectNamespace } from '#objects';

/** Something that names an object: a stub. */
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

/** The class whose objects a namespace reaches, as the runtime knows it. */
export function classNameOf(namespace: DurableObjectNamespace): string {
  return classNameOfId(namespace.newUniqueId());
}
