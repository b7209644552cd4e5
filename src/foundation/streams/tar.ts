/**
 * Tar archives as streams, in the format that POSIX calls pax: any path, files of any size, and a comment with each
 * file, which other programs ignore.
 *
 * A file is a head of 512 bytes and its content, padded with zeros to a multiple of 512. Values that do not fit into
 * the fields of the head, and the comment, are in a file of type `x` before it, as lines `<length>
 * <keyword>=<value>\n`. Two blocks of zeros end the archive.
 */
import { OperatorError } from '../error.ts';

const blockBytes = 512;

export interface TarFile {
  readonly path: string;
  readonly bytes: number;
  readonly comment?: string;
}

/** The bytes before the content of a file. */
export function writeTarHead({ path, bytes, comment }: TarFile): Uint8Array {
  const isLong = Buffer.byteLength(path) > 100;
  const records = [
    ...(isLong ? [writeRecord('path', path)] : []),
    ...(bytes > 0o77777777777 ? [writeRecord('size', String(bytes))] : []),
    ...(comment === undefined ? [] : [writeRecord('comment', comment)]),
  ].join('');
  const head = writeBlock(isLong ? path.slice(-50) : path, bytes, '0');
  if (records === '') return head;
  const content = Buffer.from(records);
  return Buffer.concat([writeBlock('pax', content.length, 'x'), content, fillBlock(content.length), head]);
}

/** The padding after it. */
export function fillBlock(bytes: number): Uint8Array {
  return new Uint8Array((blockBytes - (bytes % blockBytes)) % blockBytes);
}

export const tarEnd = new Uint8Array(2 * blockBytes);

function writeRecord(keyword: string, value: string): string {
  const rest = ` ${keyword}=${value}\n`;
  // The length includes its own digits.
  let length = Buffer.byteLength(rest);
  while (String(length).length + Buffer.byteLength(rest) !== length)
    length = String(length).length + Buffer.byteLength(rest);
  return `${length}${rest}`;
}

function writeBlock(path: string, bytes: number, type: string): Buffer {
  const block = Buffer.alloc(blockBytes);
  block.write(path, 0, 100);
  block.write('0000600\0' + '0000000\0'.repeat(2), 100);
  block.write(`${Math.min(bytes, 0o77777777777).toString(8).padStart(11, '0')}\0`, 124);
  block.write(`${'0'.repeat(11)}\0`, 136);
  block.write(' '.repeat(8), 148);
  block.write(type, 156);
  block.write('ustar\u000000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** A file of an archive; its content must be read before the next one is requested. */
export interface ReadTarFile extends TarFile {
  readonly content: AsyncIterable<Uint8Array>;
}

/** Throws if the archive is truncated. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ReadTarFile, void> {
  await using bytes = new ByteReader(stream);
  let records = new Map<string, string>();
  for (;;) {
    const block = await bytes.take(blockBytes);
    if (block[0] === 0) return;
    const length = Number.parseInt(block.toString('latin1', 124, 135), 8);
    if (block[156] === 'x'.charCodeAt(0)) {
      records = readRecords(await bytes.take(length));
      await bytes.take(fillBlock(length).length);
      continue;
    }
    const path = records.get('path') ?? block.toString('utf8', 0, block.indexOf(0));
    const size = Number(records.get('size') ?? length);
    const comment = records.get('comment');
    records = new Map();
    yield { path, bytes: size, ...(comment === undefined ? {} : { comment }), content: bytes.pieces(size) };
    await bytes.take(fillBlock(size).length);
  }
}

function readRecords(content: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < content.length;) {
    const length = Number.parseInt(content.toString('latin1', at, at + 20), 10);
    if (!(length > 0)) throw new OperatorError('the archive is damaged: a record has no length');
    const [, keyword = '', value = ''] =
      /^\d+ ([^=]+)=(.*)\n$/s.exec(content.toString('utf8', at, at + length)) ?? [];
    records.set(keyword, value);
    at += length;
  }
  return records;
}

class ByteReader implements AsyncDisposable {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  async take(count: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pieces(count)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *pieces(count: number): AsyncGenerator<Uint8Array, void> {
    for (let left = count; left > 0;) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#chunks.next();
        if (done === true) throw new OperatorError('the archive is truncated');
        this.#rest = value;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return?.();
  }
}
