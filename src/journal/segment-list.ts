/**
 * The segments of a log, oldest first, and their open files: always the newest one's, and a few others for readers of
 * history.
 */
import type { FileSystem, OpenFile } from '#base';
import { JournalDamageError } from './errors.ts';
import { openSegmentsMax } from './limits.ts';
import type { Position } from './position.ts';
import { type SegmentLayout, toOffset, toPosition, readHeader, formatSegmentName } from './segment.ts';

export interface Segment {
  readonly start: Position;
  opened: OpenSegment | undefined;
}

export interface OpenSegment {
  readonly file: OpenFile;
  readonly layout: SegmentLayout;
}

export class SegmentList {
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #segments: Segment[];

  constructor(fs: FileSystem, directory: string, starts: readonly Position[]) {
    this.#fs = fs;
    this.#directory = directory;
    this.#segments = starts.map((start) => ({ start, opened: undefined }));
  }

  /** The position of the oldest record still kept. */
  get start(): Position {
    return this.#segments[0]!.start;
  }

  get newest(): Segment {
    return this.#segments.at(-1)!;
  }

  /** The current segments, each with its end; the newest ends at `end`. */
  listUpTo(end: Position): Array<{ segment: Segment; start: Position; end: Position }> {
    return this.#segments.map((segment, index) => ({
      segment,
      start: segment.start,
      end: this.#segments[index + 1]?.start ?? end,
    }));
  }

  /** The segment that contains the record at `position`. */
  findHolding(position: Position): Segment {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#segments[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low]!;
  }

  open(segment: Segment): OpenSegment {
    if (segment.opened !== undefined) return segment.opened;
    const open = this.#segments.filter((other) => other.opened !== undefined && other !== this.newest);
    if (open.length >= openSegmentsMax) closeFile(open[0]!);
    const file = this.#fs.openSync(this.#formatPath(segment), segment === this.newest ? 'edit' : 'read');
    try {
      segment.opened = { file, layout: readHeader(file, segment.start) };
    } catch (error) {
      file.closeSync();
      throw error;
    }
    return segment.opened;
  }

  /**
   * Continues with another segment. A segment that starts where the newest does replaces it, because it has the same name.
   */
  add(opened: OpenSegment): void {
    const { start } = opened.layout;
    if (this.#segments.at(-1)?.start === start) closeFile(this.#segments.pop()!);
    this.#segments.push({ start, opened });
  }

  async removeOldest(): Promise<void> {
    await this.#fs.unlink(this.#formatPath(this.#segments[0]!));
    closeFile(this.#segments.shift()!);
  }

  /** Detects a segment that is shorter than its records, or missing between two others. */
  checkOlder(): void {
    for (const { segment, end } of this.listUpTo(this.newest.start)) {
      if (segment !== this.newest) this.checkLength(segment, end);
    }
  }

  checkLength(segment: Segment, end: Position): void {
    const { file, layout } = this.open(segment);
    const size = file.sizeSync();
    if (size >= toOffset(layout, end)) return;
    throw new JournalDamageError('a segment is cut short, or the one behind it is missing', {
      file: file.path,
      offset: size,
      position: toPosition(layout, size),
    });
  }

  close(): void {
    for (const segment of this.#segments) closeFile(segment);
  }

  #formatPath({ start }: Segment): string {
    return `${this.#directory}/${formatSegmentName(start)}`;
  }
}

export function closeFile(segment: Segment): void {
  segment.opened?.file.closeSync();
  segment.opened = undefined;
}
