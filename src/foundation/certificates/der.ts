/**
 * Writes the parts of ASN.1's distinguished encoding (DER, X.690) that certificates need. Each function returns a complete
 * element: tag, length, content.
 */

type Bytes = Uint8Array;

function element(tag: number, ...contents: readonly Bytes[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Uint8Array.of(tag, ...encodeLength(content.length)), content]);
}

/** Up to 127 in one byte; above that, the number of bytes and then the bytes. */
function encodeLength(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export function sequence(...parts: readonly Bytes[]): Buffer {
  return element(0x30, ...parts);
}

export function set(...parts: readonly Bytes[]): Buffer {
  return element(0x31, ...parts);
}

export function boolean(value: boolean): Buffer {
  return element(0x01, Uint8Array.of(value ? 0xff : 0x00));
}

/** A number that is not negative, the highest byte first. */
export function integer(bytes: Bytes): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const digits = bytes.subarray(start);
  // A leading one bit would be a sign.
  return element(0x02, ...((digits[0] ?? 0) >= 0x80 ? [Uint8Array.of(0)] : []), digits);
}

export function bitString(bytes: Bytes, unusedBits = 0): Buffer {
  return element(0x03, Uint8Array.of(unusedBits), bytes);
}

export function octetString(...contents: readonly Bytes[]): Buffer {
  return element(0x04, ...contents);
}

/** `1.2.840.10045.4.3.2`: the first two numbers share a byte, the others take seven bits per byte. */
export function objectIdentifier(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = [first! * 40 + second!];
  for (const number of rest) {
    const digits = [number % 128];
    for (let left = Math.floor(number / 128); left > 0; left = Math.floor(left / 128)) {
      digits.unshift(0x80 | (left % 128));
    }
    bytes.push(...digits);
  }
  return element(0x06, Uint8Array.from(bytes));
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

/** To the second, in two forms: years before 2050 have two digits, later ones four. */
export function time(timeMs: number): Buffer {
  const digits = new Date(timeMs).toISOString().slice(0, 19).replace(/\D/g, '');
  const hasTwoDigits = Number(digits.slice(0, 4)) < 2050;
  const text = `${hasTwoDigits ? digits.slice(2) : digits}Z`;
  return element(hasTwoDigits ? 0x17 : 0x18, Buffer.from(text));
}

/** `[n]` around other elements. */
export function tagged(number: number, ...contents: readonly Bytes[]): Buffer {
  return element(0xa0 | number, ...contents);
}

/** `[n]` replacing the tag of a type that contains bytes. */
export function taggedBytes(number: number, bytes: Bytes): Buffer {
  return element(0x80 | number, bytes);
}
