/**
 * The charsets of a body: those that it declares, and those that its first bytes reveal. Charsets in which ASCII
 * letters have their ASCII bytes stay unchanged, because rules compare bytes; the others are converted to UTF-8.
 */
import { lowerAscii } from '#text';
import { charsetsMax } from './limits.ts';

/** A charset that must be converted to UTF-8 before rules can read it. */
export type ForeignCharset = 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be' | 'iso-2022-jp';

const readable =
  /^(?:utf-?8|(?:us-)?ascii|latin-?1|iso[-_]?8859[-_]\d+|(?:windows-|cp)125\d|shift[-_]jis|euc-[a-z]+|gb(?:k|2312|18030)|big5|koi8-[a-z])?$/;

/** Names without a byte order: the content decides. */
const foreign: ReadonlyMap<string, ForeignCharset | 'utf-16' | 'utf-32'> = new Map([
  ...(['utf-16', 'utf16', 'ucs-2', 'ucs2', 'iso-10646-ucs-2', 'unicode', 'csunicode'] as const).map(
    (name) => [name, 'utf-16'] as const,
  ),
  ['utf-16le', 'utf-16le'],
  ['utf16le', 'utf-16le'],
  ['unicodefeff', 'utf-16le'],
  ['utf-16be', 'utf-16be'],
  ['utf16be', 'utf-16be'],
  ['unicodefffe', 'utf-16be'],
  ['utf-32', 'utf-32'],
  ['utf32', 'utf-32'],
  ['ucs-4', 'utf-32'],
  ['iso-10646-ucs-4', 'utf-32'],
  ['utf-32le', 'utf-32le'],
  ['utf32le', 'utf-32le'],
  ['utf-32be', 'utf-32be'],
  ['utf32be', 'utf-32be'],
  ['iso-2022-jp', 'iso-2022-jp'],
  ['csiso2022jp', 'iso-2022-jp'],
]);

export interface FoundCharsets {
  /** Possible charsets of the body that must be converted. */
  readonly foreign: readonly ForeignCharset[];
  /** A declared charset that cannot be decoded here. */
  readonly unknown: string | undefined;
}

export function findCharsets(bytes: Buffer, contentTypes: readonly string[]): FoundCharsets {
  const found = new Set<ForeignCharset>();
  const shown = findByMark(bytes) ?? findByZeros(bytes);
  if (shown !== undefined) found.add(shown);
  let unknown = isEbcdicXml(bytes) ? 'EBCDIC' : undefined;
  for (const name of [...contentTypes.flatMap(listDeclared), ...listDeclaredInXml(bytes)]) {
    const charset = foreign.get(name);
    if (charset === undefined) {
      if (!readable.test(name)) unknown ??= name;
    } else found.add(isOrdered(charset) ? charset : (shown ?? guessOrder(charset, bytes)));
  }
  const [...all] = found;
  if (all.length > charsetsMax) unknown ??= all.at(-1);
  return { foreign: all.slice(0, charsetsMax), unknown };
}

function isOrdered(charset: ForeignCharset | 'utf-16' | 'utf-32'): charset is ForeignCharset {
  return charset !== 'utf-16' && charset !== 'utf-32';
}

function listDeclared(contentType: string): readonly string[] {
  const declared = contentType.matchAll(/charset\s*=\s*["']?([^"';,\s]*)/gi);
  return Array.from(declared, ([, name]) => lowerAscii(name!));
}

/**
 * After an ASCII declaration, a parser continues in the declared charset; UTF-16 and UTF-32 would have been detected
 * before.
 */
function listDeclaredInXml(bytes: Buffer): readonly string[] {
  const head = bytes.toString('latin1', 0, 256);
  const name = /^(?:\xef\xbb\xbf)?\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"'>]*)/.exec(head)?.[1];
  if (name === undefined || foreign.get(lowerAscii(name))?.startsWith('utf-') === true) return [];
  return [lowerAscii(name)];
}

/** `<?xm` in EBCDIC: XML parsers search for it. */
function isEbcdicXml(bytes: Buffer): boolean {
  return bytes.length >= 4 && bytes.readUInt32BE(0) === 0x4c6fa794;
}

function findByMark(bytes: Buffer): ForeignCharset | undefined {
  if (bytes.length >= 4) {
    const mark = bytes.readUInt32BE(0);
    if (mark === 0x0000feff) return 'utf-32be';
    if (mark === 0xfffe0000) return 'utf-32le';
  }
  if (bytes.length < 2) return undefined;
  const mark = bytes.readUInt16BE(0);
  if (mark === 0xfeff) return 'utf-16be';
  return mark === 0xfffe ? 'utf-16le' : undefined;
}

/**
 * By the positions of the zeros in the first two characters, as JSON and XML parsers do: both start with ASCII. Files
 * often start with zeros as well, but seldom with two letters between them.
 */
function findByZeros(bytes: Buffer): ForeignCharset | undefined {
  const shapes = bytes.toString('latin1', 0, 8).replaceAll(/[\t-~]/g, 'a');
  return zeroShapes.find(([shape]) => shapes.startsWith(shape))?.[1];
}

const zeroShapes: readonly (readonly [string, ForeignCharset])[] = [
  ['\0\0\0a\0\0\0a', 'utf-32be'],
  ['a\0\0\0a\0\0\0', 'utf-32le'],
  ['\0a\0a', 'utf-16be'],
  ['a\0a\0', 'utf-16le'],
];

/** The byte order in which more of the characters are ASCII. */
function guessOrder(charset: 'utf-16' | 'utf-32', bytes: Buffer): ForeignCharset {
  const width = charset === 'utf-16' ? 2 : 4;
  let [little, big] = [0, 0];
  for (let at = 0; at + width <= bytes.length; at += width) {
    if (bytes[at + width - 1] === 0) little++;
    if (bytes[at] === 0) big++;
  }
  return `${charset}${big > little ? 'be' : 'le'}`;
}

/** The text as UTF-8, in a binary string, without its byte order mark. Invalid sequences become U+FFFD. */
export function decodeCharset(bytes: Buffer, charset: ForeignCharset): string {
  const text =
    charset === 'utf-32le' || charset === 'utf-32be'
      ? decodeUtf32(bytes, charset === 'utf-32be')
      : new TextDecoder(charset).decode(bytes);
  return Buffer.from(text, 'utf8').toString('latin1');
}

function decodeUtf32(bytes: Buffer, isBigEndian: boolean): string {
  const points: string[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const point = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
    if (at === 0 && point === 0xfeff) continue;
    const isCharacter = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    points.push(isCharacter ? String.fromCodePoint(point) : '\ufffd');
  }
  return points.join('');
}

/**
 * The body with every run of ASCII in two or four bytes per letter narrowed to one byte each: a part of a form, or a
 * value in it, may be in UTF-16 while the rest is not.
 */
export function narrowWideRuns(body: string): string {
  return body.includes('\0') ? body.replaceAll(wideRuns, (run) => run.replaceAll('\0', '')) : body;
}

/* oxlint-disable no-control-regex */
const wideRuns =
  /(?:[\t-~]\0\0\0){4,}|(?:\0\0\0[\t-~]){4,}|(?:[\t-~]\0(?!\0)){4,}(?:[\t-~]\0)?|(?:\0[\t-~]){4,}/g;
/* oxlint-enable no-control-regex */
