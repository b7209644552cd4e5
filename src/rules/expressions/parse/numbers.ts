/** Integers: decimal with an optional sign, `0x` hexadecimal, and octal after a leading zero. */
import type { IntLiteral, IntRange } from '../ast.ts';
import type { SourceReader } from './reader.ts';

const int64Max = 2n ** 63n - 1n;
const int64Min = -(2n ** 63n);
/** Hexadecimal digits are read whatever the radix, so that an error points at the whole number. */
const digitsPattern = /[0-9A-Fa-f]+/y;

export function readInt(reader: SourceReader): IntLiteral {
  const start = reader.position;
  if (reader.accept('0x')) return toInt(reader, { start, digitsStart: reader.position, radix: 16 });
  if (reader.peek() === '0') return toInt(reader, { start, digitsStart: start, radix: 8 });
  reader.accept('-');
  return toInt(reader, { start, digitsStart: start, radix: 10 });
}

function toInt(
  reader: SourceReader,
  { start, digitsStart, radix }: { start: number; digitsStart: number; radix: 8 | 10 | 16 },
): IntLiteral {
  if (reader.takeRun(digitsPattern) === '') throw reader.refuse('expected_character', 'expected digit');
  const result = parseSigned(reader.source.slice(digitsStart, reader.position), radix);
  if (typeof result === 'string') {
    throw reader.refuse(
      'bad_number',
      `${result} while parsing with radix ${radix}`,
      reader.getSpanFrom(digitsStart),
    );
  }
  return { kind: 'Int', value: Number(result), exact: result, span: reader.getSpanFrom(start) };
}

/**
 * The number, or an error. If a digit is invalid and the number is too large, the error that comes first in the text
 * is returned.
 */
function parseSigned(text: string, radix: 8 | 10 | 16): bigint | string {
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  const valid = (radix === 8 ? /^[0-7]*/ : radix === 10 ? /^\d*/ : /^[0-9A-Fa-f]*/).exec(digits)![0];
  const prefix = radix === 8 ? '0o' : radix === 16 ? '0x' : '';
  const magnitude = valid === '' ? 0n : BigInt(prefix + valid);
  const value = isNegative ? -magnitude : magnitude;
  if (value > int64Max) return 'number too large to fit in target type';
  if (value < int64Min) return 'number too small to fit in target type';
  return valid === digits ? value : 'invalid digit found in string';
}

/** An item of a set: `5`, or `5..10` with both ends included. */
export function readIntRange(reader: SourceReader): IntRange {
  const start = reader.position;
  const first = readInt(reader);
  const last = reader.accept('..') ? readInt(reader) : first;
  if (last.exact < first.exact)
    throw reader.refuse('bad_range', 'incompatible range bounds', reader.getSpanFrom(start));
  return { first, last };
}
