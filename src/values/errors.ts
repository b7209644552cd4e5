/** Bytes that are not a value: damaged, cut short, or written by something else. */
export class ValueFormatError extends Error {
  override readonly name = 'ValueFormatError';
}

/** A value that cannot be copied, as the platform reports it. */
export function dataCloneError(message: string): DOMException {
  return new DOMException(message, 'DataCloneError');
}

/** The refusal of a platform class (or, over RPC, of any class) that has no serialised form. */
export function typeNotSerializable(value: object): DOMException {
  const { name } = value.constructor;
  return dataCloneError(`Could not serialize object of type "${name}". This type does not support serialization.`);
}

const refusals = new WeakMap<object, string | undefined>();

/**
 * Keeps an object, or every object that inherits from it, out of storage although it looks like any other:
 * something whose meaning would be lost as a plain object. Without a message the refusal names the type.
 */
export function refuseToStore(objectOrPrototype: object, message?: string): void {
  refusals.set(objectOrPrototype, message);
}

/** The refusal registered for this very object (a prototype, when a class is looked at). */
export function refusalOf(object: object): { readonly message: string | undefined } | undefined {
  return refusals.has(object) ? { message: refusals.get(object) } : undefined;
}
