/**
 * The texts of a multipart form, read while the form arrives: everything except the content of its files. Rules judge
 * them when the whole form exceeds the inspection limit.
 *
 * The omitted parts must be files to every application, so the form is read strictly:
 *
 * - The boundary is declared once, in plain characters, and the form starts with it. Every other occurrence of its
 *   characters must be a whole delimiter line, or the form is unclear. No data may follow the last one.
 * - A part is a file if its head has one `Content-Disposition` with a name and a file name that is not empty, and only
 *   fields that cannot change how it is read. Every other part is text, whatever its head declares.
 *
 * The texts are a form as well: it contains the start of each file, which file signatures inspect.
 */
import { lowerAscii } from '#text';
import { formFileBytesShown, formFilesBytesShown, formHeadBytesMax } from '../limits.ts';
import type { Pairs } from '../pairs.ts';

/**
 * - `open`: more data must follow.
 * - `closed`: the last delimiter has arrived, and nothing after it.
 * - `unclear`: applications may read it differently.
 * - `too long`: its texts alone exceed the inspection limit.
 */
type FormState = 'open' | 'closed' | 'unclear' | 'too long';

type Place =
  | 'start'
  | 'head'
  /** In a part that is not a file. */
  | 'text'
  | 'file'
  /** After the last delimiter. */
  | 'end';

const [lineEnd, close] = [Buffer.from('\r\n'), Buffer.from('--')];

/** The line end before a delimiter, and the two bytes after it, which mark the last delimiter. */
const besideDelimiter = 2;

export class FormTexts {
  readonly #textBytesMax: number;
  readonly #delimiter: Buffer;
  #state: FormState = 'open';
  #place: Place = 'start';
  /** May be the start of a delimiter. */
  #rest: Buffer = Buffer.alloc(0);
  #head = '';
  readonly #kept = new KeptTexts();
  #fileBytes = 0;
  /** The length that the head of the file declares; undefined if it declares none. */
  #fileBytesDeclared: number | undefined;

  private constructor(boundary: string, textBytesMax: number) {
    this.#delimiter = Buffer.from(`--${boundary}`, 'latin1');
    this.#textBytesMax = textBytesMax;
  }

  /** Undefined if the headers are not those of a plain form with files: then its whole body is text. */
  static start(headers: Pairs, textBytesMax: number): FormTexts | undefined {
    const valuesOf = (name: string): readonly string[] =>
      headers
        .filter(([other]) => other.length === name.length && lowerAscii(other) === name)
        .map(([, value]) => value);
    const [contentType, ...others] = valuesOf('content-type');
    if (contentType === undefined || others.length > 0 || valuesOf('content-encoding').length > 0)
      return undefined;
    const found = formType.exec(contentType);
    const boundary = found?.[1] ?? found?.[2];
    return boundary === undefined ? undefined : new FormTexts(boundary, textBytesMax);
  }

  get state(): FormState {
    return this.#state;
  }

