/** The fields of a body. Everything is a binary string; for a damaged body, fields show the part that can be parsed. */
import { joinHeader, readParameter } from './headers.ts';
import { type Pairs, splitAt } from './pairs.ts';

export interface Part {
  readonly headers: Pairs;
  readonly content: string;
  /** The positions of its head and its content in the body. */
  readonly at: { readonly head: number; readonly content: number };
}

/** Further parts are ignored. */
const partsMax = 1_000;

export function parseParts(body: string, contentType: string): readonly Part[] {
  const boundary = readParameter(`;${splitAt(contentType, ';')[1]}`, 'boundary');
  if (boundary === undefined || boundary === '') return [];
  // A delimiter starts a line; the first one may start the body.
  const delimiter = `\r\n--${boundary}`;
  const [before = '', ...pieces] = `\r\n${body}`.split(delimiter, partsMax + 2);
  const parts: Part[] = [];
  /** The line end before the body is not part of it. */
  let start = before.length - 2;
  for (const piece of pieces) {
    start += delimiter.length;
    const end = start + piece.length;
    if (piece.startsWith('--')) break;
    const [head, content] = splitAt(piece, '\r\n\r\n');
    const at = { head: start + (head.startsWith('\r\n') ? 2 : 0), content: end - content.length };
    start = end;
    const lines = head.split('\r\n').filter((line) => line.trim() !== '');
    const headers = lines
      .map((line) => splitAt(line, ':'))
      .map(([name, value]) => [name.trim(), value.trim()] as const);
    parts.push({ headers, content, at });
  }
  return parts;
}

/** The values of one header of each part; an empty list for a part without it. */
export function readPartHeaders(parts: readonly Part[], name: string): readonly (readonly string[])[] {
  return parts.map(({ headers }) =>
    headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value),
  );
}

/** One parameter of the Content-Disposition of each part: `name`, `filename`. */
export function readPartParameters(parts: readonly Part[], name: string): readonly (readonly string[])[] {
  return parts.map(({ headers }) => {
    const value = readParameter(joinHeader(headers, 'content-disposition'), name);
    return value === undefined ? [] : [value];
  });
}

/* oxlint-disable no-control-regex */
const signatures: readonly (readonly [RegExp, string])[] = [
  [/^\x89PNG\r\n\x1a\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF[\0-\xff]{4}WEBP/, 'image/webp'],
  [/^%PDF-/, 'application/pdf'],
  [/^PK\x03\x04/, 'application/zip'],
  [/^\x1f\x8b/, 'application/gzip'],
  [/^\s*<(?:!doctype html|html|head|body|script)\b/i, 'text/html'],
  [/^\s*<\?xml\b/, 'text/xml'],
  [/^\s*[[{]/, 'application/json'],
];

/** Bytes that do not occur in text. */
const binaryByte = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
/* oxlint-enable no-control-regex */

/** The type of a body by its content, not by its Content-Type header; `""` for an empty body. */
export function sniffType(body: string): string {
  if (body === '') return '';
  const head = body.slice(0, 512);
  const found = signatures.find(([signature]) => signature.test(head));
  if (found !== undefined) return found[1];
  return binaryByte.test(head) ? 'application/octet-stream' : 'text/plain';
}
