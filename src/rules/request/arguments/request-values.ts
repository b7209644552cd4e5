/**
 * Visits every value of a request that an application may read, one after the other: path segments, arguments of the
 * query and of the body in any format, cookies, headers. Names are values as well. Nothing is retained: the visitor
 * takes what it needs, and a name is built only on demand.
 */
import { decodeUrlEscapes, lowerAscii, visitCookies, visitPairs } from '#text';
import { suspectSteps } from '#work';
import { visitDecodedStrings } from '#detection';
import { isBinary, isFile, isPacked } from '../decoding/file-body.ts';
import { joinHeader, parseMediaType } from '../headers.ts';
import { isFormBesideJson, listJsonParts } from '../json-parts.ts';
import type { PartKind } from '../named-part.ts';
import type { Pairs } from '../pairs.ts';
import { findReferredPage, type ReferredPage } from '../referred-page.ts';
import { argumentsMax } from '../limits.ts';
import { looksLikeGraphql, visitGraphql } from './graphql.ts';
import { type FormPart, readMultipart } from './multipart.ts';
import { looksLikeJson5, visitJson5, visitMessagePack, visitYaml } from './other-formats.ts';
import { looksLikeXml, visitXml } from './xml.ts';

export interface ValueVisitor {
  /** `getName` may be called until the visit of all values ends. */
  value(kind: PartKind, getName: () => string, value: string): void;
  /** The name of a value, decoded, if it has a name of its own. */
  name(kind: PartKind, name: string): void;
  /** A whole document whose parts are visited as well. */
  document(text: string): void;
  /** The values visited during the call are in a header: the parts of an address. */
  inHeader(name: string, visit: () => void): void;
}

export interface VisitedRequest {
  /** As received. */
  readonly path: string;
  readonly query: string;
  readonly headers: Pairs;
  readonly body: string;
}

export function visitRequest({ path, query, headers, body }: VisitedRequest, visitor: ValueVisitor): void {
  visitTarget(path, query, visitor);
  const page = findReferredPage(headers);
  for (const [name, value] of headers) visitHeader(name, value, page, visitor);
  if (page !== undefined)
    visitor.inHeader('referer', () => visitTarget(page.path, page.query ?? '', visitor));
  if (body !== '') visitBody(body, joinHeader(headers, 'content-type'), visitor);
}

function visitTarget(path: string, query: string, visitor: ValueVisitor): void {
  visitPath(path, visitor);
  if (query !== '') visitArguments('argument', query, visitor);
}

const plainSegment = /^[\w.~-]*$/;
const plainPath = /^[\w.~/-]*$/;

function visitPath(path: string, visitor: ValueVisitor): void {
  const getName = (): string => '';
  if (path.length > 1) visitor.value('path', getName, path);
  // An application that uses the path as an argument removes the leading slash.
  if (!plainPath.test(path)) visitor.value('path', getName, path.slice(1));
  for (const segment of path.split('/', argumentsMax)) {
    if (!plainSegment.test(segment))
      visitor.value('path', getName, decodeUrlEscapes(segment, { keepsPlus: true }));
  }
}

/** `a=1&b=2` */
function visitArguments(kind: PartKind, text: string, visitor: ValueVisitor): void {
  const repeats = new Repeats();
  visitPairs(
    text,
    (start, nameEnd, valueStart, end) => {
      const name = decodeUrlEscapes(text.slice(start, nameEnd));
      visitor.name(kind, name);
      if (valueStart === end) return;
      const value = decodeUrlEscapes(text.slice(valueStart, end));
      visitText(kind, () => name, value, visitor);
      // A text with an equals sign was never a name.
      if (oddName.test(name)) visitor.value(kind, () => name, `${name}=${value}`);
      if (value.length <= repeatCharactersMax) repeats.add(name, value);
    },
    { pairsMax: argumentsMax },
  );
  if (repeats.hasSome) repeats.visit(kind, visitor);
}

