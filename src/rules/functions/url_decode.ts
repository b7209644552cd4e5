import type { FunctionDefinition } from '../function-definition.ts';
import { bytesParameter, everywhere, bytesIn, flagsOf, result } from '../parameters.ts';
import { bytesType } from '../types.ts';
import { bytesOf } from '../values.ts';

/**
 * An escape that is none stays as it is. Decoding again and again ends in the same value in whichever order escapes are
 * taken, because no two of them can overlap; so one pass that looks back after every byte is enough, and takes time
 * proportional to the value however deep it was encoded.
 */
export const url_decode: FunctionDefinition = {
  name: 'url_decode',
  summary:
    'The value with %HH and + decoded. Options: r to decode until nothing is left to decode, u for %uXXXX as well.',
  parameters: [
    bytesParameter('value'),
    bytesParameter('options', { kind: 'Literal', isOptional: true, checkBytes: flagsOf('r', 'u') }),
  ],
  uses: everywhere,
  resultType: result(bytesType),
  prepare: ([, options]) => {
    const flags = bytesIn(options);
    const isUnicode = flags.includes('u');
    const decode = flags.includes('r') ? decodeAll : decodeOnce;
    return (value: string | undefined) => (value === undefined ? undefined : decode(value, isUnicode));
  },
};

function decodeOnce(value: string, isUnicode: boolean): string {
  const escapes = isUnicode ? /\+|%[0-9A-Fa-f]{2}|%u[0-9A-Fa-f]{4}/g : /\+|%[0-9A-Fa-f]{2}/g;
  return value.replaceAll(escapes, decodeEscape);
}

function decodeEscape(escape: string): string {
  if (escape === '+') return ' ';
  if (escape[1] === 'u') return bytesOf(String.fromCharCode(Number.parseInt(escape.slice(2), 16)));
  return String.fromCharCode(Number.parseInt(escape.slice(1), 16));
}

function decodeAll(value: string, isUnicode: boolean): string {
  const output: string[] = [];
  // What is still to be appended, the next one last: decoded bytes go before the rest of the value.
  const pending: string[] = [];
  for (const byte of value) {
    pending.push(byte);
    while (pending.length > 0) {
      output.push(pending.pop()!);
      const escape = escapeAtEnd(output, isUnicode);
      if (escape === undefined) continue;
      output.length -= escape.length;
      pending.push(...decodeEscape(escape).split('').toReversed());
    }
  }
  return output.join('');
}

const hexPattern = /^[0-9A-Fa-f]+$/;

function escapeAtEnd(output: readonly string[], isUnicode: boolean): string | undefined {
  const last = output.at(-1)!;
  if (last === '+') return last;
  if (!hexPattern.test(last)) return undefined;
  const short = output.at(-3) === '%' ? output.slice(-2).join('') : '';
  if (hexPattern.test(short)) return `%${short}`;
  const long = isUnicode && output.at(-6) === '%' && output.at(-5) === 'u' ? output.slice(-4).join('') : '';
  return hexPattern.test(long) ? `%u${long}` : undefined;
}
