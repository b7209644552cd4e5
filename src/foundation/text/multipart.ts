/**
 * The one reader of multipart forms. It reads whatever an application may read as a part, and notes as a flaw what
 * applications read in different ways:
 *
 * - Delimiters are whole lines; the first one may stand at the end of any line, as Node reads it. A line that only starts
 *   like one belongs to the content, as Go reads it.
 * - Lines may end in LF alone. A line of a head continues on the next one, for PHP also if that has no colon.
 * - What follows the last delimiter is read as well: PHP looks for further parts there.
 * - A part without a whole head is content.
 *
 * It finds positions, so that a form is judged, shown and changed at the same places. Texts are binary strings.
 */
import { lowerAscii } from './ascii.ts';

/** In the terms of ModSecurity's variables. */
export type MultipartFlaw =
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

export interface MultipartPart {
  /** In its Content-Disposition. Nearly all parts have one; of several, each counts for some application. */
  readonly names: readonly string[];
  /** None for a part that is not a file. */
  readonly fileNames: readonly string[];
  /** As written, one line each. */
  readonly headers: readonly string[];
  /** The positions of its head, of its content, and of its end. */
  readonly head: number;
  readonly start: number;
  readonly end: number;
}

export interface MultipartLimits {
  /** What follows is part of the last one, so that nothing is skipped. */
  readonly partsMax: number;
  /** A part with a longer head has none. */
  readonly headBytesMax?: number;
}

export interface Multipart {
  readonly parts: readonly MultipartPart[];
  readonly flaws: ReadonlySet<MultipartFlaw>;
}

export function readBoundary(contentType: string, flaws = new Set<MultipartFlaw>()): string | undefined {
  let found: string | undefined;
  visitParameters(contentType, flaws, (name, value) => {
    if (name === 'boundary') found ??= value;
  });
  const isQuoted = /boundary\s*=\s*"/i.test(contentType);
  // PHP ends it at a comma; for others the type is not valid then.
  const boundary = isQuoted ? found : found?.split(',', 1)[0];
  if (!boundary) {
    flaws.add('no-boundary');
    return undefined;
  }
  if (/boundary(?:\s+=|=\s)/i.test(contentType)) flaws.add('boundary-whitespace');
  if (isQuoted) flaws.add('boundary-quoted');
  return boundary;
}

/** The parameters of `form-data; name="x"; filename=y`, without quotes. Some parsers need no semicolons. */
function visitParameters(
  header: string,
  flaws: Set<MultipartFlaw>,
  visit: (name: string, value: string) => void,
): void {
  parameter.lastIndex = 0;
  for (let found = parameter.exec(header); found !== null; found = parameter.exec(header)) {
    const [, before, name, quoted, plain] = found;
    const value = quoted ?? plain;
    if (value === undefined) continue;
    if (!before!.includes(';')) flaws.add('missing-semicolon');
    // A backslash escapes only these: browsers sent paths of Windows unescaped.
    visit(lowerAscii(name!), value.includes('\\') ? value.replaceAll(/\\(["\\])/g, '$1') : value);
  }
}

/** A token, and its value if it has one. */
const parameter = /([\s;"=]*)([^\s=;"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\[^])*)"?|([^\s;"]*)))?/gy;

export function splitMultipart(
  body: string | Buffer,
  boundary: string,
  limits: MultipartLimits,
  flaws = new Set<MultipartFlaw>(),
): Multipart {
  return new MultipartReader(body, limits, flaws).read(`--${boundary}`);
}

class MultipartReader {
  readonly #body: string | Buffer;
  readonly #limits: MultipartLimits;
  readonly #flaws: Set<MultipartFlaw>;
  readonly #parts: MultipartPart[] = [];
  #lineSearchedFrom = 0;
  #lineEndFound = -1;

  constructor(body: string | Buffer, limits: MultipartLimits, flaws: Set<MultipartFlaw>) {
    this.#body = body;
    this.#limits = limits;
    this.#flaws = flaws;
  }

