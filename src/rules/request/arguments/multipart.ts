/**
 * A multipart form, parsed strictly: anything that parsers could read differently is recorded as a flaw, and the
 * readable parts are returned nevertheless.
 */
import { argumentsMax } from '../limits.ts';

export interface MultipartField {
  readonly name: string;
  /** `undefined` for a field that is not a file. */
  readonly fileName: string | undefined;
  /** As written, one line each. */
  readonly headers: readonly string[];
  readonly content: string;
}

/** The flaws of a form, in the terms of ModSecurity's variables. */
type MultipartFlaw =
  | 'boundary-quoted'
  | 'boundary-whitespace'
  | 'data-before'
  | 'data-after'
  | 'header-folding'
  | 'lf-line'
  | 'missing-semicolon'
  | 'invalid-quoting'
  | 'invalid-part'
  | 'invalid-header-folding'
  | 'file-limit-exceeded'
  | 'unmatched-boundary'
  | 'no-boundary'
  | 'not-closed';

export interface Multipart {
  readonly fields: readonly MultipartField[];
  readonly flaws: ReadonlySet<MultipartFlaw>;
}

export function readMultipart(body: string, contentType: string): Multipart {
  const flaws = new Set<MultipartFlaw>();
  const fields: MultipartField[] = [];
  const boundary = readBoundary(contentType, flaws);
  if (boundary === undefined) return { fields, flaws };
  const delimiter = `--${boundary}`;
  const pieces = splitAtDelimiter(body, delimiter, flaws);
  if (pieces.before.trim() !== '') flaws.add('data-before');
  for (const piece of pieces.parts.slice(0, argumentsMax)) {
    const field = readField(piece, flaws);
    if (field !== undefined) fields.push(field);
    else flaws.add('invalid-part');
  }
  if (pieces.parts.length > argumentsMax) flaws.add('file-limit-exceeded');
  if (pieces.after === undefined) flaws.add('not-closed');
  else if (pieces.after.trim() !== '') flaws.add('data-after');
  return { fields, flaws };
}

function readBoundary(contentType: string, flaws: Set<MultipartFlaw>): string | undefined {
  const found = /;\s*boundary(\s*)=(\s*)("?)([^";,]*)/i.exec(contentType);
  const boundary = found?.[4]!.trim();
  if (found === null || boundary === undefined || boundary === '') {
    flaws.add('no-boundary');
    return undefined;
  }
  if (found[1] !== '' || found[2] !== '') flaws.add('boundary-whitespace');
  if (found[3] === '"') flaws.add('boundary-quoted');
  return boundary;
}

interface Pieces {
  readonly before: string;
  readonly parts: readonly string[];
  /** The text after the closing delimiter; `undefined` if there is no closing delimiter. */
  readonly after: string | undefined;
}

/** Delimiters start a line. The line end before one belongs to it. */
function splitAtDelimiter(body: string, delimiter: string, flaws: Set<MultipartFlaw>): Pieces {
  const parts: string[] = [];
  let before: string | undefined;
  let start = 0;
  for (let at = body.indexOf(delimiter); at !== -1; at = body.indexOf(delimiter, at + delimiter.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    const behind = at + delimiter.length;
    const isLast = body.startsWith('--', behind);
    const lineEnd = body.indexOf('\n', behind);
    const rest = body.slice(behind, lineEnd === -1 ? body.length : lineEnd);
    if (!isLast && rest.trim() !== '') {
      flaws.add('unmatched-boundary');
      continue;
    }
    const piece = body.slice(start, endOfLineBefore(body, at, start, flaws));
    if (before === undefined) before = piece;
    else parts.push(piece);
    if (isLast) return { before, parts, after: body.slice(behind + 2) };
    start = lineEnd === -1 ? body.length : lineEnd + 1;
  }
  if (before !== undefined && start < body.length) parts.push(body.slice(start));
  return { before: before ?? body, parts, after: undefined };
}

function endOfLineBefore(body: string, at: number, start: number, flaws: Set<MultipartFlaw>): number {
  if (at <= start) return start;
  if (body[at - 2] === '\r') return Math.max(start, at - 2);
  flaws.add('lf-line');
  return at - 1;
}

function readField(piece: string, flaws: Set<MultipartFlaw>): MultipartField | undefined {
  const headers: string[] = [];
  let at = 0;
  for (;;) {
    const end = piece.indexOf('\n', at);
    if (end === -1) return undefined;
    const line = piece.slice(at, end).replace(/\r$/, '');
    if (piece[end - 1] !== '\r') flaws.add('lf-line');
    at = end + 1;
    if (line === '') break;
    if (/^[ \t]/.test(line) && headers.length > 0) {
      flaws.add('header-folding');
      headers.push(`${headers.pop()!} ${line.trim()}`);
    } else {
      headers.push(line);
    }
  }
  const disposition = headers.find((line) => /^content-disposition\s*:/i.test(line)) ?? '';
  const parameters = disposition.slice(disposition.indexOf(':') + 1);
  const name = readDispositionParameter(parameters, 'name');
  if (name === undefined) return undefined;
  if (/=\s*'/.test(parameters)) flaws.add('invalid-quoting');
  const fileName = readDispositionParameter(parameters, 'filename');
  return { name, fileName, headers, content: piece.slice(at) };
}

/** A backslash escapes only a quote: browsers send Windows paths unescaped. */
function readDispositionParameter(parameters: string, name: string): string | undefined {
  for (const [, key, quoted, plain] of parameters.matchAll(
    /;\s*([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s;"]*))/g,
  )) {
    if (key!.toLowerCase() === name) return quoted?.replaceAll('\\"', '"') ?? plain;
  }
  return undefined;
}
