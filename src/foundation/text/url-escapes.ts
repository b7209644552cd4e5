/** The one reader of URL escapes: `%20`, `+`, and `%u0041` where a dialect has it, decoded in one pass over bytes. */
import { changeBytes } from './binary-string.ts';
import { hexValueOf, readHex } from './hex.ts';

export interface UrlEscapeOptions {
  /** Outside of forms and queries a plus is a plus. */
  readonly keepsPlus?: boolean;
  /**
   * Decodes `%uHHHH` as well: writes the code in at most six bytes, and returns the position after them. Without it, such
   * escapes stay unchanged.
   */
  readonly writeCode?: (bytes: Uint8Array, at: number, code: number) => number;
}

/** Escapes without their hexadecimal digits stay unchanged. */
export function decodeUrlEscapes(
  text: string,
  { keepsPlus = false, writeCode }: UrlEscapeOptions = {},
): string {
  if (!text.includes('%') && (keepsPlus || !text.includes('+'))) return text;
  return changeBytes(text, (bytes, length) => {
    let end = 0;
    for (let at = 0; at < length; at++) {
      const byte = bytes[at]!;
      if (byte !== percent) {
        bytes[end++] = byte === plus && !keepsPlus ? space : byte;
        continue;
      }
      const decoded = readUrlEscape(bytes, at, length);
      const code = writeCode === undefined || decoded !== -1 ? -1 : readUrlCode(bytes, at, length);
      if (code !== -1) {
        end = writeCode!(bytes, end, code);
        at += 5;
      } else {
        bytes[end++] = decoded === -1 ? percent : decoded;
        if (decoded !== -1) at += 2;
      }
    }
    return end;
  });
}

/** The byte that the escape `%HH` at a position represents, or -1. */
export function readUrlEscape(bytes: Uint8Array, at: number, length: number): number {
  if (bytes[at] !== percent || at + 2 >= length) return -1;
  const [high, low] = [hexValueOf[bytes[at + 1]!]!, hexValueOf[bytes[at + 2]!]!];
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

/** The code that the escape `%uHHHH` at a position represents, or -1. */
export function readUrlCode(bytes: Uint8Array, at: number, length: number): number {
  const isCode = bytes[at] === percent && at + 6 <= length && (bytes[at + 1]! | 0x20) === letterU;
  return isCode ? readHex(bytes, at + 2, at + 6) : -1;
}

const [percent, plus, space, letterU] = [0x25, 0x2b, 0x20, 0x75];
