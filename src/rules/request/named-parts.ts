/**
 * The parts of a text that have names: the cookies of a Cookie header, the arguments of a query, the fields of a body.
 * Explanations use them to say in which of them a rule found something. Everything is a binary string.
 */
import { decodeUrlEscapes, visitCookies, visitPairs } from '#text';
import { looksLikeXml, visitXml } from './arguments/xml.ts';
import { readMultipart } from './arguments/multipart.ts';
import { parseMediaType } from './headers.ts';
import { listJsonParts, looksLikeJson } from './json-parts.ts';
import type { NamedPart, PartKind } from './named-part.ts';

/** Further parts are not named. @internal Exported for tests. */
export const namedPartsMax = 1_000;

export function listCookieParts(text: string): readonly NamedPart[] {
  return listPairParts(text, 'cookie');
}

export function listQueryParts(text: string): readonly NamedPart[] {
  return listPairParts(text, 'argument');
}

/** A path with its query, with or without scheme and host. */
export function listUriParts(text: string): readonly NamedPart[] {
  const question = text.indexOf('?');
  const end = question === -1 ? text.length : question;
  const path = text.slice(0, end);
  const first: NamedPart = {
    kind: 'path',
    name: '',
    value: path,
    decoded: path,
    piece: path,
    at: { piece: 0, value: 0 },
  };
  return question === -1 ? [first] : [first, ...listPairParts(text, 'argument', end + 1)];
}

/** Empty for a body whose type has no names. */
export function listBodyParts(body: string, contentType: string): readonly NamedPart[] {
  const mediaType = parseMediaType(contentType);
  if (mediaType === 'application/x-www-form-urlencoded') return listPairParts(body, 'form field');
  if (mediaType === 'multipart/form-data') return listMultipartParts(body, contentType);
  if (looksLikeJson(mediaType, body)) return listJsonParts(body, namedPartsMax);
  return looksLikeXml(mediaType, body) ? listXmlParts(body) : [];
}

function listXmlParts(body: string): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  visitXml(body, ({ kind, name, value: decoded, start, end }) => {
    if (parts.length >= namedPartsMax) return;
    const value = body.slice(start, end);
    parts.push({ kind, name, value, decoded, piece: value, at: { piece: start, value: start } });
  });
  return parts;
}

function listPairParts(text: string, kind: PartKind, from = 0): readonly NamedPart[] {
  const parts: NamedPart[] = [];
  const isCookie = kind === 'cookie';
  (isCookie ? visitCookies : visitPairs)(
    text,
    (start, nameEnd, valueStart, end) => {
      if (parts.length >= namedPartsMax) return;
      const name = decodeUrlEscapes(text.slice(start, nameEnd), { keepsPlus: isCookie });
      const value = text.slice(valueStart, end);
      const at = { piece: start, value: valueStart };
      parts.push({ kind, name, value, decoded: value, piece: text.slice(start, end), at });
    },
    { from },
  );
  return parts;
}

function listMultipartParts(body: string, contentType: string): readonly NamedPart[] {
  const { parts } = readMultipart(body, contentType);
  return parts.slice(0, namedPartsMax).map(({ names: [name = ''], content, head, start, end }) => ({
    kind: 'multipart field',
    name,
    value: content,
    decoded: content,
    piece: body.slice(head, end),
    at: { piece: head, value: start },
  }));
}
