import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, readBytes, createFlagCheck, result } from '../parameters.ts';
import { bytesType } from '../types.ts';
import { bytesOf, decodeUrlEscapes } from '#base';

/**
 * An invalid escape stays unchanged. Repeated decoding ends in the same value whatever the order of the escapes,
 * because no two of them overlap. So one pass that looks back after every byte is enough, and its time is proportional
 * to the value however often it was encoded.
 */
export const url_decode: FunctionDefinition = {
  name: 'url_decode',
  summary:
    'The value with %HH and + decoded. Options: r to decode repeatedly until nothing is left to decode, u for %uXXXX as well.',
  parameters: [
    bytesParameter('value'),
    bytesParameter('options', { kind: 'Literal', isOptional: true, checkBytes: createFlagCheck('r', 'u') }),
  ],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: ([, options]) => {
    const flags = readBytes(options);
    const isUnicode = flags.includes('u');
    const decode = flags.includes('r') ? decodeAll : decodeOnce;
    return (value: string | undefined) => (value === undefined ? undefined : decode(value, isUnicode));
  },
};

const escapes = /\+|%[0-9A-Fa-f]{2}/;
const escapesWithUnicode = /\+|%[0-9A-Fa-f]{2}|%u[0-9A-Fa-f]{4}/g;

function decodeOnce(value: string, isUnicode: boolean): string {
  return isUnicode && value.includes('%u')
    ? value.replaceAll(escapesWithUnicode, decodeEscape)
    : decodeUrlEscapes(value);
}

function decodeEscape(escape: string): string {
  if (escape === '+') return ' ';
  if (escape[1] === 'u') return bytesOf(String.fromCharCode(Number.parseInt(escape.slice(2), 16)));
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
}

function decodeAll(value: string, isUnicode: boolean): string {
  // Most values contain nothing to decode, and most others nothing that was encoded twice; this search costs very
  // little.
  const pattern = isUnicode ? escapesWithUnicode : escapes;
  if (value.search(pattern) === -1) return value;
  const decodedOnce = decodeOnce(value, isUnicode);
  return decodedOnce.search(pattern) === -1 ? decodedOnce : decodeDeep(decodedOnce, isUnicode);
}

function decodeDeep(value: string, isUnicode: boolean): string {
  // An escape is never shorter than the bytes it encodes.
  const output = Buffer.allocUnsafe(value.length);
  let length = 0;
  // Bytes that are still to be appended, the next one last: decoded bytes go before the rest of the value.
  const pending: number[] = [];
  for (let position = 0; position < value.length; position++) {
    pending.push(value.charCodeAt(position));
    while (pending.length > 0) {
      output[length++] = pending.pop()!;
      const escapeLength = escapeLengthAtEnd(output, length, isUnicode);
      if (escapeLength === 0) continue;
      const decoded = decodeEscape(output.toString('latin1', length - escapeLength, length));
      length -= escapeLength;
      for (let index = decoded.length - 1; index >= 0; index--) pending.push(decoded.charCodeAt(index));
    }
  }
  return output.toString('latin1', 0, length);
}

const plus = 0x2b;
const percent = 0x25;
const letterU = 0x75;

/** The length of the escape that ends here. */
function escapeLengthAtEnd(output: Buffer, length: number, isUnicode: boolean): number {
  const last = output[length - 1]!;
  if (last === plus) return 1;
  if (!isHex(last)) return 0;
  if (length >= 3 && output[length - 3] === percent && isHex(output[length - 2]!)) return 3;
  if (!isUnicode || length < 6 || output[length - 6] !== percent || output[length - 5] !== letterU) return 0;
  return output.subarray(length - 4, length - 1).every(isHex) ? 6 : 0;
}

/** A digit, or a letter up to F in either case. */
function isHex(byte: number): boolean {
  const lowered = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lowered >= 0x61 && lowered <= 0x66);
}
