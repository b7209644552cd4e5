/**
 * All segments of a directory: which ones there are, which is written to, and their indexes as far as memory allows.
 */
import type { BlockHead, CutBlock } from './block.ts';
import { OpenBlock } from './open-block.ts';
import { RecentMap } from '#base';
import { indexBytesMax, openBlocksMax, segmentBytesMax, writingSegmentsMax } from '../limits.ts';
import { Segment, type SegmentParts } from './segment.ts';
import { parseName } from './segment-format.ts';

export interface StoredBlock {
  readonly segment: Segment;
  readonly head: BlockHead;
}

export class Segments {
  readonly #parts: SegmentParts;
  #all: Segment[] = [];
  readonly #writing = new Map<number, Segment>();
  /** When blocks were last added. */
  readonly #addedMs = new Map<Segment, number>();
  /** The least recently used first. */
  readonly #indexes = new RecentMap<Segment, readonly BlockHead[]>({
    sizeMax: indexBytesMax,
    sizeOf: measure,
  });
  readonly #blocks = new RecentMap<string, OpenBlock>({ sizeMax: openBlocksMax });
  #nextNumber = 1;

  private constructor(parts: SegmentParts) {
    this.#parts = parts;
  }

  static open(parts: SegmentParts): Segments {
    const { fs, directory } = parts;
    const segments = new Segments(parts);
    for (const text of fs.readdirSync(directory)) {
      const name = parseName(text);
      if (name === undefined) continue;
      segments.#nextNumber = Math.max(segments.#nextNumber, name.number + 1);
      const segment = Segment.open(parts, name);
      if (segment !== undefined) segments.#all.push(segment);
    }
    // Names that a killed process created or removed must be settled before anything is built on them.
    fs.fsyncDirectorySync(directory);
    return segments;
  }

  get all(): readonly Segment[] {
    return this.#all;
  }

  /** Adds blocks to the segment whose events leave at that time, and resolves when they are on disk. */
  async add(expiresMs: number, blocks: readonly CutBlock[], nowMs: number): Promise<void> {
    let segment = this.#writing.get(expiresMs);
    if (segment !== undefined && segment.bytes >= segmentBytesMax) {
      await this.#seal(segment);
      segment = undefined;
    }
    if (segment === undefined) {
      const [oldest] = this.#writing.values();
      if (this.#writing.size >= writingSegmentsMax) await this.#seal(oldest!);
      segment = await Segment.create(this.#parts, { expiresMs, number: this.#nextNumber++ });
      this.#writing.set(expiresMs, segment);
      this.#all.push(segment);
    }
    try {
      await segment.add(blocks);
      // The one that was used last is the last in the map.
      this.#writing.delete(expiresMs);
      this.#writing.set(expiresMs, segment);
      this.#addedMs.set(segment, nowMs);
    } catch (error) {
      // What the file holds behind its last block is unknown: the next blocks go to another one.
      await this.#seal(segment).catch(() => {});
      throw error;
    }
  }

  /** Seals segments that have not grown since a time, or all. */
  async sealIdle(sinceMs: number): Promise<void> {
    for (const segment of this.#writing.values()) {
      if ((this.#addedMs.get(segment) ?? 0) <= sinceMs) await this.#seal(segment);
    }
  }

  /** The blocks of a zone in a segment. */
  async blocksOf(segment: Segment, zoneId: string): Promise<StoredBlock[]> {
    const heads = await this.heads(segment);
    return heads
      .filter((head) => head.zoneId === zoneId && head.sections > 0)
      .map((head) => ({ segment, head }));
  }

  async heads(segment: Segment): Promise<readonly BlockHead[]> {
    if (segment.isWriting) return segment.readHeads();
    const known = this.#indexes.get(segment);
    if (known !== undefined) return known;
    const heads = await segment.readHeads();
    return segment.isDropped ? [] : this.#indexes.set(segment, heads);
  }

  /** Undefined if the zone was erased or the segment dropped. Throws if the block is damaged. */
  async open(block: StoredBlock): Promise<OpenBlock | undefined> {
    const { segment, head } = block;
    const key = `${segment.path}:${head.offset}`;
    const known = this.#blocks.get(key);
    const read = known ? undefined : await segment.readBlock(head);
    const opened = known ?? (read && new OpenBlock(read.bytes, read.head, segment.path));
    if (opened === undefined || segment.isDropped) return undefined;
    return known ?? this.#blocks.set(key, opened);
  }

  /** Drops segments; resolves when their names are gone from disk. */
  async drop(segments: ReadonlySet<Segment>): Promise<void> {
    if (segments.size === 0) return;
    this.#all = this.#all.filter((segment) => !segments.has(segment));
    for (const segment of segments) {
      this.#forget(segment);
      await segment.drop();
    }
    await this.#parts.fs.fsyncDirectory(this.#parts.directory);
  }

  /** Overwrites what is there of a zone. A segment in which nothing else is left is dropped. */
  async eraseZone(zoneId: string): Promise<void> {
    const empty = new Set<Segment>();
    for (const segment of this.#all) {
      if (!(await this.heads(segment)).some((head) => head.zoneId === zoneId)) continue;
      await this.#seal(segment);
      await segment.eraseZone(zoneId);
      this.#forget(segment);
      if (segment.summary.rows === 0) empty.add(segment);
    }
    await this.drop(empty);
  }

  close(): void {
    for (const segment of this.#all) segment.close();
  }

  async #seal(segment: Segment): Promise<void> {
    if (this.#writing.get(segment.name.expiresMs) === segment) this.#writing.delete(segment.name.expiresMs);
    this.#addedMs.delete(segment);
    await segment.seal();
  }

  #forget(segment: Segment): void {
    if (this.#writing.get(segment.name.expiresMs) === segment) this.#writing.delete(segment.name.expiresMs);
    this.#addedMs.delete(segment);
    this.#indexes.delete(segment);
    for (const key of [...this.#blocks.keys()])
      if (key.startsWith(`${segment.path}:`)) this.#blocks.delete(key);
  }
}

/** About what the heads take in memory. */
function measure(heads: readonly BlockHead[]): number {
  return heads.reduce((sum, { filter }) => sum + 300 + filter.length, 0);
}
