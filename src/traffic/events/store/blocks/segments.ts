/** All segments of a log: the list of segments, the ones being written, and their indexes as far as memory allows. */
import { EventsDamageError } from '../errors.ts';
import type { EventHome, Segment, StoredBlock } from '../home.ts';
import { segmentBytesMax, writingSegmentsMax } from '../limits.ts';
import { type BlockHead, type CutBlock, listSections, readSection } from './block.ts';
import type { EventMemory } from './event-memory.ts';
import { OpenBlock } from './open-block.ts';

/** The size of a zone's events on disk. */
export interface ZoneEventsSize {
  readonly zoneId: string;
  readonly events: number;
  readonly bytes: number;
}

let opened = 0;

export class Segments {
  readonly #home: EventHome;
  readonly #memory: EventMemory;
  /** The cache may contain blocks of other logs under the same path. */
  readonly #prefix = `${++opened} `;
  #all: Segment[];
  readonly #writing = new Map<number, Segment>();
  /** When blocks were last added. */
  readonly #addedMs = new Map<Segment, number>();
  #nextNumber: number;

  private constructor(home: EventHome, memory: EventMemory, all: Segment[]) {
    this.#home = home;
    this.#memory = memory;
    this.#all = all;
    this.#nextNumber = all.reduce((last, { name }) => Math.max(last, name.number), 0) + 1;
  }

  static async open(home: EventHome, memory: EventMemory): Promise<Segments> {
    return new Segments(home, memory, await home.openSegments());
  }

  get all(): readonly Segment[] {
    return this.#all;
  }

  /** The largest sequence in a block. */
  get lastSequence(): number {
    return this.#all.reduce((last, { summary }) => Math.max(last, summary.lastSequence), 0);
  }

  /** Adds blocks to the segment whose events expire at that time, and resolves when they are durable. */
  async add(expiresMs: number, blocks: readonly CutBlock[], nowMs: number): Promise<void> {
    let segment = this.#writing.get(expiresMs);
    if (segment !== undefined && segment.bytes >= segmentBytesMax) {
      await this.#seal(segment);
      segment = undefined;
    }
    if (segment === undefined) {
      const [oldest] = this.#writing.values();
      if (this.#writing.size >= writingSegmentsMax) await this.#seal(oldest!);
      segment = await this.#home.createSegment({ expiresMs, number: this.#nextNumber++ });
      this.#writing.set(expiresMs, segment);
      this.#all.push(segment);
    }
    try {
      await segment.add(blocks);
      // The most recently used one is last in the map.
      this.#writing.delete(expiresMs);
      this.#writing.set(expiresMs, segment);
      this.#addedMs.set(segment, nowMs);
    } catch (error) {
      // The content of the segment after its last block is unknown: the next blocks go to another one.
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

  /** The blocks of a zone in a segment. `ahead`: the segments that may be requested next. */
  async blocksOf(segment: Segment, zoneId: string, ahead?: () => readonly Segment[]): Promise<StoredBlock[]> {
    return selectBlocks(segment, await this.heads(segment, ahead), zoneId);
  }

  /** The same, as far as they are in memory. */
  knownBlocksOf(segment: Segment, zoneId: string): StoredBlock[] {
    return selectBlocks(segment, this.#memory.indexes.peek(segment) ?? [], zoneId);
  }

  async heads(segment: Segment, ahead: () => readonly Segment[] = () => []): Promise<readonly BlockHead[]> {
    if (segment.isWriting) return segment.readHeads();
    const { indexes } = this.#memory;
    const known = indexes.get(segment);
    if (known !== undefined) return known;
    const isUnknown = (each: Segment): boolean => !each.isWriting && !indexes.has(each);
    const found = await this.#home.readHeads(segment, () => ahead().filter(isUnknown));
    for (const [each, heads] of found) if (!each.isDropped) indexes.set(each, heads);
    return segment.isDropped ? [] : found.get(segment)!;
  }

  /**
   * Undefined if the zone was erased or the segment dropped. Throws if the block is damaged. `ahead`: the blocks that
   * may be requested next.
   */
  async open(
    block: StoredBlock,
    ahead: () => readonly StoredBlock[] = () => [],
  ): Promise<OpenBlock | undefined> {
    const { segment, head } = block;
    const key = `${this.#prefix}${segment.path}:${head.offset}`;
    const known = this.#memory.blocks.get(key);
    const read = known ? undefined : await this.#home.readBlock(block, ahead);
    const opened = known ?? (read && new OpenBlock(read.bytes, read.head, segment.path));
    if (opened === undefined || segment.isDropped) return undefined;
    return known ?? this.#memory.blocks.set(key, opened);
  }

  /** Drops segments; resolves when they are removed durably. */
  async drop(segments: ReadonlySet<Segment>): Promise<void> {
    if (segments.size === 0) return;
    this.#all = this.#all.filter((segment) => !segments.has(segment));
    for (const segment of segments) {
      this.#forget(segment);
      await segment.drop();
    }
    await this.#home.settleDropped();
  }

  /** Removes the blocks of a zone. A segment without other blocks is dropped. */
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

  /** The size of each zone's events, the largest first. */
  async measureZones(): Promise<ZoneEventsSize[]> {
    const sizes = new Map<string, { zoneId: string; events: number; bytes: number }>();
    for (const segment of this.#all) {
      for (const { zoneId, rows, length, sections } of await this.heads(segment)) {
        if (sections === 0) continue;
        const size = sizes.get(zoneId) ?? { zoneId, events: 0, bytes: 0 };
        size.events += rows;
        size.bytes += length;
        sizes.set(zoneId, size);
      }
    }
    return [...sizes.values()].toSorted((a, b) => b.bytes - a.bytes);
  }

  /** Reads everything and reports damage. */
  async *scrub(): AsyncGenerator<EventsDamageError> {
    for (const segment of this.#all) {
      for (const head of await segment.readHeads()) {
        try {
          const block = await segment.readBlock(head);
          if (block === undefined) continue;
          for (const entry of listSections(block.bytes, block.head))
            readSection(block.bytes, entry, { file: segment.path, offset: head.offset });
        } catch (error) {
          if (!(error instanceof EventsDamageError)) throw error;
          yield error;
        }
      }
    }
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
    this.#memory.indexes.delete(segment);
    for (const key of [...this.#memory.blocks.keys()])
      if (key.startsWith(`${this.#prefix}${segment.path}:`)) this.#memory.blocks.delete(key);
  }
}

function selectBlocks(segment: Segment, heads: readonly BlockHead[], zoneId: string): StoredBlock[] {
  return heads
    .filter((head) => head.zoneId === zoneId && head.sections > 0)
    .map((head) => ({ segment, head }));
}
