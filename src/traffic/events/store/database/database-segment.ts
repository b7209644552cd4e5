import { type BlockHead, type PlacedBlock, writeIndexEntry } from '../blocks/block.ts';
import { createSeal, formatName, type Seal, type SegmentName } from '../blocks/segment-format.ts';
import { type SegmentState, StoredSegment } from '../blocks/stored-segment.ts';
import type { ReadBlock, Segment } from '../home.ts';
import type { DatabaseAccess } from './database-log.ts';

/** A segment of a log in a database: one row per block. All blocks belong to one zone. */
export class DatabaseSegment extends StoredSegment<SegmentState> implements Segment {
  readonly #home: DatabaseAccess;

  /** `heads` are given for a segment that is written from now on. */
  constructor(home: DatabaseAccess, name: SegmentName, seal: Seal, heads?: BlockHead[]) {
    const state = heads === undefined ? ({ kind: 'sealed' } as const) : ({ kind: 'writing', heads } as const);
    super(name, `${home.label}, ${formatName(name)}`, state, seal);
    this.#home = home;
  }

  protected async write(placed: readonly PlacedBlock[]): Promise<void> {
    await this.#home.write((log) =>
      log.addBlocks(
        this.name,
        placed.map(({ head, bytes }) => {
          const { offset, rows, lastSequence, firstMs, lastMs } = head;
          const summary = { rows, lastSequence, firstMs, lastMs };
          return { offset, head: writeIndexEntry(head), bytes, summary };
        }),
      ),
    );
  }

  async seal(): Promise<void> {
    if (this.state.kind === 'writing') this.state = { kind: 'sealed' };
  }

  async readHeads(): Promise<readonly BlockHead[]> {
    if (this.state.kind === 'writing') return [...this.state.heads];
    if (this.state.kind === 'dropped') return [];
    return (await this.#home.readHeads(this)).get(this)!;
  }

  readBlock(head: BlockHead): Promise<ReadBlock | undefined> {
    return this.#home.readBlock({ segment: this, head });
  }

  /** All of its blocks belong to the zone. */
  async eraseZone(): Promise<void> {
    await this.#home.write((log) => log.dropSegment(this.name));
    this.state = { kind: 'sealed' };
    this.extent = createSeal([], 0);
  }

  async drop(): Promise<void> {
    this.state = { kind: 'dropped' };
    await this.#home.write((log) => log.dropSegment(this.name));
  }

  close(): void {}
}