  push(bytes: Buffer): void {
    if (this.#state !== 'open' && this.#state !== 'closed') return;
    const data = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const read = this.#readParts(data);
    // A copy: the rest of a long read must not retain all of it.
    this.#rest = Buffer.from(data.subarray(read));
    if (this.#state === 'open' && this.#kept.textBytes > this.#textBytesMax) this.#state = 'too long';
    if (this.#place === 'end') this.#checkEnd();
  }

  /** The form with the starts of its files, shortened if there is no room for more. */
  toBuffer(): Buffer {
    return this.#kept.join(this.#textBytesMax);
  }

  /** Returns the number of bytes read. */
  #readParts(data: Buffer): number {
    const delimiter = this.#delimiter;
    let at = 0;
    while (this.#place !== 'end' && this.#state === 'open') {
      const found = data.indexOf(delimiter, at);
      const behind = found + delimiter.length;
      if (found === -1 || data.length < behind + besideDelimiter) {
        const safe = (found === -1 ? data.length - delimiter.length + 1 : found) - besideDelimiter;
        if (this.#place === 'start') {
          if (found !== 0 && data.length >= delimiter.length) this.#state = 'unclear';
          return at;
        }
        if (safe <= at) return at;
        this.#readContent(data.subarray(at, safe));
        return safe;
      }
      if (!this.#readDelimiter(data, at, found)) return at;
      at = behind + besideDelimiter;
    }
    return at;
  }

  #readDelimiter(data: Buffer, at: number, found: number): boolean {
    const isFirst = this.#place === 'start';
    const before = found - besideDelimiter;
    const behind = found + this.#delimiter.length;
    const after = data.subarray(behind, behind + besideDelimiter);
    const isLast = after.equals(close);
    const beginsLine = isFirst ? found === 0 : before >= at && data.subarray(before, found).equals(lineEnd);
    if (!beginsLine || (!isLast && !after.equals(lineEnd)) || (isFirst && isLast)) {
      this.#state = 'unclear';
      return false;
    }
    if (!isFirst) this.#readContent(data.subarray(at, before));
    this.#endPart();
    this.#kept.addText(data.subarray(Math.max(0, before), behind + besideDelimiter));
    this.#place = isLast ? 'end' : 'head';
    this.#head = '';
    return this.#state === 'open';
  }

  /** Reads the rest of a part's head, and its content. */
  #readContent(bytes: Buffer): void {
    if (this.#place === 'file') return this.#readFile(bytes);
    if (this.#place === 'text') return this.#kept.addText(bytes);
    const known = this.#head.length;
    this.#head += bytes.toString('latin1');
    const end = this.#head.startsWith('\r\n') ? -2 : this.#head.indexOf('\r\n\r\n', Math.max(0, known - 3));
    if (end === -1) {
      this.#kept.addText(bytes);
      if (this.#head.length > formHeadBytesMax) this.#place = 'text';
      return;
    }
    const content = end + 4 - known;
    this.#kept.addText(bytes.subarray(0, content));
    const file = end > 0 ? readFileHead(this.#head.slice(0, end)) : undefined;
    this.#place = file === undefined ? 'text' : 'file';
    this.#fileBytes = 0;
    this.#fileBytesDeclared = file?.bytesDeclared;
    this.#readContent(bytes.subarray(content));
  }

  #readFile(bytes: Buffer): void {
    const room = formFileBytesShown - this.#fileBytes;
    if (room > 0) this.#kept.addFile(bytes.subarray(0, room));
    this.#fileBytes += bytes.length;
  }

  #endPart(): void {
    if (this.#place !== 'file' || this.#fileBytesDeclared === undefined) return;
    if (this.#fileBytesDeclared !== this.#fileBytes) this.#state = 'unclear';
  }

  #checkEnd(): void {
    if (this.#state === 'too long') return;
    const isClosed = this.#rest.length === 0 || this.#rest.equals(lineEnd);
    const isHalf = this.#rest.length === 1 && this.#rest[0] === lineEnd[0];
    if (isClosed) this.#state = 'closed';
    else this.#state = isHalf ? 'open' : 'unclear';
  }
}

/** Characters that no parser treats as the end of the boundary. Another charset may change the bytes of a delimiter. */
const charset = String.raw`(?:;[ \t]*charset="?(?:utf-8|us-ascii|iso-8859-1)"?[ \t]*)?`;
const formType = new RegExp(
  String.raw`^multipart/form-data[ \t]*${charset};[ \t]*boundary=(?:([\w+.-]{1,70})|"([\w+./:=-]{1,70})")[ \t]*${charset}$`,
  'i',
);

/* oxlint-disable no-control-regex */
/** Without escapes, on which parsers differ; browsers write `%22` for a quote. */
const value = String.raw`(?:"[^"\\\0-\x1f\x7f]+"|[\w.+-]+)`;
/** Not only dots, spaces or folders, which some parsers remove. */
const fileName = String.raw`(?:"[^"\\\0-\x1f\x7f]*[^"\\\0-\x20\x7f./]"|[\w.+-]*[\w+-])`;
/** Some parsers use the second spelling of the file name instead of the first: it must not be empty, either. */
const fileDisposition = new RegExp(
  String.raw`^form-data;[ \t]*name=${value};[ \t]*filename=${fileName}(?:;[ \t]*filename\*=utf-8''[\w.~-][\w.~%-]*)?$`,
  'i',
);
const headLine = /^([A-Za-z-]+):[ \t]*([^\0-\x08\x0a-\x1f\x7f]*)$/;
/* oxlint-enable no-control-regex */

/** Undefined if the part is not a file to every parser. */
function readFileHead(head: string): { readonly bytesDeclared: number | undefined } | undefined {
  const fields = new Map<string, string>();
  for (const line of head.split('\r\n')) {
    const [, name, content] = headLine.exec(line) ?? [];
    if (name === undefined || fields.has(lowerAscii(name))) return undefined;
    fields.set(lowerAscii(name), content!.trimEnd());
  }
  for (const [name, content] of fields) if (fileFields.get(name)?.test(content) !== true) return undefined;
  if (!fields.has('content-disposition')) return undefined;
  const length = fields.get('content-length');
  return { bytesDeclared: length === undefined ? undefined : Number(length) };
}

/** The fields that the head of a file may have. A part that contains parts itself is not a file. */
const fileFields: ReadonlyMap<string, RegExp> = new Map([
  ['content-disposition', fileDisposition],
  ['content-type', /^(?!multipart|message)[\w.+-]+\/[\w.+-]+(?:[ \t]*;[^\r\n]*)?$/i],
  ['content-transfer-encoding', /^(?:binary|8bit|7bit)$/i],
  ['content-length', /^\d{1,15}$/],
]);

/** Texts in one growing buffer, with the positions of the starts of files in it. */
class KeptTexts {
  #buffer = Buffer.alloc(0);
  #length = 0;
  #fileBytes = 0;
  /** Start and end of each piece of a file. */
  readonly #files: (readonly [start: number, end: number])[] = [];

  get textBytes(): number {
    return this.#length - this.#fileBytes;
  }

  addText(bytes: Buffer): void {
    if (bytes.length > this.#buffer.length - this.#length) {
      const grown = Buffer.allocUnsafeSlow(
        Math.max(4_096, 2 * this.#buffer.length, this.#length + bytes.length),
      );
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    this.#length += bytes.copy(this.#buffer, this.#length);
  }

  addFile(bytes: Buffer): void {
    const shown = bytes.subarray(0, formFilesBytesShown - this.#fileBytes);
    if (shown.length === 0) return;
    this.#files.push([this.#length, this.#length + shown.length]);
    this.addText(shown);
    this.#fileBytes += shown.length;
  }

  /** All texts, and as much of the files as fits. */
  join(bytesMax: number): Buffer {
    let room = Math.max(0, bytesMax - this.textBytes);
    const pieces: Buffer[] = [];
    let from = 0;
    for (const [start, end] of this.#files) {
      const shown = Math.min(room, end - start);
      pieces.push(this.#buffer.subarray(from, start + shown));
      room -= shown;
      from = end;
    }
    return Buffer.concat([...pieces, this.#buffer.subarray(from, this.#length)]);
  }
}
