/**
 * The log of one zone in a database that several processes share; each row is a frame or a block. A process takes the
 * log before it opens it: from then on no other process can write to it, until another one takes it.
 *
 * The result of a failed write is unknown, so nothing is written after it (`isOver`): the process that opens the log
 * again reads its actual state.
 */
import type { Clock } from '#base';
import { type BlockHead, readFixed, readHead } from '../blocks/block.ts';
import type { EventMemory } from '../blocks/event-memory.ts';
import { createSeal, headerBytes, type SegmentName } from '../blocks/segment-format.ts';
import { EventsDamageError } from '../errors.ts';
import type { EventHome, FrameLog, ReadBlock, Segment, StoredBlock } from '../home.ts';
import { databaseBlockBytesAhead, databaseIndexesPerRead } from '../limits.ts';
import { DatabaseFrames } from './database-frames.ts';
import type { DatabaseAccess, DatabaseLog } from './database-log.ts';
import { DatabaseSegment } from './database-segment.ts';

let opened = 0;

export class DatabaseHome implements EventHome, DatabaseAccess {
  readonly #log: DatabaseLog;
  readonly #clock: Clock;
  readonly #blocks: EventMemory['databaseBlocks'];
  /** Another log may have been taken under the same name before. */
  readonly #prefix = `${++opened} `;
  #isOver = false;

  constructor(log: DatabaseLog, clock: Clock, { databaseBlocks }: EventMemory) {
    this.#log = log;
    this.#clock = clock;
    this.#blocks = databaseBlocks;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get label(): string {
    return this.#log.label;
  }

  async openFrames(read: (frames: FrameLog) => void): Promise<FrameLog> {
    const frames = new DatabaseFrames(this, await this.#log.readFrames(), this.#clock);
    read(frames);
    return frames;
  }

  async openSegments(): Promise<Segment[]> {
    const found = await this.#log.listSegments();
    return found.map(
      ({ expiresMs, number, bytes, ...summary }) =>
        new DatabaseSegment(this, { expiresMs, number }, { ...summary, indexOffset: headerBytes + bytes }),
    );
  }

  async createSegment(name: SegmentName): Promise<Segment> {
    return new DatabaseSegment(this, name, createSeal([], headerBytes), []);
  }

  async settleDropped(): Promise<void> {}

  async readHeads(
    segment: Segment,
    ahead: () => readonly Segment[] = () => [],
  ): Promise<ReadonlyMap<Segment, readonly BlockHead[]>> {
    const wanted = [segment, ...ahead().slice(0, databaseIndexesPerRead - 1)];
    const found = await this.#log.readHeads(wanted.map(({ name }) => name));
    const heads = found.map((each) => each.map((head) => readFixed(toBuffer(head))));
    return new Map(wanted.map((each, index) => [each, heads[index]!]));
  }

  async readBlock(
    block: StoredBlock,
    ahead: () => readonly StoredBlock[] = () => [],
  ): Promise<ReadBlock | undefined> {
    const { segment, head } = block;
    const known = this.#blocks.get(this.#keyOf(block))?.bytes;
    const bytes = await (known ?? this.#requestBlocks(block, ahead()));
    if (bytes === undefined || segment.isDropped) return undefined;
    const whole = readHead(bytes, head.offset);
    if (whole !== undefined) return { bytes, head: whole };
    throw new EventsDamageError('the head of a block is broken', { file: segment.path, offset: head.offset });
  }

  /** Reads the blocks that may be requested next in two parts: the second while the first is used. */
  #requestBlocks(block: StoredBlock, ahead: readonly StoredBlock[]): Promise<Buffer | undefined> {
    let left = databaseBlockBytesAhead;
    const isNear = ({ head }: StoredBlock): boolean => (left -= head.length) >= 0;
    const following = ahead.filter((each) => isNear(each) && !this.#blocks.has(this.#keyOf(each)));
    const first = Math.floor(following.length / 2);
    const [requested] = this.#request([block, ...following.slice(0, first)]);
    void this.#request(following.slice(first));
    return requested!;
  }

  #request(blocks: readonly StoredBlock[]): Promise<Buffer | undefined>[] {
    if (blocks.length === 0) return [];
    const places = blocks.map(({ segment, head }) => ({ segment: segment.name, offset: head.offset }));
    const found = this.#log.readBlocks(places);
    return blocks.map((block, index) => {
      const key = this.#keyOf(block);
      const bytes = found.then((all) => all[index] && toBuffer(all[index]));
      bytes.catch(() => this.#blocks.delete(key));
      this.#blocks.set(key, { length: block.head.length, bytes });
      return bytes;
    });
  }

  #keyOf({ segment, head }: StoredBlock): string {
    return `${this.#prefix}${segment.path}:${head.offset}`;
  }

  async write(change: (log: DatabaseLog) => Promise<void>): Promise<void> {
    if (this.#isOver) throw new Error(`cannot write to ${this.#log.label}: reopen it`);
    try {
      await change(this.#log);
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
