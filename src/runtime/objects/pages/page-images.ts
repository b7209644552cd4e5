/**
 * Database pages as bytes in a record or an image file.
 *
 * ```
 *   page count of the database (4), then per page:
 *   page number (4) · bytes at the front (2) · bytes at the back (2) · the front · the back
 * ```
 *
 * What lies between front and back is zeros. SQLite keeps the free space of a page in its middle, so a page that is not
 * full costs about as much as its content.
 */
import { pageBytes } from '#sqlite';

const entryHeaderBytes = 8;
const zeros = Buffer.alloc(pageBytes);
/** A gap shorter than this is not worth looking for. */
const gapBytesMin = 64;

/** The parts of a page that are kept: this many bytes at the front and at the back. */
interface Gap {
  readonly front: number;
  readonly back: number;
}

export interface PageImages {
  readonly pageCount: number;
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

export function encodePages(
  { pageCount, pages }: PageImages,
  allocate: (bytes: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const kept: Gap[] = [];
  let size = 4;
  for (const [number, page] of pages) {
    const gap = gapOf(page, number === 1 ? 100 : 0);
    size += entryHeaderBytes + gap.front + gap.back;
    kept.push(gap);
  }
  // Exactly the needed size: most commits are small, and wait in memory until they are on disk.
  const target = allocate(size);
  let at = target.writeUInt32LE(pageCount);
  let index = 0;
  for (const [number, page] of pages) at = writePage(target, at, number, page, kept[index++]!);
  return target;
}

export function decodePages(source: Uint8Array): PageImages {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const starts: number[] = [];
  for (let at = 4; at < bytes.length; at = endOfPage(bytes, at)) starts.push(at);
  // One buffer for all pages: adjacent pages can be written to a file directly.
  const memory = Buffer.alloc(starts.length * pageBytes);
  const pages = new Map<number, Uint8Array>();
  for (const [index, at] of starts.entries()) {
    const page = memory.subarray(index * pageBytes, (index + 1) * pageBytes);
    readPage(bytes, at, page);
    pages.set(bytes.readUInt32LE(at), page);
  }
  return { pageCount: bytes.readUInt32LE(0), pages };
}

/** Where each encoded page is. */
export function* findPages(
  source: Uint8Array,
): Generator<{ readonly number: number; readonly start: number; readonly end: number }> {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  for (let start = 4; start < bytes.length;) {
    const end = endOfPage(bytes, start);
    yield { number: bytes.readUInt32LE(start), start, end };
    start = end;
  }
}

/** One page, from the part of the encoded form that `findPages` found. */
export function decodePage(part: Buffer): Uint8Array {
  const page = Buffer.alloc(pageBytes);
  readPage(part, 0, page);
  return page;
}

export function pageCountOf(source: Uint8Array): number {
  return Buffer.from(source.buffer, source.byteOffset, source.byteLength).readUInt32LE(0);
}

/** Calls `place` for each page; if it returns a place in `target`, the page is copied there. */
export function copyPages(
  source: Uint8Array,
  target: Buffer,
  place: (pageNumber: number) => number | undefined,
): void {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  for (let at = 4; at < bytes.length;) {
    const end = endOfPage(bytes, at);
    const start = place(bytes.readUInt32LE(at));
    if (start !== undefined) {
      const front = bytes.readUInt16LE(at + 4);
      const back = bytes.readUInt16LE(at + 6);
      const middle = at + entryHeaderBytes + front;
      bytes.copy(target, start, at + entryHeaderBytes, middle);
      target.fill(0, start + front, start + pageBytes - back);
      bytes.copy(target, start + pageBytes - back, middle, end);
    }
    at = end;
  }
}

function endOfPage(bytes: Buffer, at: number): number {
  const front = bytes.readUInt16LE(at + 4);
  const back = bytes.readUInt16LE(at + 6);
  const end = at + entryHeaderBytes + front + back;
  if (front + back > pageBytes || end > bytes.length)
    throw new RangeError('a page image does not fit its record');
  return end;
}

function writePage(
  target: Buffer,
  at: number,
  number: number,
  page: Uint8Array,
  { front, back }: Gap,
): number {
  at = target.writeUInt32LE(number, at);
  at = target.writeUInt16LE(front, at);
  at = target.writeUInt16LE(back, at);
  target.set(page.subarray(0, front), at);
  target.set(page.subarray(pageBytes - back), at + front);
  return at + front + back;
}

function readPage(bytes: Buffer, at: number, page: Buffer): void {
  const start = at + entryHeaderBytes;
  const middle = start + bytes.readUInt16LE(at + 4);
  const end = middle + bytes.readUInt16LE(at + 6);
  bytes.copy(page, 0, start, middle);
  bytes.copy(page, pageBytes - (end - middle), middle, end);
}

/** The free space of a b-tree page, if it is all zeros. `header` is where the b-tree header starts. */
function gapOf(page: Uint8Array, header: number): Gap {
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
