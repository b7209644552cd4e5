/** Binary strings: one character per byte, none above U+00FF. */

/** Encodes a text as UTF-8, in a binary string. */
export function bytesOf(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

/** Decodes UTF-8; undefined if the bytes are not valid UTF-8. */
export function textOf(bytes: string): string | undefined {
  // oxlint-disable-next-line no-control-regex
  if (/^[\0-\x7f]*$/.test(bytes)) return bytes;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(bytes, 'latin1'));
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 for display: invalid bytes become U+FFFD. */
export function showText(bytes: string): string {
  // oxlint-disable-next-line no-control-regex
  return /^[\0-\x7f]*$/.test(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A copy of a binary string, for storing: V8 keeps the whole text of which a value is a slice as long as the value. */
export function copyBytes(value: string): string {
  return Buffer.from(value, 'latin1').toString('latin1');
}

/**
 * The byte at a position. V8 looks up a string method by the representation of the text (slice, concatenation,
 * internalised, …), again for each call where it has seen more than four, as with values of requests; this one is
 * looked up once.
 */
export const byteAt: (value: string, at: number) => number = Function.prototype.call.bind(
  String.prototype.charCodeAt,
);

/** Most values fit; a longer one gets its own buffer. */
const roomBytes = 65_536;
const room = Buffer.alloc(roomBytes);
/** The string in the buffer: the same value is often read several times in a row. */
let inRoom: string | undefined;

/**
 * The bytes of a binary string, valid until the next call. Reading a slice or a concatenated string costs twice as much
 * per byte as reading an array, and copying it in one step costs next to nothing.
 */
export function readBytes(value: string): Buffer {
  if (value === inRoom) return room;
  if (value.length > roomBytes) return Buffer.from(value, 'latin1');
  room.write(value, 'latin1');
  inRoom = value;
  return room;
}

/** The union of the bits that a table assigns to the bytes of a binary string. */
export function bitsOfBytes(value: string, table: Int32Array): number {
  const { length } = value;
  const bytes = readBytes(value);
  let bits = 0;
  for (let at = 0; at < length; at++) bits |= table[bytes[at]!]!;
  return bits;
}

/**
 * The result of `change` on the bytes: it returns how many are left, at most as many as there were. Several times
 * faster than concatenating pieces of text.
 */
export function changeBytes(value: string, change: (bytes: Uint8Array, length: number) => number): string {
  const bytes = readBytes(value);
  inRoom = undefined;
  return bytes.toString('latin1', 0, change(bytes, value.length));
}
