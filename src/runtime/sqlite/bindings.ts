/** A value that SQLite accepts, converted from the caller's. */
export type BoundValue = string | number | null | Uint8Array;

/**
 * Converts values in place, as workerd does: numbers stay numbers (SQLite stores them as REAL until a column says
 * otherwise), booleans become the texts 'true' and 'false', buffers and views become blobs of exactly their range, and
 * any other value becomes its string.
 */
export function convertBindings(values: unknown[]): asserts values is BoundValue[] {
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value !== 'number' && typeof value !== 'string' && value !== null) values[at] = convert(value);
  }
}

function convert(value: unknown): BoundValue {
  switch (typeof value) {
    case 'undefined':
      return null;
    case 'bigint':
      throw new TypeError('Cannot convert a BigInt value to a number');
    case 'object':
      if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      if (value instanceof ArrayBuffer || value instanceof SharedArrayBuffer) return new Uint8Array(value);
      break;
  }
  return toText(value);
}

/** The result of `String()`, except that symbols are refused, as wherever a string is expected. */
export function toText(value: unknown): string {
  if (typeof value === 'symbol') throw new TypeError('Cannot convert a Symbol value to a string');
  return String(value);
}
