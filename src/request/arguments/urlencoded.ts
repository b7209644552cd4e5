/** `a=1&b=x%20y`, as queries and forms are written. */
import { changeBytes } from '#base';
import { type RequestArgument, argumentsMax } from './argument.ts';

export interface Urlencoded {
  readonly list: readonly RequestArgument[];
  readonly isCut: boolean;
}

/** Escapes that are no two digits stay as they are. A piece without `=` is a name with an empty value. */
export function readUrlencoded(text: string): Urlencoded {
  if (text === '') return { list: [], isCut: false };
  const pieces = text.split('&', argumentsMax + 1);
  const list: RequestArgument[] = [];
  for (const piece of pieces.slice(0, argumentsMax)) {
    if (piece === '') continue;
    const at = piece.indexOf('=');
    const name = at === -1 ? piece : piece.slice(0, at);
    list.push({
      name: decodeUrlencoded(name),
      value: at === -1 ? '' : decodeUrlencoded(piece.slice(at + 1)),
    });
  }
  return { list, isCut: pieces.length > argumentsMax };
}

/** Outside of forms and queries a plus is a plus. */
export function decodeUrlencoded(text: string, { keepsPlus = false } = {}): string {
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

/** The byte that two digits say, or -1. */
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
