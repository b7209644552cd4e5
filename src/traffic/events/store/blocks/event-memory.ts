import { RecentMap } from '#base';
import type { Segment } from '../home.ts';
import { indexBytesMax, openBlocksMax, databaseBlockBytesMax } from '../limits.ts';
import type { BlockHead } from './block.ts';
import type { OpenBlock } from './open-block.ts';

interface DatabaseBytes {
  readonly length: number;
  /** Undefined if the block no longer exists. */
  readonly bytes: Promise<Buffer | undefined>;
}

/** A cache of what was read from blocks. Several logs may share one. */
export class EventMemory {
  readonly indexes = new RecentMap<Segment, readonly BlockHead[]>({
    sizeMax: indexBytesMax,
    sizeOf: (heads) => heads.reduce((sum, { filter }) => sum + 300 + filter.length, 0),
  });
  readonly blocks = new RecentMap<string, OpenBlock>({ sizeMax: openBlocksMax });
  /** The bytes of blocks in a database. The operating system caches those of files. */
  readonly databaseBlocks = new RecentMap<string, DatabaseBytes>({
    sizeMax: databaseBlockBytesMax,
    sizeOf: ({ length }) => length,
  });
}
