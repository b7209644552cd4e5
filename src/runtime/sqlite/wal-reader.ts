/**
 * Reads from SQLite's write-ahead log what commits wrote.
 *
 * The connection runs with `wal_autocheckpoint=0`, so frames are only ever appended after the ones seen before, until
 * `checkpointed` signals that the log starts over. Each call of `readCommits` returns the pages of all commits made
 * since the last call, up to the last frame that carries a commit mark.
 *
 * A transaction that outgrew the page cache writes frames before it ends, and they remain if it is rolled back; they
 * follow the last commit, the next transaction overwrites them, and none carries a commit mark.
 *
 * Format (big-endian): a header of 32 bytes with two salts at 16; then frames of 24 + page size bytes: page number,
 * database size in pages after the commit (zero in all but its last frame), the salts.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { assert } from '#base';
import { pageBytes } from './database.ts';

const headerBytes = 32;
const frameHeaderBytes = 24;
const frameBytes = frameHeaderBytes + pageBytes;
/** Most commits touch a few pages: one read gets them all. */
const readAheadFrames = 8;
const readFramesMax = 1024;

export interface CommittedPages {
  /** The size of the database after the last of the commits. */
  readonly pageCount: number;
  /** The newest image of each page they wrote. Use them at once: the next call overwrites the bytes. */
  readonly pages: ReadonlyMap<number, Uint8Array>;
}

const firstPiece = Buffer.allocUnsafeSlow(readAheadFrames * frameBytes);

export class WalReader {
  readonly #path: string;
  #file: number | undefined;
  #offset = headerBytes;
  #salts: Buffer | undefined;

  constructor(databasePath: string) {
    this.#path = `${databasePath}-wal`;
  }

  /** Bytes of frames seen since the log last started over. */
  get bytes(): number {
    return this.#offset - headerBytes;
  }

  /** The pages of the commits made since the last call, or undefined if they changed nothing. */
  readCommits(): CommittedPages | undefined {
    this.#file ??= openSync(this.#path, 'r');
    const pages = new Map<number, Uint8Array>();
    let pageCount = 0;
    /** Frames after the last commit mark. */
    let unmarked: Array<[number: number, image: Uint8Array]> = [];
    let offset = this.#offset;
    for (let frames = readAheadFrames; ; frames = Math.min(frames * 2, readFramesMax)) {
      // Nearly every commit fits into the first piece, which all readers share.
      const buffer = frames === readAheadFrames ? firstPiece : Buffer.allocUnsafe(frames * frameBytes);
      const got = readSync(this.#file, buffer, 0, buffer.length, offset);
      let at = 0;
      for (; at + frameBytes <= got && this.#isCurrent(buffer, at); at += frameBytes) {
        unmarked.push([buffer.readUInt32BE(at), buffer.subarray(at + frameHeaderBytes, at + frameBytes)]);
        offset += frameBytes;
        const sizeMark = buffer.readUInt32BE(at + 4);
        if (sizeMark === 0) continue;
        pageCount = sizeMark;
        this.#offset = offset;
        for (const [number, image] of unmarked) pages.set(number, image);
        unmarked = [];
      }
      if (at === buffer.length) continue;
      return pageCount === 0 ? undefined : { pageCount, pages: withoutCutOff(pages, pageCount) };
    }
  }

  /** The log already contains this many frames that need not be reported. */
  skip(frames: number): void {
    this.#offset += frames * frameBytes;
  }

  /** A checkpoint has moved every frame into the database: the next commit starts the log over. */
  checkpointed(): void {
    this.#offset = headerBytes;
    this.#salts = undefined;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  /** Whether the frame belongs to the current generation of the log, as the salts of its header show. */
  #isCurrent(buffer: Buffer, at: number): boolean {
    if (this.#salts === undefined) {
      this.#salts = Buffer.alloc(8);
      assert(this.#file !== undefined, 'the log is open');
      readSync(this.#file, this.#salts, 0, 8, 16);
    }
    return buffer.compare(this.#salts, 0, 8, at + 8, at + 16) === 0;
  }
}

/** A later commit may have shrunk the database below pages that an earlier one wrote. */
function withoutCutOff(pages: Map<number, Uint8Array>, pageCount: number): Map<number, Uint8Array> {
  for (const number of pages.keys()) if (number > pageCount) pages.delete(number);
  return pages;
}
