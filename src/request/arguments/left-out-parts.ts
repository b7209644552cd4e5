/**
 * A request without the values of some of its parts, for exceptions that are about one argument. The names stay, and so
 * does everything else: rules judge the rest as if the client had sent these values empty.
 */
import { lowerAscii } from '#base';
import type { PartName } from '#expressions';
import { parseParts, readPartParameters } from '../body.ts';
import { joinHeader, parseMediaType } from '../headers.ts';
import { looksLikeJson } from '../json-escapes.ts';
import { listJsonParts } from '../json-parts.ts';
import type { Pairs } from '../pairs.ts';
import type { UriParts } from '../uri.ts';
import { decodeUrlencoded } from './urlencoded.ts';

/** Of the kinds of parts that explanations name. */
export const leftOutKinds = [
  'argument',
  'form field',
  'multipart field',
  'JSON value',
  'cookie',
  'header',
] as const;
export type LeftOutKind = (typeof leftOutKinds)[number];

type Test = (name: string) => boolean;

interface Facts {
  readonly uri: UriParts;
  readonly headers: Pairs;
  readonly body: string;
}

/** Further values of JSON are not found, so rules see them. */
const jsonPartsMax = 10_000;

/** Names are binary strings, as explanations have them; `[*]` stands for every element of a list: `items[*].note`. */
export function leaveOutParts<Given extends Facts>(facts: Given, parts: readonly PartName[]): Given {
  const testFor = (kind: LeftOutKind): Test | undefined => createTest(parts, kind);
  const inQuery = testFor('argument');
  const { query } = facts.uri;
  return {
    ...facts,
    ...(inQuery === undefined || query === undefined
      ? {}
      : { uri: { ...facts.uri, query: leaveOutPairs(query, inQuery) } }),
    headers: leaveOutHeaders(facts.headers, testFor('header'), testFor('cookie')),
    body: leaveOutOfBody(facts, testFor),
  };
}

function createTest(parts: readonly PartName[], kind: LeftOutKind): Test | undefined {
  const names = parts.filter((part) => part.kind === kind).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const exact = new Set(kind === 'header' ? names.map(lowerAscii) : names);
  const patterns = kind === 'JSON value' ? names.filter((name) => name.includes('[*]')).map(toPattern) : [];
  return (name) => exact.has(name) || patterns.some((pattern) => pattern.test(name));
}

function toPattern(name: string): RegExp {
  const escaped = name.split('[*]').map((piece) => RegExp.escape(piece));
  return new RegExp(`^${escaped.join(String.raw`\[\d{1,9}\]`)}$`, 's');
}

function leaveOutPairs(text: string, isLeftOut: Test): string {
  return text
    .split('&')
    .map((piece) => {
      const equals = piece.indexOf('=');
      return equals === -1 || !isLeftOut(decodeUrlencoded(piece.slice(0, equals)))
        ? piece
        : piece.slice(0, equals + 1);
    })
    .join('&');
}

function leaveOutHeaders(headers: Pairs, inHeader: Test | undefined, inCookie: Test | undefined): Pairs {
  if (inHeader === undefined && inCookie === undefined) return headers;
  return headers.map(([name, value]) => {
    const lower = lowerAscii(name);
    if (inHeader?.(lower) === true) return [name, ''];
    if (lower !== 'cookie' || inCookie === undefined) return [name, value];
    return [
      name,
      value
        .split(';')
        .map((piece) => leaveOutCookie(piece, inCookie))
        .join(';'),
    ];
  });
}

function leaveOutCookie(piece: string, isLeftOut: Test): string {
  const equals = piece.indexOf('=');
  if (equals === -1) return piece;
  const name = decodeUrlencoded(piece.slice(0, equals).trim(), { keepsPlus: true });
  return isLeftOut(name) ? piece.slice(0, equals + 1) : piece;
}

function leaveOutOfBody({ body, headers }: Facts, testFor: (kind: LeftOutKind) => Test | undefined): string {
  if (body === '') return body;
  const contentType = joinHeader(headers, 'content-type');
  const mediaType = parseMediaType(contentType);
  const [inForm, inParts, inJson] = [
    testFor('form field'),
    testFor('multipart field'),
    testFor('JSON value'),
  ];
  if (mediaType === 'multipart/form-data') {
    return inParts === undefined ? body : leaveOutFields(body, contentType, inParts);
  }
  if (looksLikeJson(mediaType, body)) return inJson === undefined ? body : leaveOutOfJson(body, inJson);
  return inForm === undefined ? body : leaveOutPairs(body, inForm);
}

/** Files keep their content: it is no argument. */
function leaveOutFields(body: string, contentType: string, isLeftOut: Test): string {
  const parts = parseParts(body, contentType);
  const names = readPartParameters(parts, 'name');
  const files = readPartParameters(parts, 'filename');
  let kept = '';
  /** Up to here the body is in `kept`. */
  let from = 0;
  let searchedFrom = 0;
  for (const [index, { content }] of parts.entries()) {
    const at = body.indexOf(`\r\n\r\n${content}\r\n--`, searchedFrom);
    if (at === -1) break;
    const start = at + 4;
    searchedFrom = start + content.length;
    const [name] = names[index]!;
    if (name === undefined || files[index]!.length > 0 || !isLeftOut(name)) continue;
    kept += body.slice(from, start);
    from = searchedFrom;
  }
  return kept + body.slice(from);
}

/** Strings become empty; numbers and the like cannot hold anything. */
function leaveOutOfJson(body: string, isLeftOut: Test): string {
  let kept = '';
  let from = 0;
  for (const { kind, name, value, at } of listJsonParts(body, jsonPartsMax)) {
    const start = at!.value;
    if (kind !== 'JSON value' || body[start - 1] !== '"' || !isLeftOut(name)) continue;
    kept += body.slice(from, start);
    from = start + value.length;
  }
  return kept + body.slice(from);
}
