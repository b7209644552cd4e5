/** `%20` and `+`, undone in one pass over bytes. */
import { changeBytes } from './binary-string.ts';

/** Escapes without two hexadecimal digits are not changed. Outside of forms and queries a plus is a plus. */
export function decodeUrlEscapes(text: string, { keepsPlus = false } = {}): string {
  if (!text.includes('%') && (keepsPlus || !text.includes('+'))) return text;
  return changeBytes(text, (bytes, length) => {
    let end = 0;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]!;
      const code = byte === 0x25 && at + 2 < length ? readHex(bytes[at + 1]!, bytes[at + 2]!) : -1;
      if (code !== -1) {
        bytes[end++] = code;
        at += 2;
      } else bytes[end++] = byte === 0x2b && !keepsPlus ? 0x20 : byte;
    }
    return end;
  });
}

/** The byte that two digits represent, or -1. */
function readHex(high: number, low: number): number {
  const [first, second] = [hexValueOf[high]!, hexValueOf[low]!];
  return first === -1 || second === -1 ? -1 : first * 16 + second;
}

const hexValueOf = new Int8Array(256).fill(-1);
for (let value = 0; value < 16; value++) {
  const digit = value.toString(16);
  hexValueOf[digit.charCodeAt(0)] = value;
  hexValueOf[digit.toUpperCase().charCodeAt(0)] = value;
}
