/**
 * Where a log is kept: in files of a data directory (`files/`), or in the database of a cluster (`database/`). Both
 * keep the same frames and the same blocks.
 */
import type { Appended, JournalRecord, Position } from '#journal';
import type { BlockHead, CutBlock } from './blocks/block.ts';
import type { Seal, SegmentName } from './blocks/segment-format.ts';

export interface EventHome {
  /**
   * Opens the frames received last and passes them to `read`. Damaged frames are set aside: then `read` is called again
   * without them.
   */
  openFrames(read: (frames: FrameLog) => void): Promise<FrameLog>;
  /** Opens the existing segments. */
  openSegments(): Promise<Segment[]>;
  createSegment(name: SegmentName): Promise<Segment>;
  /** The heads of a segment, and those of segments that may be requested next, if that costs little more. */
  readHeads(
    segment: Segment,
    ahead: () => readonly Segment[],
  ): Promise<ReadonlyMap<Segment, readonly BlockHead[]>>;
  /** Undefined if the zone was erased or the segment dropped. Throws if the block is damaged. `ahead`: as above. */
  readBlock(block: StoredBlock, ahead: () => readonly StoredBlock[]): Promise<ReadBlock | undefined>;
  /** Resolves when the removal of dropped segments is durable. */
  settleDropped(): Promise<void>;
  /** Whether writing is over: the log must be reopened. */
  readonly isOver: boolean;
}

export interface StoredBlock {
  readonly segment: Segment;
  readonly head: BlockHead;
}

export interface ReadBlock {
  readonly bytes: Buffer;
  readonly head: BlockHead;
}

/** Frames in the order in which they were appended. A journal is one implementation. Positions are bytes. */
export interface FrameLog {
  readonly start: Position;
  readonly end: Position;
  readonly durableEnd: Position;
  /** `settle` is called when the frame is durable, in the order of the frames. */
  append(payload: readonly Uint8Array[], settle: () => void): Pick<Appended, 'durable'>;
  scan(from: Position): Iterable<Pick<JournalRecord, 'position' | 'time' | 'payload'>>;
  /** Resolves when everything appended before is durable, rejects if that fails. */
  flush(): Promise<void>;
  /** Resolves if the last write was durable, or a new one is; otherwise rejects with the reason. */
  probe(): Promise<void>;
  /** The parts that `dropBefore` would drop. */
  segmentsBefore(position: Position): readonly unknown[];
  dropBefore(position: Position): Promise<void>;
  /** Starts a new part, so that later frames stay when earlier ones are dropped. */
  roll(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Blocks whose events expire at the same time. It has one writer until it is sealed, and any number of readers. A block
 * appears in the list of heads only when it is durable.
 */
export interface Segment {
  readonly name: SegmentName;
  /** The location, for messages. */
  readonly path: string;
  readonly isWriting: boolean;
  readonly isDropped: boolean;
  /** The number and time range of its events. */
  readonly summary: Omit<Seal, 'indexOffset'>;
  /** The size of its blocks in bytes. */
  readonly bytes: number;
  /** Resolves when the blocks are durable. After an error, nothing more can be added. */
  add(blocks: readonly CutBlock[]): Promise<void>;
  /** Completes the segment: no more blocks can be added. */
  seal(): Promise<void>;
  /** The heads of its blocks, in the order in which they were added. */
  readHeads(): Promise<readonly BlockHead[]>;
  /** Undefined if its zone was erased or the segment dropped. Throws if the block is damaged. */
  readBlock(head: BlockHead): Promise<ReadBlock | undefined>;
  /** When it resolves, none of the zone's blocks are left. Must be repeated if it is interrupted. */
  eraseZone(zoneId: string): Promise<void>;
  drop(): Promise<void>;
  /** Closes open resources, whether or not it is sealed. */
  close(): void;
}
