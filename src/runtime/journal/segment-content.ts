/**
 * The written part of a segment, in memory. Most of the newest segment is zeros written ahead: they are read once, chunk by
 * chunk, and not kept.
 */
import type { OpenFile } from '#files';
import { recoveryPieceBytes } from './limits.ts';
import type { Position } from './position.ts';
import { type JournalRecord, readClaimedLength, readRecord, recordHeaderBytes } from './record.ts';
import { type SegmentLayout, toOffset } from './segment.ts';

export class SegmentContent {
  /** The offset after the last byte that is not zero. */
  readonly end: number;
  readonly #layout: SegmentLayout;
  readonly #size: number;
  #bytes: Buffer;

  constructor(file: OpenFile, layout: SegmentLayout) {
    this.#layout = layout;
    this.#size = file.sizeSync();
    this.end = findContentEnd(file, this.#size);
    this.#bytes = Buffer.alloc(this.end + recordHeaderBytes);
    file.readSync(this.#bytes.subarray(0, this.end), 0);
  }

  readRecordAt(position: Position): JournalRecord | undefined {
    const offset = toOffset(this.#layout, position);
    const place = { position, salt: this.#layout.salt };
    const recordEnd = offset + (readClaimedLength(this.#bytes, offset, place) ?? 0);
    // A record may itself end in zeros, as database pages do.
    if (recordEnd > this.#bytes.length && recordEnd <= this.#size) {
      this.#bytes = Buffer.concat([this.#bytes], recordEnd);
    }
    return readRecord(this.#bytes, offset, place);
  }
}

function findContentEnd(file: OpenFile, size: number): number {
  const piece = Buffer.alloc(Math.min(size, recoveryPieceBytes));
  const zeros = Buffer.alloc(piece.length);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - piece.length);
    const got = file.readSync(piece.subarray(0, end - start), start);
    if (piece.compare(zeros, 0, got, 0, got) !== 0) {
      let last = got - 1;
      while (piece[last] === 0) last--;
      return start + last + 1;
    }
    end = start;
  }
  return 0;
}
