/** Byte strings in their three forms, and the two forms of patterns. */
import type { BytesLiteral } from '../ast.ts';
import { rawStringHashesMax } from '../limits.ts';
import { bytesOf } from '#text';
import type { SourceReader } from './reader.ts';

/** `"…"`, `r"…"` or `61:62:63`. */
export function readBytes(reader: SourceReader): BytesLiteral {
  const first = reader.peek();
  if (first === '"' || first === 'r') return readText(reader);
  if (first === '') throw reader.refuse('unrecognised_input', 'unrecognised input');
  const start = reader.position;
  const value = readByteString(reader);
  return { kind: 'Bytes', value, form: 'bytes', span: reader.getSpanFrom(start) };
}

/** `"…"` or `r"…"`, in places where hexadecimal bytes are not permitted. */
export function readText(reader: SourceReader): BytesLiteral & { readonly form: 'quoted' | 'raw' } {
  const start = reader.position;
  const form = readOpening(reader);
  const value = form === 'quoted' ? readQuoted(reader) : bytesOf(readRaw(reader));
  return { kind: 'Bytes', value, form, span: reader.getSpanFrom(start) };
}

/** Skips `"` or `r`. */
export function readOpening(reader: SourceReader): 'quoted' | 'raw' {
  if (reader.accept('"')) return 'quoted';
  if (reader.accept('r')) return 'raw';
  throw reader.isAtEnd
    ? reader.refuse('unrecognised_input', 'unrecognised input')
    : reader.refuse('expected_character', 'expected " or r');
}

const plainPattern = /[^"\\]+/y;

/** Parses the text after the opening quote. */
function readQuoted(reader: SourceReader): string {
  const start = reader.position;
  let bytes = '';
  for (;;) {
    bytes += bytesOf(takePlain(reader));
    if (reader.accept('"')) return bytes;
    if (!reader.accept('\\') || reader.isAtEnd) throw createUnterminated(reader, start);
    bytes += readEscape(reader);
  }
}

function takePlain(reader: SourceReader): string {
  const run = reader.takeRun(plainPattern);
  const surplus = reader.position - reader.end;
  // White space after the trimmed source does not belong to a string without a closing quote.
  if (surplus <= 0) return run;
  reader.position = reader.end;
  return run.slice(0, -surplus);
}

function readEscape(reader: SourceReader): string {
  if (reader.accept('"')) return '"';
  if (reader.accept('\\')) return '\\';
  if (reader.accept('x')) return readByte(reader, { digitCount: 2, radix: 16 });
  if (/[0-7]/.test(reader.peek())) return readByte(reader, { digitCount: 3, radix: 8 });
  const start = reader.position;
  reader.takeCharacters(1);
  throw reader.refuse('bad_escape', 'expected ", xHH or OOO after \\', reader.getSpanFrom(start));
}

function readByte(
  reader: SourceReader,
  { digitCount, radix }: { digitCount: number; radix: 8 | 16 },
): string {
  const start = reader.position;
  const digits = takeExactly(reader, digitCount);
  const problem = !(radix === 16 ? /^[0-9A-Fa-f]+$/ : /^[0-7]+$/).test(digits)
    ? 'invalid digit found in string'
    : Number.parseInt(digits, radix) > 0xff
      ? 'number too large to fit in target type'
      : undefined;
  if (problem !== undefined) {
    throw reader.refuse(
      'bad_number',
      `${problem} while parsing with radix ${radix}`,
      reader.getSpanFrom(start),
    );
  }
  return String.fromCharCode(Number.parseInt(digits, radix));
}

function takeExactly(reader: SourceReader, count: number): string {
  const start = reader.position;
  const taken = reader.takeCharacters(count);
  const found = Array.from(taken).length;
  if (found === count) return taken;
  throw reader.refuse(
    'expected_character',
    `expected ${count} characters, but found ${found}`,
    reader.getRestFrom(start),
  );
}

const separators = ':-.';

/** `61:62-63.64`: at least two bytes, because one would look like a number. */
function readByteString(reader: SourceReader): string {
  let bytes = readByte(reader, { digitCount: 2, radix: 16 });
  const start = reader.position;
  if (!separators.includes(takeExactly(reader, 1))) {
    throw reader.refuse('expected_character', 'expected byte separator', reader.getSpanFrom(start));
  }
  for (;;) {
    bytes += readByte(reader, { digitCount: 2, radix: 16 });
    if (reader.isAtEnd || !separators.includes(reader.peek())) return bytes;
    reader.position++;
  }
}

/** Parses the text after the `r` of a raw string, without decoding anything. */
export function readRaw(reader: SourceReader): string {
  const start = reader.position;
  const hashes = reader.takeRun(/#*/y);
  if (hashes.length > rawStringHashesMax) {
    const message = `invalid raw string hash count, there can't be more than ${rawStringHashesMax} #s`;
    throw reader.refuse('raw_string_hashes', message, reader.getRestFrom(start));
  }
  if (!reader.accept('"')) throw reader.refuse('expected_character', 'expected " or #');
  const end = reader.source.indexOf(`"${hashes}`, reader.position);
  if (end === -1 || end >= reader.end) throw createUnterminated(reader, start);
  const text = reader.source.slice(reader.position, end);
  reader.position = end + 1 + hashes.length;
  return text;
}

/**
 * Parses the text after the opening quote of a quoted pattern. A backslash stays together with the next character,
 * except that `\"` means `"`; between `[` and `]` a quote is an ordinary character and `\"` stays unchanged.
 */
export function readQuotedRegex(reader: SourceReader): string {
  const start = reader.position;
  let source = '';
  let isInClass = false;
  for (;;) {
    if (reader.isAtEnd) throw createUnterminated(reader, start);
    const character = reader.takeCharacters(1);
    if (character === '"' && !isInClass) return source;
    if (character === '\\') {
      const next = reader.takeCharacters(1);
      if (next !== '') source += isInClass || next !== '"' ? `\\${next}` : next;
      continue;
    }
    if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    source += character;
  }
}

function createUnterminated(reader: SourceReader, start: number): Error {
  return reader.refuse('unterminated_string', 'could not find an ending quote', reader.getRestFrom(start));
}
