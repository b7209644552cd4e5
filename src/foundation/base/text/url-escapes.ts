/** The one reader of URL escapes: `%20`, `+`, and `%u0041` where a dialect has it, decoded in one pass over bytes. */
import { changeBytes } from './binary-string.ts';

export interface UrlEscapeOptions {
  /** Outside of forms and queries a plus is a plus. */
  readonly keepsPlus?: boolean;
  /** Decodes `%uHHHH`, from the values of its two bytes to one. Without it, such escapes stay unchanged. */
  readonly decodeCode?: (high: number, low: number) => number;
}

/** Escapes without their hexadecimal digits stay unchanged. */
export function decodeUrlEscapes(
  text: string,
  { keepsPlus = false, decodeCode }: UrlEscapeOptions = {},
): string {
  if (!text.includes('%') && (keepsPlus || !text.includes('+'))) return text;
  return changeBytes(text, (bytes, length) => {
    let end = 0;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]!;
      const code = byte === percent && at + 2 < length ? readHex(bytes[at + 1]!, bytes[at + 2]!) : -1;
      if (code !== -1) {
        bytes[end++] = code;
        at += 2;
        continue;
      }
      if (
        decodeCode !== undefined &&
        byte === percent &&
        at + 5 < length &&
        (bytes[at + 1]! | 0x20) === letterU
      ) {
        const high = readHex(bytes[at + 2]!, bytes[at + 3]!);
        const low = readHex(bytes[at + 4]!, bytes[at + 5]!);
        if (high !== -1 && low !== -1) {
          bytes[end++] = decodeCode(high, low);
          at += 5;
          continue;
        }
      }
      bytes[end++] = byte === plus && !keepsPlus ? space : byte;
    }
    return end;
  });
}

const [percent, plus, space, letterU] = [0x25, 0x2b, 0x20, 0x75];

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
