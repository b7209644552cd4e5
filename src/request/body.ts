/** What fields show of a body. Everything is a binary string; damaged bodies give what can be read of them. */
import { headerText, parameterOf } from './headers.ts';
import { type Pairs, splitAt } from './pairs.ts';

export interface Part {
  readonly headers: Pairs;
  readonly content: string;
}

/** Parts beyond these are not looked at. */
const partsMax = 1_000;

export function partsOf(body: string, contentType: string): readonly Part[] {
  const boundary = parameterOf(`;${splitAt(contentType, ';')[1]}`, 'boundary');
  if (boundary === undefined || boundary === '') return [];
  // A delimiter begins a line; the first may begin the body.
  const pieces = `\r\n${body}`.split(`\r\n--${boundary}`, partsMax + 2);
  const parts: Part[] = [];
  for (const piece of pieces.slice(1)) {
    if (piece.startsWith('--')) break;
    const [head, content] = splitAt(piece, '\r\n\r\n');
    const lines = head.split('\r\n').filter((line) => line.trim() !== '');
    const headers = lines
      .map((line) => splitAt(line, ':'))
      .map(([name, value]) => [name.trim(), value.trim()] as const);
    parts.push({ headers, content });
  }
  return parts;
}

/** What one header of each part says; a part without it has none. */
export function headerOfParts(parts: readonly Part[], name: string): readonly (readonly string[])[] {
  return parts.map(({ headers }) =>
    headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value),
  );
}

/** One parameter of the disposition of each part: `name`, `filename`. */
export function parameterOfParts(parts: readonly Part[], name: string): readonly (readonly string[])[] {
  return parts.map(({ headers }) => {
    const value = parameterOf(headerText(headers, 'content-disposition'), name);
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

/** Bytes that text does not have. */
const binaryByte = /[\0-\x08\x0e-\x1a\x1c-\x1f]/;
/* oxlint-enable no-control-regex */

/** The type of a body by its content, not by what the client says; `""` for an empty one. */
export function sniffedType(body: string): string {
  if (body === '') return '';
  const head = body.slice(0, 512);
  const found = signatures.find(([signature]) => signature.test(head));
  if (found !== undefined) return found[1];
  return binaryByte.test(head) ? 'application/octet-stream' : 'text/plain';
}
