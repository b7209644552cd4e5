/** What fields show of a body. Everything is a binary string; of a damaged body, fields show what can be parsed. */
import { joinHeader, readParameter } from './headers.ts';
import { type Pairs, splitAt } from './pairs.ts';

export interface Part {
  readonly headers: Pairs;
  readonly content: string;
  /** Where its head and its content begin in the body. */
  readonly at: { readonly head: number; readonly content: number };
}

/** Further parts are ignored. */
const partsMax = 1_000;

export function parseParts(body: string, contentType: string): readonly Part[] {
  const boundary = readParameter(`;${splitAt(contentType, ';')[1]}`, 'boundary');
  if (boundary === undefined || boundary === '') return [];
  // A delimiter begins a line; the first one may begin the body.
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
/** The first bytes of files that no program takes for text. */
const magic =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|RIFF[^]{4}WEBP|RIFF[^]{4}(?:WAVE|AVI )|%PDF-|PK[\x03\x05\x07][\x04\x06\x08]|\x1f\x8b|BZh\d|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd|\x7fELF|MZ[^]{2}\x00|\0asm|OggS|fLaC|ID3|\xff[\xfb\xf3\xf2]|[^]{4}ftyp|\x1aE\xdf\xa3|wOF[F2]|\0\x01\0\0|II\*\0|MM\0\*|SQLite format 3\0|PACK\0\0\0|\d{4}git-)/;
const controls = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f]/g;

/** How much of a body is looked at, and which share of control bytes text never has: random bytes have a ninth. */
const lookBytes = 2_048;
const controlShare = 0.02;

/** Whether a body is a file of some kind, by its first bytes: its magic number or its control bytes. */
export function isBinary(body: string): boolean {
  if (magic.test(body)) return true;
  const head = body.slice(0, lookBytes);
  return (head.match(controls)?.length ?? 0) > controlShare * head.length;
}

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
