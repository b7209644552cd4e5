/**
 * Tar archives as streams, in the format that POSIX calls pax: any path, files of any size, and a comment with each
 * file, which other programs ignore.
 *
 * A file is a head of 512 bytes and its content, padded with zeros to a multiple of 512. Values that do not fit into
 * the fields of the head, and the comment, are in a file of type `x` before it, as lines `<length>
 * <keyword>=<value>\n`. Two blocks of zeros end the archive. Archives of others may have the long names of GNU tar.
 */

const blockBytes = 512;

/** The names and records before one file. */
const recordBytesMax = 1024 * 1024;

/** The positions of fields in a head. */
const fields = {
  name: [0, 100],
  size: [124, 136],
  sum: [148, 156],
  type: [156, 157],
  format: [257, 262],
  prefix: [345, 500],
} as const;

export interface TarFile {
  readonly path: string;
  readonly bytes: number;
  readonly comment?: string;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes before the content of a file. */
export function writeTarHead({ path, bytes, comment }: TarFile): Uint8Array {
  const isLong = encoder.encode(path).length > 100;
  const records = [
    ...(isLong ? [writeRecord('path', path)] : []),
    ...(bytes > 0o77777777777 ? [writeRecord('size', String(bytes))] : []),
    ...(comment === undefined ? [] : [writeRecord('comment', comment)]),
  ].join('');
  const head = writeBlock(isLong ? path.slice(-50) : path, bytes, '0');
  if (records === '') return head;
  const content = encoder.encode(records);
  return join([writeBlock('pax', content.length, 'x'), content, fillBlock(content.length), head]);
}

/** The padding after it. */
export function fillBlock(bytes: number): Uint8Array {
  return new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes);
}

export const tarEnd = new Uint8Array(2 * blockBytes);

function writeRecord(keyword: string, value: string): string {
  const rest = ` ${keyword}=${value}\n`;
  const restBytes = encoder.encode(rest).length;
  // The length includes its own digits.
  let length = restBytes;
  while (String(length).length + restBytes !== length) length = String(length).length + restBytes;
  return `${length}${rest}`;
}

function writeBlock(path: string, bytes: number, type: string): Uint8Array {
  const block = new Uint8Array(blockBytes);
  const write = (text: string, at: number): void => block.set(encoder.encode(text).subarray(0, 100), at);
  write(path, 0);
  write('0000600\0' + '0000000\0'.repeat(2), 100);
  write(`${Math.min(bytes, 0o77777777777).toString(8).padStart(11, '0')}\0`, 124);
  write(`${'0'.repeat(11)}\0`, 136);
  write(type, 156);
  write('ustar\u000000', 257);
  write(`${sumHead(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** The sum of all bytes, with spaces in place of the sum itself. */
function sumHead(block: Uint8Array): number {
  const [start, end] = fields.sum;
  return block.reduce((sum, byte, at) => sum + (at >= start && at < end ? 32 : byte), 0);
}

/** A regular file of an archive. Its content can be read until the next file is requested. */
export interface ReadTarFile extends TarFile {
  readonly content: AsyncIterable<Uint8Array>;
}

/** The regular files of an archive. Throws what `toError` makes of a reason if the archive is damaged or truncated. */
export async function* readTar(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  toError: (reason: string) => Error = (reason) => new Error(reason),
): AsyncGenerator<ReadTarFile, void> {
  await using bytes = new ByteReader(stream, toError);
  let records: Readonly<Record<string, string>> = {};
  for (;;) {
    const block = await bytes.take(blockBytes);
    if (block.every((byte) => byte === 0)) return;
    const length = readOctal(block, fields.size);
    if (readOctal(block, fields.sum) !== sumHead(block) || length === undefined)
      throw toError('this is not a tar archive');
    const type = readText(block, fields.type);
    if (type === 'x' || type === 'L') {
      if (length > recordBytesMax) throw toError('the archive is damaged: a name is too long');
      const content = await bytes.take(length);
      await bytes.skip(fillBlock(length).length);
      const read = type === 'x' ? readRecords(content, toError) : { path: readText(content, [0, length]) };
      records = { ...records, ...read };
      continue;
    }
    const { path = readPath(block), size = String(length), comment } = records;
    if (!/^\d{1,15}$/.test(size)) throw toError('the archive is damaged: a size is not a number');
    records = {};
    const file = bytes.open(Number(size));
    if (type === '0' || type === '')
      yield { path, bytes: Number(size), ...(comment === undefined ? {} : { comment }), content: file };
    await bytes.skip(bytes.left + fillBlock(Number(size)).length);
  }
}

type Field = readonly [start: number, end: number];

/** Up to the first zero. */
function readText(bytes: Uint8Array, [start, end]: Field): string {
  const zero = bytes.subarray(start, end).indexOf(0);
  return decoder.decode(bytes.subarray(start, zero === -1 ? end : start + zero));
}

function readOctal(block: Uint8Array, field: Field): number | undefined {
  const text = readText(block, field).trim();
  return /^[0-7]{1,11}$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function readPath(block: Uint8Array): string {
  const name = readText(block, fields.name);
  const prefix = readText(block, fields.format) === 'ustar' ? readText(block, fields.prefix) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function readRecords(content: Uint8Array, toError: (reason: string) => Error): Record<string, string> {
  const records: Record<string, string> = {};
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(decoder.decode(content.subarray(at, at + 20)), 10);
    const record = content.subarray(at, at + length);
    const [, keyword, value] = /^\d+ ([^=]+)=(.*)\n$/s.exec(decoder.decode(record)) ?? [];
    if (keyword === undefined || record.length !== length)
      throw toError('the archive is damaged: a record has another length');
    if (keyword === 'path' || keyword === 'size' || keyword === 'comment') records[keyword] = value!;
    at += length;
  }
  return records;
}

function join(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

class ByteReader implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  readonly #toError: (reason: string) => Error;
  #rest: Uint8Array = new Uint8Array();
  /** The bytes of the open file that are not read yet. */
  left = 0;

  constructor(stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, toError: (reason: string) => Error) {
    this.#chunks =
      Symbol.asyncIterator in stream ? stream[Symbol.asyncIterator]() : stream[Symbol.iterator]();
    this.#toError = toError;
  }

  async take(count: number): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.open(count)) pieces.push(piece);
    return join(pieces);
  }

  async skip(count: number): Promise<void> {
    for await (const _ of this.open(count));
  }

  open(count: number): AsyncGenerator<Uint8Array, void> {
    this.left = count;
    return this.#read();
  }

  async *#read(): AsyncGenerator<Uint8Array, void> {
    while (this.left > 0) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done === true) throw this.#toError('the archive is truncated');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, this.left);
      this.#rest = this.#rest.subarray(piece.length);
      this.left -= piece.length;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }
}
