/** Bytes that are not a valid value: damaged, truncated, or written by another program. */
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
  return dataCloneError(
    `Could not serialize object of type "${name}". This type does not support serialization.`,
  );
}

const refusals = new WeakMap<object, string | undefined>();

/**
 * Keeps every object that inherits from a prototype out of storage: as a plain object it would lose its meaning.
 * Without a message the refusal names the type.
 */
export function refuseToStore(prototype: object, message?: string): void {
  refusals.set(prototype, message);
}

/** The refusal registered for this very prototype. */
export function refusalOf(prototype: object): { readonly message: string | undefined } | undefined {
  return refusals.has(prototype) ? { message: refusals.get(prototype) } : undefined;
}

type Explanation = (value: object) => string | undefined;

const explanations: Explanation[] = [];

/** A Proxy or a function is never stored; this registers clearer messages than V8's for meaningful ones. */
export function explainRefusals(explanation: Explanation): void {
  explanations.push(explanation);
}

export function explanationOf(value: object): string | undefined {
  for (const explanation of explanations) {
    const message = explanation(value);
    if (message !== undefined) return message;
  }
  return undefined;
}
