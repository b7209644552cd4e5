/**
 * A request without the values of some of its parts, for exceptions for single arguments. The names stay, and so does
 * everything else: rules judge the rest as if the client had sent these values empty.
 */
import {
  Changes,
  decodeJsonEscapes,
  decodeUrlEscapes,
  lowerAscii,
  readBoundary,
  splitMultipart,
  visitCookies,
  visitPairs,
} from '#text';
import type { PartName } from '#expressions';
import { joinHeader, parseMediaType } from '../headers.ts';
import { bracketed, isFormBesideJson, looksLikeJson, visitJsonPlaces } from '../json-parts.ts';
import type { Pairs } from '../pairs.ts';
import type { UriParts } from '../uri.ts';
import { looksLikeGraphql, visitGraphql } from './graphql.ts';
import { looksLikeXml, visitXml } from './xml.ts';

/** The kinds of parts that explanations name. */
export const leftOutKinds = [
  'argument',
  'form field',
  'multipart field',
  'JSON value',
  'GraphQL argument',
  'XML text',
  'XML attribute',
  'cookie',
  'header',
] as const;
export type LeftOutKind = (typeof leftOutKinds)[number];

type Test = (name: string) => boolean;
type TestFor = (kind: LeftOutKind) => Test | undefined;

interface Facts {
  readonly uri: UriParts;
  readonly headers: Pairs;
  readonly body: string;
}

/** Names are binary strings, as in explanations; `[*]` matches every element of a list: `items[*].note`. */
export function leaveOutParts<Given extends Facts>(facts: Given, parts: readonly PartName[]): Given {
  const testFor: TestFor = (kind) => createTest(parts, kind);
  const { query } = facts.uri;
  return {
    ...facts,
    ...(query === undefined
      ? {}
      : { uri: { ...facts.uri, query: leaveOutPairs(query, testFor('argument'), testFor) } }),
    headers: leaveOutHeaders(facts.headers, testFor('header'), testFor('cookie')),
    body: leaveOutOfBody(facts, testFor),
  };
}

function createTest(parts: readonly PartName[], kind: LeftOutKind): Test | undefined {
  const names = parts.filter((part) => part.kind === kind).map(({ name }) => name);
  if (names.length === 0) return undefined;
  const exact = new Set(kind === 'header' ? names.map(lowerAscii) : names);
  const hasLists = kind === 'JSON value' || kind === 'GraphQL argument';
  const patterns = hasLists ? names.filter((name) => name.includes('[*]')).map(toPattern) : [];
  return (name) => exact.has(name) || patterns.some((pattern) => pattern.test(name));
}

function toPattern(name: string): RegExp {
  const escaped = name.split('[*]').map((piece) => RegExp.escape(piece));
  return new RegExp(`^${escaped.join(String.raw`\[\d{1,9}\]`)}$`, 's');
}

function leaveOutPairs(text: string, isLeftOut: Test | undefined, testFor: TestFor): string {
  const inGraphql = testFor('GraphQL argument');
  if (isLeftOut === undefined && inGraphql === undefined) return text;
  const changes = new Changes(text);
  visitPairs(text, (start, nameEnd, valueStart, end) => {
    if (isLeftOut?.(decodeUrlEscapes(text.slice(start, nameEnd))) === true)
      return changes.replace(valueStart, end, '');
    const value = inGraphql && decodeUrlEscapes(text.slice(valueStart, end));
    if (inGraphql !== undefined && looksLikeGraphql(value!))
      changes.replace(valueStart, end, encodeBytes(leaveOutOfGraphql(value!, inGraphql)));
  });
  return changes.result;
}

function encodeBytes(bytes: string): string {
  return bytes.replaceAll(
    /[^\w.~-]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );
}

function leaveOutOfGraphql(document: string, isLeftOut: Test): string {
  const changes = new Changes(document);
  visitGraphql(document, ({ name, start, end }) => {
    if (isLeftOut(name)) changes.replace(start, end, '');
  });
  return changes.result;
}

function leaveOutOfXml(body: string, testFor: TestFor): string {
  const tests = { 'XML text': testFor('XML text'), 'XML attribute': testFor('XML attribute') };
  const changes = new Changes(body);
  visitXml(body, ({ kind, name, start, end }) => {
    if (tests[kind]?.(name) === true) changes.replace(start, end, '');
  });
  return changes.result;
}

function leaveOutHeaders(headers: Pairs, inHeader: Test | undefined, inCookie: Test | undefined): Pairs {
  if (inHeader === undefined && inCookie === undefined) return headers;
  return headers.map(([name, value]) => {
    const lower = lowerAscii(name);
    if (inHeader?.(lower) === true) return [name, ''];
    if (lower !== 'cookie' || inCookie === undefined) return [name, value];
    return [name, leaveOutCookies(value, inCookie)];
  });
}

function leaveOutCookies(header: string, isLeftOut: Test): string {
  const changes = new Changes(header);
  visitCookies(header, (start, nameEnd, valueStart, end) => {
    const name = decodeUrlEscapes(header.slice(start, nameEnd), { keepsPlus: true });
    if (isLeftOut(name)) changes.replace(valueStart, end, '');
  });
  return changes.result;
}

function leaveOutOfBody({ body, headers }: Facts, testFor: TestFor): string {
  if (body === '') return body;
  const contentType = joinHeader(headers, 'content-type');
  const mediaType = parseMediaType(contentType);
  const [inParts, inGraphql] = [testFor('multipart field'), testFor('GraphQL argument')];
  if (mediaType === 'multipart/form-data') {
    return inParts === undefined ? body : leaveOutFields(body, contentType, inParts);
  }
  if (inGraphql !== undefined && looksLikeGraphql(body)) return leaveOutOfGraphql(body, inGraphql);
  if (looksLikeJson(mediaType, body) && !isFormBesideJson(mediaType, body))
    return leaveOutOfJson(body, testFor('JSON value'), inGraphql);
  if (looksLikeXml(mediaType, body)) return leaveOutOfXml(body, testFor);
  return leaveOutPairs(body, testFor('form field'), testFor);
}

/** Files keep their content: it is not an argument. */
function leaveOutFields(body: string, contentType: string, isLeftOut: Test): string {
  const boundary = readBoundary(contentType);
  if (boundary === undefined) return body;
  const changes = new Changes(body);
  for (const { names, fileNames, start, end } of splitMultipart(body, boundary, { partsMax: Infinity }).parts)
    if (fileNames.length === 0 && names.length > 0 && names.every(isLeftOut)) changes.replace(start, end, '');
  return changes.result;
}

/**
 * Strings become empty; numbers and the like have no text. A GraphQL document in a string loses its
 * arguments.
 */
function leaveOutOfJson(body: string, isLeftOut: Test | undefined, inGraphql: Test | undefined): string {
  if (isLeftOut === undefined && inGraphql === undefined) return body;
  const changes = new Changes(body);
  visitJsonPlaces(body, bracketed, ({ token, name, start, end }) => {
    if (token !== 'string') return;
    const value = inGraphql && decodeJsonEscapes(body.slice(start, end));
    if (isLeftOut?.(name) === true) changes.replace(start, end, '');
    else if (inGraphql !== undefined && looksLikeGraphql(value!))
      changes.replace(start, end, JSON.stringify(leaveOutOfGraphql(value!, inGraphql)).slice(1, -1));
  });
  return changes.result;
}
