/**
 * Where a log is kept: in files of a data directory (`files/`), or in the database of a cluster (`shared/`). Both keep the
 * same frames and the same blocks.
 */
import type { Appended, JournalRecord, Position } from '#journal';
import type { BlockHead, CutBlock } from './blocks/block.ts';
import type { Seal, SegmentName } from './blocks/segment-format.ts';

export interface EventHome {
  /**
   * Opens the frames that were received last, and has them read. Frames that turn out to be damaged are set aside: then it
   * is done once more, without them.
   */
  openFrames(read: (frames: FrameLog) => void): Promise<FrameLog>;
  /** The segments that are there. */
  openSegments(): Promise<Segment[]>;
  createSegment(name: SegmentName): Promise<Segment>;
  /** The heads of a segment, and those of what may be asked for next, if that costs little more. */
  readHeads(
    segment: Segment,
    ahead: () => readonly Segment[],
  ): Promise<ReadonlyMap<Segment, readonly BlockHead[]>>;
  /** Undefined if the zone was erased or the segment dropped. Throws if the block is damaged. `ahead`: as above. */
  readBlock(block: StoredBlock, ahead: () => readonly StoredBlock[]): Promise<ReadBlock | undefined>;
  /** Resolves when it lasts that segments were dropped. */
  settleDropped(): Promise<void>;
  /** Whether nothing more can be written here: the log has to be opened again. */
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

/** Frames in the order in which they were appended. A journal is one. Positions are bytes. */
export interface FrameLog {
  readonly start: Position;
  readonly end: Position;
  readonly durableEnd: Position;
  /** `settle` is called when the frame is durable, in the order of the frames. */
  append(payload: readonly Uint8Array[], settle: () => void): Pick<Appended, 'durable'>;
  scan(from: Position): Iterable<Pick<JournalRecord, 'position' | 'time' | 'payload'>>;
  /** Resolves when everything appended before is durable, rejects if it cannot be. */
  flush(): Promise<void>;
  /** Resolves if the last write was durable, or if another one is; rejects with the reason why not. */
  probe(): Promise<void>;
  /** What `dropBefore` would drop, part by part. */
  segmentsBefore(position: Position): readonly unknown[];
  dropBefore(position: Position): Promise<void>;
  /** What is appended from now on can stay when what was before is dropped. */
  roll(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Blocks whose events leave at the same time. It is written by one writer until it is sealed, and read by any number of
 * readers. A block is in the list of heads only when it is durable.
 */
export interface Segment {
  readonly name: SegmentName;
  /** Where it is, for messages. */
  readonly path: string;
  readonly isWriting: boolean;
  readonly isDropped: boolean;
  /** What it says of its events: how many, of which times. */
  readonly summary: Omit<Seal, 'indexOffset'>;
  /** How many bytes its blocks take. */
  readonly bytes: number;
  /** Resolves when the blocks are durable. After an error, nothing more can be added. */
  add(blocks: readonly CutBlock[]): Promise<void>;
  /** Ends it: nothing more is added. */
  seal(): Promise<void>;
  /** The heads of its blocks, in the order in which they were added. */
  readHeads(): Promise<readonly BlockHead[]>;
  /** Undefined if its zone was erased or the segment dropped. Throws if the block is damaged. */
  readBlock(head: BlockHead): Promise<ReadBlock | undefined>;
  /** Nothing of the zone's blocks is left when it resolves. If that is interrupted, it has to be called again. */
  eraseZone(zoneId: string): Promise<void>;
  drop(): Promise<void>;
  /** Lets go of what is open, sealed or not. */
  close(): void;
}
