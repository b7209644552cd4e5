import { RecentMap } from '#base';
import type { Segment } from '../home.ts';
import { indexBytesMax, openBlocksMax, databaseBlockBytesMax } from '../limits.ts';
import type { BlockHead } from './block.ts';
import type { OpenBlock } from './open-block.ts';

interface DatabaseBytes {
  readonly length: number;
  /** Undefined if the block is gone. */
  readonly bytes: Promise<Buffer | undefined>;
}

/** What was read of blocks and is kept in memory. Several logs may share one. */
export class EventMemory {
  readonly indexes = new RecentMap<Segment, readonly BlockHead[]>({
    sizeMax: indexBytesMax,
    sizeOf: (heads) => heads.reduce((sum, { filter }) => sum + 300 + filter.length, 0),
  });
  readonly blocks = new RecentMap<string, OpenBlock>({ sizeMax: openBlocksMax });
  /** The bytes of blocks that are in a database. Those of files are kept by the system. */
  readonly databaseBlocks = new RecentMap<string, DatabaseBytes>({
    sizeMax: databaseBlockBytesMax,
    sizeOf: ({ length }) => length,
  });
}
