/** Encodings of values for their places. Bytes that are not text are characters from U+E000 on, one for each byte. */
import type { Random } from './random.ts';

const rawBase = 0xe000;

export function toRaw(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(rawBase + byte)).join('');
}

/** Text as UTF-8, raw bytes as they are. */
export function toBytes(text: string): Buffer {
  if (!/[\u{e000}-\u{e0ff}]/u.test(text)) return Buffer.from(text, 'utf8');
  return Buffer.concat(
    text
      .split(/([\u{e000}-\u{e0ff}]+)/u)
      .map((piece, index) =>
        index % 2 === 0
          ? Buffer.from(piece, 'utf8')
          : Buffer.from(Array.from(piece, (character) => character.charCodeAt(0) - rawBase)),
      ),
  );
}

/** The encoding of each byte. */
type Table = readonly string[];

function createTable(kept: RegExp): Table {
  return Array.from({ length: 256 }, (_, byte) => {
    const character = String.fromCharCode(byte);
    return byte < 0x80 && kept.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

const componentTable = createTable(/[A-Za-z0-9_.~!*()-]/);
const littleTable = createTable(/[!$()*,./0-9:;?@A-Z[\]^_`a-z{|}~'-]/);
const targetTable = createTable(/[!$%&()*+,./0-9:;=?@A-Z[\]^_`a-z{|}~'\\-]/);
const formTable = createTable(/[A-Za-z0-9_.*-]/).with(0x20, '+');
const everyTable = createTable(/(?!)/);

function encode(text: string, table: Table): string {
  let encoded = '';
  for (const byte of toBytes(text)) encoded += table[byte]!;
  return encoded;
}

export function encodePercent(text: string): string {
  return encode(text, componentTable);
}

/** As the address bar of a browser does: only characters that are not allowed in a query. */
export function encodeLittle(text: string): string {
  return encode(text, littleTable);
}

/** Everything that a browser changes in a typed URL. */
export function encodeTarget(text: string): string {
  return encode(text.split('#', 1)[0]!, targetTable);
}

export function encodeForm(text: string): string {
  return encode(text, formTable);
}

export function encodeEvery(text: string): string {
  return encode(text, everyTable);
}

export function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As frameworks do whose output goes into a page. */
export function escapeJsonMore(text: string, random: Random): string {
  const escaped = escapeJson(text);
  if (!random.oneIn(6)) return escaped;
  return escaped.replaceAll(
    /[^ -~]|[<>&']/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
