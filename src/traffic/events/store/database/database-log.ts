/** What a database does for a log, and what its parts do with that. */
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
  /** As an index has it. */
  readonly head: Uint8Array;
  readonly bytes: Uint8Array;
  readonly summary: DatabaseSummary;
}

/** Of a block, and of all blocks of a segment. */
type DatabaseSummary = Omit<Seal, 'indexOffset'>;

/** What a database does for a log that was taken. Writes reject if somebody else has taken it since. */
export interface DatabaseLog {
  /** Where it is, for messages. */
  readonly label: string;
  /** In the order of their positions. */
  readFrames(): Promise<readonly DatabaseFrame[]>;
  addFrame(frame: DatabaseFrame): Promise<void>;
  dropFramesBefore(position: Position): Promise<void>;
  listSegments(): Promise<readonly (SegmentName & DatabaseSummary & { readonly bytes: number })[]>;
  addBlocks(segment: SegmentName, blocks: readonly DatabaseBlock[]): Promise<void>;
  /** Those of each segment, in the order of their offsets. */
  readHeads(segments: readonly SegmentName[]): Promise<readonly (readonly Uint8Array[])[]>;
  /** Undefined for those that are gone. */
  readBlocks(blocks: readonly DatabaseBlockPlace[]): Promise<readonly (Uint8Array | undefined)[]>;
  dropSegment(segment: SegmentName): Promise<void>;
}

/** What the frames and the segments of a log need of it. */
export interface DatabaseAccess {
  readonly label: string;
  /** Nothing follows a write that failed. */
  write(change: (log: DatabaseLog) => Promise<void>): Promise<void>;
  readHeads(segment: Segment): Promise<ReadonlyMap<Segment, readonly BlockHead[]>>;
  readBlock(block: StoredBlock): Promise<ReadBlock | undefined>;
}
