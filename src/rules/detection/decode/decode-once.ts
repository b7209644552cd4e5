/**
 * Decodes one layer of encodings that hide characters: URL escapes, overlong UTF-8, full-width letters, HTML entities,
 * JavaScript escapes, nulls. Every text is a binary string, one character for each byte; the time is linear.
 */

import { decodeUrlEscapes, type UrlEscapeOptions, writeCodePoint } from '#text';

export interface Decoded {
  readonly text: string;
  /** The names of the decoded encodings; empty if the text has no such layer. */
  readonly undone: readonly string[];
}

type DecodingStep = readonly [name: string, undo: (text: string) => string];

export function decodeOnce(text: string): Decoded {
  const undone: string[] = [];
  let current = text;
  for (const [name, undo] of steps) {
    const next = undo(current);
    if (next === current) continue;
    undone.push(name);
    current = next;
  }
  return { text: current, undone };
}

const steps: readonly DecodingStep[] = [
  ['URL', undoUrlEscapes],
  ['overlong UTF-8', undoOverlong],
  ['full-width letters', undoFullWidth],
  ['UTF-7', undoUtf7],
  ['HTML entities', undoEntities],
  ['script escapes', undoScriptEscapes],
];

/** Halves of pairs are dropped: they must not stand between the letters of a word. */
const urlEscapes: UrlEscapeOptions = {
  keepsPlus: true,
  writeCode: (bytes, at, code) => (code >= 0xd800 && code < 0xe000 ? at : writeCodePoint(bytes, at, code)),
};

function undoUrlEscapes(text: string): string {
  return decodeUrlEscapes(text, urlEscapes);
}

/**
 * `C0 AF` is a slash in two bytes. Valid UTF-8 never has `C0` or `C1`; a decoder that accepts them accepts any
 * continuation.
 */
function undoOverlong(text: string): string {
  if (!/[\xc0\xc1]|\xe0[\x80-\x9f]|\xf0\x80/.test(text)) return text;
  return text.replaceAll(
    /(?:\xf0\x80|\xe0)([\x80-\x81])([\x80-\xbf])|([\xc0\xc1])([\x80-\xbf]?)/g,
    (_, high: string | undefined, low: string, lead: string | undefined, rest: string) => {
      if (high !== undefined)
        return String.fromCharCode(((high.charCodeAt(0) & 1) << 6) | (low.charCodeAt(0) & 0x3f));
      if (rest === '') return '';
      return String.fromCharCode(((lead!.charCodeAt(0) & 1) << 6) | (rest.charCodeAt(0) & 0x3f));
    },
  );
}

/** The letters of U+FF01 to U+FF5E, in UTF-8; and other characters that databases and servers map to ASCII. */
function undoFullWidth(text: string): string {
  if (!/\xef[\xbc\xbd]|\xca[\xb9\xbc]|\xe2\x80[\x98\x99]|\xcb\x88/.test(text)) return text;
  return text.replaceAll(/\xef([\xbc\xbd])([\x80-\xbf])/g, (whole, middle: string, last: string) => {
    const code = ((middle.charCodeAt(0) & 0x3f) << 6) | (last.charCodeAt(0) & 0x3f);
    const ascii = (0xf000 | code) - 0xfee0;
    return ascii > 0x20 && ascii < 0x7f ? String.fromCharCode(ascii) : whole;
  });
}

/** `+ADw-` is `<`; form decoding has turned the plus into a space. */
function undoUtf7(text: string): string {
  if (!text.includes('AD')) return text;
  return text.replaceAll(/[+ ](A[A-D][A-Za-z0-9+/])-/g, (_, digits: string) =>
    String.fromCharCode(Buffer.from(`${digits}A`, 'base64').readUInt16BE(0) & 0xff),
  );
}

/** Entities for punctuation; there are none for letters. */
const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  amp: '&',
  tab: '\t',
  newline: '\n',
  colon: ':',
  lpar: '(',
  rpar: ')',
  lsqb: '[',
  lbrack: '[',
  rsqb: ']',
  rbrack: ']',
  sol: '/',
  bsol: '\\',
  equals: '=',
  semi: ';',
  comma: ',',
  period: '.',
  grave: '`',
  diacriticalgrave: '`',
  lcub: '{',
  rcub: '}',
  dollar: '$',
  num: '#',
  excl: '!',
  plus: '+',
  ast: '*',
  verbar: '|',
  nbsp: ' ',
};

/** In a text with tags of its own, an entity is a character for display: the tags' attributes are decoded elsewhere. */
function undoEntities(text: string): string {
  if (!text.includes('&') || /<[a-z/!]/i.test(text)) return text;
  return decodeEntities(text);
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(
    /&(?:#x0{0,8}([0-9a-f]{1,6})|#0{0,8}([0-9]{1,7})|([a-z]{2,16}));?/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined)
        return whole.endsWith(';') ? (named[name.toLowerCase()] ?? whole) : undoBareName(whole, name);
      const code = hex === undefined ? Number.parseInt(decimal!, 10) : Number.parseInt(hex, 16);
      return code > 0x10ffff ? whole : encode(code);
    },
  );
}

/** Browsers accept the oldest names without a semicolon. */
function undoBareName(whole: string, name: string): string {
  return name === 'lt' || name === 'gt' || name === 'quot' ? named[name]! : whole;
}

function undoScriptEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replaceAll(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{0{0,8}([0-9a-f]{1,6})\}|([0-3][0-7]{2}))/gi,
    (
      whole,
      byte: string | undefined,
      unit: string | undefined,
      point: string | undefined,
      octal: string | undefined,
    ) => {
      const code =
        octal === undefined ? Number.parseInt(byte ?? unit ?? point!, 16) : Number.parseInt(octal, 8);
      return code > 0x10ffff ? whole : encode(code);
    },
  );
}

/** As UTF-8; bytes that are not characters by themselves stay bytes. */
function encode(code: number): string {
  if (code < 0x80) return String.fromCharCode(code);
  if (code >= 0xd800 && code < 0xe000) return '';
  return Buffer.from(String.fromCodePoint(code), 'utf8').toString('latin1');
}
