/** Whether a value is an object in the sense of the language: it has an identity. Functions count. */
export function isReference(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}
