/**
 * Reads a segment from the disk and checks every record, a piece at a time: between two pieces it yields the event
 * loop. It has a handle of its own, because the list of segments may close its handles at any time.
 */
import { crc32 } from 'node:zlib';
import type { FileSystem, OpenFile } from '#files';
import { nextTurn } from '#work';
import { JournalDamageError } from './errors.ts';
import { scrubPieceBytes } from './limits.ts';
import type { Position } from './position.ts';
import { measureSpan, readClaimedLength, recordHeaderBytes } from './record.ts';
import { checkFileLength, readHeader, toOffset } from './segment.ts';

interface SegmentCheck {
  readonly fs: FileSystem;
  readonly path: string;
  readonly start: Position;
  readonly end: Position;
  /** Called with the number of bytes checked since the previous call. */
  readonly onBytes: (bytes: number) => void;
}

/** Throws the first damage it finds. */
export async function checkSegment({ fs, path, start, end, onBytes }: SegmentCheck): Promise<void> {
  const file = await fs.open(path, 'read');
  try {
    const layout = readHeader(file, start);
    checkFileLength(file, layout, end);
    const pieces = new FilePieces(file, onBytes);
    for (let position = start; position < end;) {
      const offset = toOffset(layout, position);
      const head = await pieces.read(offset, recordHeaderBytes);
      const length = readClaimedLength(head, 0, { position, salt: layout.salt });
      const isWhole =
        length !== undefined &&
        offset + length <= toOffset(layout, end) &&
        (await pieces.checksum(offset + 8, offset + length)) === head.readUInt32LE(4);
      if (!isWhole) throw new JournalDamageError('a record is broken', { file: path, offset, position });
      position = (position + measureSpan(length - recordHeaderBytes)) as Position;
    }
  } finally {
    file.closeSync();
  }
}

/** A file read from front to back. */
class FilePieces {
  readonly #file: OpenFile;
  readonly #onBytes: (bytes: number) => void;
  readonly #memory = Buffer.allocUnsafe(scrubPieceBytes);
  #start = 0;
  #bytes = 0;

  constructor(file: OpenFile, onBytes: (bytes: number) => void) {
    this.#file = file;
    this.#onBytes = onBytes;
  }

  /** A copy of a few bytes; fewer at the end of the file. */
  async read(offset: number, bytes: number): Promise<Buffer> {
    if (offset < this.#start || offset + bytes > this.#start + this.#bytes) await this.#fill(offset);
    return Buffer.from(this.#memory.subarray(offset - this.#start, this.#bytes).subarray(0, bytes));
  }

  async checksum(from: number, to: number): Promise<number> {
    let crc = 0;
    for (let at = from; at < to;) {
      if (at < this.#start || at >= this.#start + this.#bytes) await this.#fill(at);
      const end = Math.min(to, this.#start + this.#bytes);
      if (end <= at) return -1;
      crc = crc32(this.#memory.subarray(at - this.#start, end - this.#start), crc);
      at = end;
    }
    return crc;
  }

  async #fill(offset: number): Promise<void> {
    await nextTurn();
    this.#start = offset;
    this.#bytes = await this.#file.read(this.#memory, offset);
    this.#onBytes(this.#bytes);
  }
}
