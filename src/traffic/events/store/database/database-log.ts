/** The database operations of a log, and the types that its parts use with them. */
import type { JournalRecord, Position } from '#journal';
import type { BlockHead } from '../blocks/block.ts';
import type { Seal, SegmentName } from '../blocks/segment-format.ts';
import type { ReadBlock, Segment, StoredBlock } from '../home.ts';

export type DatabaseFrame = Pick<JournalRecord, 'position' | 'time' | 'payload'>;

interface DatabaseBlockPlace {
  readonly segment: SegmentName;
  readonly offset: number;
}

interface DatabaseBlock {
  readonly offset: number;
  /** As in an index. */
  readonly head: Uint8Array;
  readonly bytes: Uint8Array;
  readonly summary: DatabaseSummary;
}

/** The summary of a block, and of all blocks of a segment. */
type DatabaseSummary = Omit<Seal, 'indexOffset'>;

/**
 * The database operations on a log that this process has taken. Writes reject if another process has taken it since.
 */
export interface DatabaseLog {
  /** The location, for messages. */
  readonly label: string;
  /** In the order of their positions. */
  readFrames(): Promise<readonly DatabaseFrame[]>;
  addFrame(frame: DatabaseFrame): Promise<void>;
  dropFramesBefore(position: Position): Promise<void>;
  listSegments(): Promise<readonly (SegmentName & DatabaseSummary & { readonly bytes: number })[]>;
  addBlocks(segment: SegmentName, blocks: readonly DatabaseBlock[]): Promise<void>;
  /** The heads of each segment, in the order of their offsets. */
  readHeads(segments: readonly SegmentName[]): Promise<readonly (readonly Uint8Array[])[]>;
  /** Undefined for blocks that no longer exist. */
  readBlocks(blocks: readonly DatabaseBlockPlace[]): Promise<readonly (Uint8Array | undefined)[]>;
  dropSegment(segment: SegmentName): Promise<void>;
}

/** The operations that the frames and the segments of a log use. */
export interface DatabaseAccess {
  readonly label: string;
  /** Rejects all writes after a failed one. */
  write(change: (log: DatabaseLog) => Promise<void>): Promise<void>;
  readHeads(segment: Segment): Promise<ReadonlyMap<Segment, readonly BlockHead[]>>;
  readBlock(block: StoredBlock): Promise<ReadBlock | undefined>;
}
