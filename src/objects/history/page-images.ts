/**
 * Database pages as bytes in a record or an image file.
 *
 * ```
 *   page count of the database (4), then per page:
 *   page number (4) · bytes at the front (2) · bytes at the back (2) · the front · the back
 * ```
 *
 * What lies between front and back is zeros. SQLite keeps the free space of a page in its middle, so a
 * page that is not full costs about what is in it.
 */
import { pageBytes } from '#sqlite';

const entryHeaderBytes = 8;
const zeros = Buffer.alloc(pageBytes);
/** A gap shorter than this is not worth looking for. */
const gapBytesMin = 64;

export interface PageImages {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

export function encodePages({ pageCount, pages }: PageImages): Buffer {
  const target = Buffer.allocUnsafe(4 + pages.size * (entryHeaderBytes + pageBytes));
  let at = target.writeUInt32LE(pageCount);
  for (const [number, page] of pages) at = writePage(target, at, number, page);
  return target.subarray(0, at);
}

export function decodePages(source: Uint8Array): PageImages {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const pages = new Map<number, Uint8Array>();
  for (let at = 4; at < bytes.length; ) {
    const page = Buffer.alloc(pageBytes);
    const number = bytes.readUInt32LE(at);
    at = readPage(bytes, at, page);
    pages.set(number, page);
  }
  return { pageCount: bytes.readUInt32LE(0), pages };
}

/** Which pages the encoded images hold, without decoding them. */
export function* pageNumbers(source: Uint8Array): Generator<number> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  for (let at = 4; at < bytes.length; ) {
    yield bytes.readUInt32LE(at);
    at += entryHeaderBytes + bytes.readUInt16LE(at + 4) + bytes.readUInt16LE(at + 6);
  }
}

function writePage(target: Buffer, at: number, number: number, page: Uint8Array): number {
  const { front, back } = gapOf(page, number === 1 ? 100 : 0);
  at = target.writeUInt32LE(number, at);
  at = target.writeUInt16LE(front, at);
  at = target.writeUInt16LE(back, at);
  target.set(page.subarray(0, front), at);
  target.set(page.subarray(pageBytes - back), at + front);
  return at + front + back;
}

function readPage(bytes: Buffer, at: number, page: Buffer): number {
  const front = bytes.readUInt16LE(at + 4);
  const back = bytes.readUInt16LE(at + 6);
  const end = at + entryHeaderBytes + front + back;
  if (front + back > pageBytes || end > bytes.length) throw new RangeError('a page image does not fit its record');
  bytes.copy(page, 0, at + entryHeaderBytes, at + entryHeaderBytes + front);
  bytes.copy(page, pageBytes - back, end - back, end);
  return end;
}

/** The free space of a b-tree page, if it is all zeros. `header` is where the b-tree header starts. */
function gapOf(page: Uint8Array, header: number): { front: number; back: number } {
  const whole = { front: pageBytes, back: 0 };
  const type = page[header];
  if (type !== 2 && type !== 5 && type !== 10 && type !== 13) return whole;
  const pointers = header + (type <= 5 ? 12 : 8);
  const cells = (page[header + 3]! << 8) | page[header + 4]!;
  const front = pointers + cells * 2;
  const content = (page[header + 5]! << 8) | page[header + 6]!;
  if (content - front < gapBytesMin || content > pageBytes) return whole;
  if (zeros.compare(page, front, content, 0, content - front) !== 0) return whole;
  return { front, back: pageBytes - content };
}