  read(delimiter: string): Multipart {
    const { length } = this.#body;
    /** Where the part that is being read starts; undefined before the first delimiter and after the last one. */
    let head: number | undefined;
    let [isClosed, from] = [false, 0];
    for (let at = this.#find(delimiter, 0); at !== -1; at = this.#find(delimiter, from)) {
      if (this.#parts.length >= this.#limits.partsMax) {
        this.#flaws.add('file-limit-exceeded');
        break;
      }
      const behind = at + delimiter.length;
      from = behind;
      const isFirst = head === undefined && !isClosed;
      if (!isFirst && this.#slice(at - 1, at) !== '\n') continue;
      const isLast = this.#slice(behind, behind + 2) === '--';
      const lineEnd = this.#lineEnd(behind);
      if (!this.#isBlank(isLast ? behind + 2 : behind, lineEnd)) {
        this.#flaws.add('unmatched-boundary');
        continue;
      }
      if (head !== undefined) this.#addPart(head, this.#endBefore(at, head));
      else if (isClosed) this.#flaws.add('data-after');
      else if (this.#slice(0, at).trim() !== '') this.#flaws.add('data-before');
      from = Math.min(length, lineEnd + 1);
      head = isLast ? undefined : from;
      isClosed = isLast;
    }
    if (!isClosed) this.#flaws.add('not-closed');
    else if (this.#slice(from, length).trim() !== '') this.#flaws.add('data-after');
    if (head !== undefined && head < length) this.#addPart(head, length);
    return { parts: this.#parts, flaws: this.#flaws };
  }

  #find(text: string, from: number): number {
    const body = this.#body;
    return typeof body === 'string' ? body.indexOf(text, from) : body.indexOf(text, from, 'latin1');
  }

  #slice(from: number, to: number): string {
    const body = this.#body;
    return typeof body === 'string' ? body.slice(from, to) : body.toString('latin1', from, to);
  }

  /** Found once for a line: a long one may contain a delimiter every few bytes. */
  #lineEnd(from: number): number {
    if (from > this.#lineEndFound || from < this.#lineSearchedFrom) {
      const end = this.#find('\n', from);
      this.#lineEndFound = end === -1 ? this.#body.length : end;
      this.#lineSearchedFrom = from;
    }
    return this.#lineEndFound;
  }

  /** Whether only spaces, tabs and a return are left of a line. Stops at the first other byte. */
  #isBlank(from: number, lineEnd: number): boolean {
    for (let at = from; at < lineEnd; at++) {
      const sign = this.#slice(at, at + 1);
      if (sign !== ' ' && sign !== '\t' && !(sign === '\r' && at === lineEnd - 1)) return false;
    }
    return true;
  }

  /** The line end before a delimiter belongs to it. */
  #endBefore(at: number, start: number): number {
    if (at <= start) return start;
    if (this.#slice(at - 2, at) === '\r\n') return Math.max(start, at - 2);
    this.#flaws.add('lf-line');
    return at - 1;
  }

  #addPart(head: number, end: number): void {
    const headers: string[] = [];
    const bytesMax = this.#limits.headBytesMax ?? Infinity;
    let at = head;
    for (;;) {
      const lineEnd = this.#lineEnd(at);
      if (lineEnd >= end || lineEnd - head > bytesMax) {
        this.#flaws.add('invalid-part');
        this.#parts.push({ names: [], fileNames: [], headers: [], head, start: head, end });
        return;
      }
      const line = this.#slice(at, lineEnd);
      at = lineEnd + 1;
      const hasReturn = line.endsWith('\r');
      if (!hasReturn) this.#flaws.add('lf-line');
      const text = hasReturn ? line.slice(0, -1) : line;
      if (text === '') break;
      const isFolded = /^[ \t]/.test(text);
      if (headers.length > 0 && (isFolded || !text.includes(':'))) {
        this.#flaws.add(isFolded ? 'header-folding' : 'invalid-header-folding');
        headers.push(`${headers.pop()!} ${text.trim()}`);
      } else headers.push(text);
    }
    const names: string[] = [];
    const fileNames: string[] = [];
    for (const line of headers) {
      if (!/^content-disposition\s*:/i.test(line)) continue;
      visitParameters(line, this.#flaws, (name, value) => {
        if (name === 'name') names.push(value);
        else if (name === 'filename') fileNames.push(value);
      });
      if (line.includes("'") && /=\s*'/.test(line)) this.#flaws.add('invalid-quoting');
    }
    if (names.length !== 1 || fileNames.length > 1) this.#flaws.add('invalid-part');
    this.#parts.push({ names, fileNames, headers, head, start: at, end });
  }
}