/** A GraphQL document has its own arguments. They come first, because their names are more specific than its own. */
function visitText(kind: PartKind, getName: () => string, value: string, visitor: ValueVisitor): void {
  if (looksLikeGraphql(value))
    visitGraphql(value, (found) => visitor.value('GraphQL argument', () => found.name, found.value));
  visitor.value(kind, getName, value);
}

const oddName = /['"`<(;|\s]/;

/** Names whose values are joined if they occur more than once. */
const repeatsMax = 100;
const repeatCharactersMax = 4_096;

/** The values of each name. Few requests repeat a name, so until then one list suffices. */
class Repeats {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  #byName: Map<string, string[]> | undefined;

  get hasSome(): boolean {
    return this.#byName !== undefined;
  }

  add(name: string, value: string): void {
    if (this.#byName === undefined) {
      const isKnown = this.#names.includes(name);
      if (!isKnown && this.#names.length >= repeatsMax) return;
      if (!isKnown) {
        this.#names.push(name);
        this.#values.push(value);
        return;
      }
      this.#byName = new Map(this.#names.map((each, index) => [each, [this.#values[index]!]]));
    }
    const known = this.#byName.get(name);
    if (known === undefined) {
      if (this.#byName.size < repeatsMax) this.#byName.set(name, [value]);
    } else if (known.length < repeatsMax) known.push(value);
  }

  /** Some applications join all values of a name. */
  visit(kind: PartKind, visitor: ValueVisitor): void {
    for (const [name, values] of this.#byName!) {
      if (values.length < 2) continue;
      for (const separator of ['', ',']) visitor.value(kind, () => name, values.join(separator));
    }
  }
}

/** `Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 `: the text after them is a separate value. */
const products = /^(?:[\w.+-]{1,60}\/[\w.+-]{1,60}(?:\s{1,4}\([^()]{0,200}\))?\s{1,4}){0,20}/;

function visitHeader(
  name: string,
  value: string,
  page: ReferredPage | undefined,
  visitor: ValueVisitor,
): void {
  const lower = lowerAscii(name);
  if (lower === 'referer' && page?.isPlain === true) {
    if (!page.isOwn) visitor.value('header', () => lower, `${page.origin}/`);
    return;
  }
  if (lower === 'cookie') {
    visitCookieHeader(value, visitor);
    return;
  }
  const getName = (): string => lower;
  visitor.value('header', getName, value);
  const product = lower === 'user-agent' ? products.exec(value)![0].length : 0;
  if (product > 0 && product < value.length) visitor.value('header', getName, value.slice(product));
  // `Basic dXNlcjpw`: the scheme is not part of the encoded text.
  const space = lower.endsWith('authorization') ? value.indexOf(' ') : -1;
  if (space !== -1) visitor.value('header', getName, value.slice(space + 1));
}

function visitCookieHeader(text: string, visitor: ValueVisitor): void {
  visitCookies(
    text,
    (start, nameEnd, valueStart, end) => {
      const name = decodeUrlEscapes(text.slice(start, nameEnd), { keepsPlus: true });
      visitor.name('cookie', name);
      if (valueStart === end) return;
      const value = text.slice(valueStart, end);
      visitor.value('cookie', () => name, decodeUrlEscapes(value, { keepsPlus: true }));
      // Some languages decode cookies like forms.
      if (value.includes('+')) visitor.value('cookie', () => name, decodeUrlEscapes(value));
    },
    { pairsMax: argumentsMax },
  );
}

/** A JSON value; `{{` starts a template. */
const jsonStart = /^\s{0,64}(?:\{\s{0,64}["}]|\[\s{0,64}["[{\]\-\dtfn]|")/;
const pairs = /^[^\s<>{}"]{0,200}=/;

/** By its content where its type is missing or wrong: many applications ignore the type. */
function visitBody(body: string, contentType: string, visitor: ValueVisitor): void {
  suspectSteps(20 * body.length);
  const mediaType = parseMediaType(contentType);
  if (isPacked(mediaType)) visitMessagePack(body, (value) => visitor.value('body', () => '', value));
  if (mediaType.endsWith('yaml')) visitYaml(body, (value) => visitor.value('body', () => '', value));
  if (isFile(body, mediaType)) return;
  if (mediaType === 'multipart/form-data' && visitMultipart(body, contentType, visitor)) return;
  if (jsonStart.test(body)) {
    visitJson(body, visitor);
    if (isFormBesideJson(mediaType, body)) visitArguments('form field', body, visitor);
  } else if (looksLikeJson5(body)) {
    visitJson5(body, (value) => visitor.value('JSON value', () => '', value));
    visitText('body', () => '', body, visitor);
  } else if (looksLikeXml(mediaType, body)) {
    visitMarkup(body, visitor);
    // A browser renders markup whatever its type.
    if (!mediaType.endsWith('xml')) visitor.value('body', () => '', body);
  } else if (mediaType === 'application/x-www-form-urlencoded' || pairs.test(body))
    visitArguments('form field', body, visitor);
  else if (!isBinary(body)) visitText('body', () => '', body, visitor);
}

function visitMultipart(body: string, contentType: string, visitor: ValueVisitor): boolean {
  const { parts } = readMultipart(body, contentType);
  for (const part of parts) {
    const { names, fileNames, headers, content, head, start, end } = part;
    const [name = ''] = names;
    for (const each of names) visitor.name('multipart field', each);
    for (const each of fileNames) visitor.value('file name', () => name, each);
    // The content of a file is not an argument: it may be any code.
    if (isFileToAll(part)) continue;
    visitor.value('multipart field', () => name, undoPartEncoding(content, headers));
    // For some applications, the head of a part without a name is content.
    if (names.length === 0 && start > head)
      visitor.value('multipart field', () => name, body.slice(head, end));
  }
  return parts.length > 0;
}

/** Parsers differ on a file without a name, and on which of two dispositions counts: some treat it as a field. */
function isFileToAll({ names, fileNames, headers }: FormPart): boolean {
  if (names.length !== 1 || fileNames.length !== 1 || !/[^\s./]/.test(fileNames[0]!)) return false;
  return headers.filter((line) => /^content-disposition\s*:/i.test(line)).length === 1;
}

function visitJson(body: string, visitor: ValueVisitor): void {
  /** By the positions of the values. Read once, however many names are requested. */
  let names: ReadonlyMap<number, string> | undefined;
  visitDecodedStrings(body, (text, isName, at) => {
    const getName = (): string => (names ??= readJsonNames(body)).get(at) ?? '';
    if (isName) {
      visitor.value('JSON name', getName, text);
      if (text.includes('$') || text === '__proto__' || text === 'prototype')
        visitor.name('JSON name', getName());
    } else visitText('JSON value', getName, text, visitor);
  });
  visitor.document(body);
}

function readJsonNames(body: string): ReadonlyMap<number, string> {
  return new Map(listJsonParts(body, argumentsMax).map(({ at, name }) => [at.value, name]));
}

function visitMarkup(body: string, visitor: ValueVisitor): void {
  visitXml(body, ({ kind, name, value }) => visitor.value(kind, () => name, value));
  visitor.document(body);
}

/**
 * Decodes the Content-Transfer-Encoding of a part of a form, which browsers never use and some libraries still decode.
 */

function undoPartEncoding(content: string, headers: readonly string[]): string {
  const encoding = headers
    .map((line) => /^content-transfer-encoding\s*:\s*([\w-]+)/i.exec(line)?.[1])
    .find((name) => name !== undefined)
    ?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(content, 'base64').toString('latin1');
  if (encoding !== 'quoted-printable') return content;
  return content
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-Fa-f]{2})/g, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
}
