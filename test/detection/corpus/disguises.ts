/** Other spellings of an attack, which reach the application as the same value. */
import { encodeEvery, encodePercent, escapeXml, toBytes } from './encodings.ts';
import type { Place, Transport } from './places.ts';
import type { Random } from './random.ts';

export interface Disguise {
  readonly name: string;
  /** Places where it can be used; all by default. */
  readonly places?: readonly string[];
  /** Classes of attacks that it makes sense for; all by default. */
  readonly classes?: readonly string[];
  readonly transport?: Transport;
  /** The same if it does not apply to this value. */
  readonly change?: (value: string, random: Random) => string;
}

const encodedPlaces = ['query', 'form', 'path', 'cookie', 'argument name'];
const bodies = ['form', 'json', 'multipart', 'xml'];

function eachCharacter(text: string, write: (code: number) => string): string {
  return Array.from({ length: text.length }, (_, index) => write(text.charCodeAt(index))).join('');
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

const overlong: Readonly<Record<string, string>> = {
  "'": '%c0%a7',
  '<': '%c0%bc',
  '>': '%c0%be',
  '/': '%c0%af',
  '.': '%c0%ae',
  '"': '%c0%a2',
  ';': '%c0%bb',
  '|': '%c1%bc',
  '(': '%c0%a8',
};

const sqlWords =
  /\b(?:union|select|from|where|and|or|sleep|having|order by|exec|insert|update|delete|drop|limit|waitfor|like|concat|cast)\b/gi;

function mixCase(text: string, random: Random): string {
  return text.replaceAll(/[a-z]/gi, (letter) =>
    random.oneIn(2) ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

export const disguises: readonly Disguise[] = [
  { name: 'every byte encoded', places: encodedPlaces, transport: { percent: encodeEvery } },
  {
    name: 'encoded twice',
    places: encodedPlaces,
    transport: { percent: (text) => encodePercent(encodePercent(text)) },
  },
  {
    name: 'encoded three times',
    places: encodedPlaces,
    transport: { percent: (text) => encodePercent(encodePercent(encodePercent(text))) },
  },
  {
    name: 'every byte twice',
    places: encodedPlaces,
    transport: { percent: (text) => encodeEvery(text).replaceAll('%', '%25') },
  },
  {
    name: '%uXXXX',
    places: ['query', 'form', 'cookie'],
    transport: { percent: (text) => eachCharacter(text, (code) => `%u${hex(code, 4)}`) },
  },
  {
    name: 'overlong UTF-8',
    places: ['query', 'form', 'path'],
    classes: ['sql', 'xss', 'traversal', 'command'],
    transport: {
      percent: (text) =>
        Array.from(text, (character) => overlong[character] ?? encodePercent(character)).join(''),
    },
  },
  {
    name: 'JSON escapes',
    places: ['json'],
    transport: { jsonEscape: (text) => eachCharacter(text, (code) => `\\u${hex(code, 4)}`) },
  },
  { name: 'gzip', places: bodies, transport: { contentEncoding: 'gzip' } },
  { name: 'brotli', places: bodies, transport: { contentEncoding: 'br' } },
  { name: 'UTF-16', places: ['json', 'xml'], transport: { charset: 'utf-16le' } },
  {
    name: 'no known type',
    places: ['form', 'json', 'xml'],
    transport: { contentType: 'application/octet-stream' },
  },
  { name: 'text type', places: ['form', 'json', 'xml'], transport: { contentType: 'text/plain' } },
  { name: 'base64 part', places: ['multipart'], transport: { partEncoding: 'base64' } },
  { name: 'quoted-printable part', places: ['multipart'], transport: { partEncoding: 'quoted-printable' } },
  {
    name: 'XML numeric entities',
    places: ['xml'],
    transport: {
      xmlEscape: (text) => Array.from(text, (character) => `&#${character.codePointAt(0)};`).join(''),
    },
  },
  {
    name: 'XML hexadecimal entities',
    places: ['xml'],
    transport: {
      xmlEscape: (text) =>
        Array.from(text, (character) => `&#x${hex(character.codePointAt(0)!, 2)};`).join(''),
    },
  },
  {
    name: 'CDATA',
    places: ['xml'],
    transport: { xmlEscape: (text) => (text.includes(']]>') ? escapeXml(text) : `<![CDATA[${text}]]>`) },
  },
  {
    name: 'base64',
    places: ['query', 'form', 'json', 'cookie'],
    change: (value) => (value.length < 15 ? value : toBytes(value).toString('base64')),
  },
  {
    name: 'full-width letters',
    places: ['query', 'form', 'json'],
    classes: ['sql', 'xss', 'command', 'traversal', 'template', 'code', 'lookup'],
    change: (value) =>
      eachCharacter(value, (code) => String.fromCharCode(code > 0x20 && code < 0x7f ? code + 0xfee0 : code)),
  },
  {
    name: 'JSON in a form',
    places: ['form', 'query'],
    change: (value) => JSON.stringify({ a: { b: [value] } }),
  },
  { name: 'form in JSON', places: ['json'], change: (value) => `a=1&b=${encodePercent(value)}` },
  {
    name: 'mixed case',
    classes: ['sql'],
    change: (value, random) => value.replaceAll(sqlWords, (word) => mixCase(word, random)),
  },
  {
    name: 'comments',
    classes: ['sql'],
    change: (value, random) =>
      value.replaceAll(/(?<=[\w)'"]) (?=[\w('"@])/g, () => random.pick(['/**/', '/*x*/', '/*!*/'])),
  },
  {
    name: 'odd spaces',
    classes: ['sql'],
    change: (value, random) =>
      value.replaceAll(/(?<=[\w)'"]) (?=[\w('"@])/g, () =>
        random.pick(['\t', '\n', '\r\n', '\v', '\f', '\n\n']),
      ),
  },
  {
    name: 'versioned comments',
    classes: ['sql'],
    change: (value) => value.replaceAll(/\b(?:union|select|from|and|or|where|sleep)\b/gi, '/*!50000$&*/'),
  },
  {
    name: 'nulls in words',
    places: ['query', 'form', 'json'],
    classes: ['sql', 'xss'],
    change: (value) =>
      value.replace(
        /\b(?:union|select|script|onerror|onload|sleep)\b/i,
        (word) => `${word.slice(0, 2)}\0${word.slice(2)}`,
      ),
  },
  {
    name: 'mixed case of markup',
    classes: ['xss'],
    change: (value, random) =>
      value.replaceAll(/<\/?[a-z]+|\bon[a-z]+(?=\s*=)|\bjavascript:/gi, (word) => mixCase(word, random)),
  },
  {
    name: 'HTML entities',
    classes: ['xss'],
    change: (value) =>
      value.replace(
        /(\bon[a-z]+\s*=\s*["']?|javascript:)([^>"]{4,})/i,
        (_, start: string, code: string) => `${start}${eachCharacter(code, (each) => `&#${each};`)}`,
      ),
  },
  {
    name: 'JavaScript escapes',
    classes: ['xss'],
    change: (value, random) =>
      value.replaceAll(
        /\b(?:alert|confirm|prompt|eval|fetch)\b/g,
        (word) =>
          `\\u${random.oneIn(2) ? hex(word.charCodeAt(0), 4) : `{${hex(word.charCodeAt(0), 2)}}`}${word.slice(1)}`,
      ),
  },
  {
    name: 'slashes in tags',
    classes: ['xss'],
    change: (value) => value.replaceAll(/(<[a-z]+) (?=\w)/gi, '$1/'),
  },
  {
    name: 'quotes in commands',
    classes: ['command'],
    change: (value) =>
      /['"\\^$`]/.test(value)
        ? value
        : value.replaceAll(
            /\b(?:cat|id|whoami|uname|ping|wget|curl|ls|netstat|ps)\b/g,
            (word) => `${word[0]}''${word.slice(1)}`,
          ),
  },
  {
    name: 'backslashes in commands',
    classes: ['command'],
    change: (value) =>
      /['"\\^$`]/.test(value)
        ? value
        : value.replaceAll(
            /\b(?:cat|whoami|uname|ping|wget|curl|netstat)\b/g,
            (word) => `${word.slice(0, 2)}\\${word.slice(2)}`,
          ),
  },
  {
    name: '$IFS',
    classes: ['command'],
    change: (value) => (/[&'"]|C:/i.test(value) ? value : value.replaceAll(/(?<=\w) (?=[\w/-])/g, '${IFS}')),
  },
  {
    name: 'backslashes',
    classes: ['traversal'],
    change: (value) => (value.includes('://') ? value : value.replaceAll('../', '..\\')),
  },
  { name: 'dots and slashes', classes: ['traversal'], change: (value) => value.replaceAll('../', '.././') },
];

export function listDisguises(place: Place, attackClass: string, isWhole: boolean): readonly Disguise[] {
  return disguises.filter(
    ({ places, classes, change, transport }) =>
      (places === undefined || places.includes(place.name)) &&
      (classes === undefined || classes.includes(attackClass)) &&
      // A whole body or query has no value that could be changed or encoded differently.
      (!isWhole ||
        (change === undefined &&
          (transport?.contentEncoding ?? transport?.charset ?? transport?.contentType) !== undefined)),
  );
}
