/**
 * The segments of a log, oldest first, and their open files: always the newest one's, and a few others for readers of
 * history.
 */
import type { FileSystem, OpenFile } from '#files';
import { openSegmentsMax } from './limits.ts';
import type { JournalOptions } from './options.ts';
import { firstPosition, type Position } from './position.ts';
import { formatSalt } from './salt.ts';
import {
  checkFileLength,
  formatSegmentName,
  parseSegmentName,
  preallocate,
  readHeader,
  type SegmentLayout,
  spareName,
  startSegment,
  toOffset,
  toRoom,
} from './segment.ts';

export interface JournalSegment {
  readonly start: Position;
  opened: OpenSegment | undefined;
}

export interface OpenSegment {
  readonly file: OpenFile;
  readonly layout: SegmentLayout;
}

/** A file of the log, as far as it belongs to a copy. */
export interface JournalFile {
  readonly name: string;
  /** How much of it is log. */
  readonly bytes: number;
  /** The length that the file must have: the rest is zeros. */
  readonly length: number;
  /** Differs between two files of the same name. */
  readonly salt: string;
}

export class SegmentList {
  readonly #fs: FileSystem;
  readonly #directory: string;
  readonly #segments: JournalSegment[];
  /** Whether the log did not exist before. */
  readonly isNew: boolean;

  private constructor(fs: FileSystem, directory: string, starts: readonly Position[]) {
    this.#fs = fs;
    this.isNew = starts.length === 0;
    this.#directory = directory;
    this.#segments = starts.map((start) => ({ start, opened: undefined }));
  }

  /** The segments of a directory, or the first one of a log that does not exist yet. */
  static async open(options: JournalOptions): Promise<SegmentList> {
    const { directory, fs } = options;
    fs.mkdirSync(directory);
    const names = fs.readdirSync(directory);
    if (names.includes(spareName)) fs.unlinkSync(`${directory}/${spareName}`);
    // A process that was killed may have left names that were never synced, but what depends on them must be durable.
    fs.fsyncDirectorySync(`${directory}/..`);
    fs.fsyncDirectorySync(directory);
    const starts = names.map(parseSegmentName).filter((start) => start !== undefined);
    const segments = new SegmentList(fs, directory, starts);
    if (segments.isNew) {
      const spare = `${directory}/${spareName}`;
      await preallocate(fs, spare, toRoom(options));
      segments.add(await startSegment(fs, { directory, spare, start: options.start ?? firstPosition }));
    }
    return segments;
  }

  /** The position of the oldest record still kept. */
  get start(): Position {
    return this.#segments[0]!.start;
  }

  get newest(): JournalSegment {
    return this.#segments.at(-1)!;
  }

  /** The current segments, each with its end; the newest ends at `end`. */
  listUpTo(end: Position): Array<{ segment: JournalSegment; start: Position; end: Position }> {
    return this.#segments.map((segment, index) => ({
      segment,
      start: segment.start,
      end: this.#segments[index + 1]?.start ?? end,
    }));
  }

  /** The segment that contains the record at `position`. */
  findHolding(position: Position): JournalSegment {
    let low = 0;
    let high = this.#segments.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#segments[middle]!.start <= position) low = middle;
      else high = middle - 1;
    }
    return this.#segments[low]!;
  }

  open(segment: JournalSegment): OpenSegment {
    if (segment.opened !== undefined) return segment.opened;
    const open = this.#segments.filter((other) => other.opened !== undefined && other !== this.newest);
    if (open.length >= openSegmentsMax) closeFile(open[0]!);
    const file = this.#fs.openSync(this.formatPath(segment.start), segment === this.newest ? 'edit' : 'read');
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
    await this.#fs.unlink(this.formatPath(this.start));
    closeFile(this.#segments.shift()!);
  }

  /** Detects a segment that is shorter than its records, or missing between two others. */
  checkOlder(): void {
    for (const { segment, end } of this.listUpTo(this.newest.start)) {
      if (segment === this.newest) continue;
      const { file, layout } = this.open(segment);
      checkFileLength(file, layout, end);
    }
  }

  /** The files of the log up to `end`, which is not before its last segment but one. */
  listFiles(end: Position): JournalFile[] {
    return this.listUpTo(end).map(({ segment, start, end: segmentEnd }) => {
      const header = readHeader(this.open(segment).file, start);
      const bytes = toOffset(header, segmentEnd);
      const length = segment === this.newest ? header.fileBytes : bytes;
      return { name: formatSegmentName(start), bytes, length, salt: formatSalt(header.salt) };
    });
  }

  close(): void {
    for (const segment of this.#segments) closeFile(segment);
  }

  formatPath(start: Position): string {
    return `${this.#directory}/${formatSegmentName(start)}`;
  }
}

export function closeFile(segment: JournalSegment): void {
  segment.opened?.file.closeSync();
  segment.opened = undefined;
}
