import type { FunctionDefinition } from '../ast.ts';
import { bytesParameter, everywhere, readBytes, createFlagCheck, result } from '../parameters.ts';
import { bytesType } from '../types.ts';
import { decodeUrlEscapes, readUrlCode, readUrlEscape, type UrlEscapeOptions, writeCodePoint } from '#text';

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
    const decodes = flags.includes('u') ? { writeCode: writeCodePoint } : {};
    const decode = flags.includes('r') ? decodeAll : decodeUrlEscapes;
    return (value: string | undefined) => (value === undefined ? undefined : decode(value, decodes));
  },
};

function decodeAll(value: string, options: UrlEscapeOptions): string {
  // Most values contain nothing to decode, and most others nothing that was encoded twice.
  const once = decodeUrlEscapes(value, options);
  if (once === value) return value;
  const twice = decodeUrlEscapes(once, options);
  return twice === once ? once : decodeDeep(twice, options);
}

function decodeDeep(value: string, options: UrlEscapeOptions): string {
  // An escape is never shorter than the bytes it encodes.
  const output = Buffer.allocUnsafe(value.length);
  let length = 0;
  // Bytes that are still to be appended, the next one last: decoded bytes go before the rest of the value.
  const pending: number[] = [];
  for (let position = 0; position < value.length; position++) {
    pending.push(value.charCodeAt(position));
    while (pending.length > 0) {
      output[length++] = pending.pop()!;
      const escapeLength = escapeLengthAtEnd(output, length, options);
      if (escapeLength === 0) continue;
      const decoded = decodeUrlEscapes(output.toString('latin1', length - escapeLength, length), options);
      length -= escapeLength;
      for (let index = decoded.length - 1; index >= 0; index--) pending.push(decoded.charCodeAt(index));
    }
  }
  return output.toString('latin1', 0, length);
}

const plus = 0x2b;

/** The length of the escape that ends here. */
function escapeLengthAtEnd(output: Buffer, length: number, { writeCode }: UrlEscapeOptions): number {
  if (output[length - 1] === plus) return 1;
  if (readUrlEscape(output, length - 3, length) !== -1) return 3;
  return writeCode !== undefined && readUrlCode(output, length - 6, length) !== -1 ? 6 : 0;
}
