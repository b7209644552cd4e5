/**
 * Arrays as PostgreSQL reads them in binary: number of dimensions (4 bytes, big-endian), whether there are nulls (4), the
 * type of the elements (4), their number (4), the first index (4), then each element: its length (4; -1: null) and bytes. As
 * text, bytes would be written as hexadecimal digits, which costs the server more than twice the time.
 */
const types = { bytes: 17, int8: 20, float8: 701, bool: 16 } as const;
const headBytes = 20;
const lengthBytes = 4;

function encodeArray(
  type: number,
  count: number,
  sizeOf: (index: number) => number,
  write: (target: Buffer, at: number, index: number) => void,
): Buffer {
  let bytes = headBytes;
  let hasNulls = 0;
  for (let i = 0; i < count; i++) {
    const size = sizeOf(i);
    bytes += lengthBytes + Math.max(0, size);
    if (size < 0) hasNulls = 1;
  }
  const target = Buffer.allocUnsafe(bytes);
  target.writeInt32BE(1, 0);
  target.writeInt32BE(hasNulls, 4);
  target.writeInt32BE(type, 8);
  target.writeInt32BE(count, 12);
  target.writeInt32BE(1, 16);
  let at = headBytes;
  for (let i = 0; i < count; i++) {
    const size = sizeOf(i);
    at = target.writeInt32BE(size, at);
    if (size <= 0) continue;
    write(target, at, i);
    at += size;
  }
  return target;
}

export function encodeBytesArray(values: readonly (Uint8Array | null)[]): Buffer {
  return encodeArray(
    types.bytes,
    values.length,
    (i) => values[i]?.length ?? -1,
    (target, at, i) => target.set(values[i]!, at),
  );
}

/** Encodes binary strings: one character for each byte. */
export function encodeKeyArray(values: readonly string[]): Buffer {
  return encodeArray(
    types.bytes,
    values.length,
    (i) => values[i]!.length,
    (target, at, i) => void target.write(values[i]!, at, 'latin1'),
  );
}

export function encodeInt8Array(values: readonly number[]): Buffer {
  return encodeArray(
    types.int8,
    values.length,
    () => 8,
    (target, at, i) => void target.writeBigInt64BE(BigInt(values[i]!), at),
  );
}

export function encodeFloat8Array(values: readonly (number | null)[]): Buffer {
  return encodeArray(
    types.float8,
    values.length,
    (i) => (values[i] === null ? -1 : 8),
    (target, at, i) => void target.writeDoubleBE(values[i]!, at),
  );
}

export function encodeBoolArray(values: readonly boolean[]): Buffer {
  return encodeArray(
    types.bool,
    values.length,
    () => 1,
    (target, at, i) => void target.writeUInt8(values[i]! ? 1 : 0, at),
  );
}
