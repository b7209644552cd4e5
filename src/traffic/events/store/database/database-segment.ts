import { type BlockHead, type CutBlock, placeBlocks, writeIndexEntry } from '../blocks/block.ts';
import { createSeal, formatName, type Seal, type SegmentName } from '../blocks/segment-format.ts';
import type { ReadBlock, Segment } from '../home.ts';
import type { DatabaseAccess } from './database-log.ts';

type DatabaseSegmentState =
  | { readonly kind: 'writing'; readonly heads: BlockHead[] }
  | { readonly kind: 'sealed' }
  | { readonly kind: 'dropped' };

/** A segment of a log in a database: one row per block. All blocks belong to one zone. */
export class DatabaseSegment implements Segment {
  readonly name: SegmentName;
  readonly path: string;
  readonly #home: DatabaseAccess;
  #state: DatabaseSegmentState;
  #seal: Seal;

  /** `heads` are given for a segment that is written from now on. */
  constructor(home: DatabaseAccess, name: SegmentName, seal: Seal, heads?: BlockHead[]) {
    this.#home = home;
    this.name = name;
    this.path = `${home.label}, ${formatName(name)}`;
    this.#state = heads === undefined ? { kind: 'sealed' } : { kind: 'writing', heads };
    this.#seal = seal;
  }

  get isWriting(): boolean {
    return this.#state.kind === 'writing';
  }

  get isDropped(): boolean {
    return this.#state.kind === 'dropped';
  }

  get summary(): Omit<Seal, 'indexOffset'> {
    return this.#seal;
  }

  get bytes(): number {
    return this.#seal.indexOffset;
  }

  async add(blocks: readonly CutBlock[]): Promise<void> {
    const state = this.#state;
    if (state.kind !== 'writing') throw new TypeError('blocks are added to a segment before it is sealed');
    const { placed, end } = placeBlocks(blocks, this.#seal.indexOffset);
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
    state.heads.push(...placed.map(({ head }) => head));
    this.#seal = createSeal(state.heads, end);
  }

  async seal(): Promise<void> {
    if (this.#state.kind === 'writing') this.#state = { kind: 'sealed' };
  }

  async readHeads(): Promise<readonly BlockHead[]> {
    if (this.#state.kind === 'writing') return [...this.#state.heads];
    if (this.#state.kind === 'dropped') return [];
    return (await this.#home.readHeads(this)).get(this)!;
  }

  readBlock(head: BlockHead): Promise<ReadBlock | undefined> {
    return this.#home.readBlock({ segment: this, head });
  }

  /** All of its blocks belong to the zone. */
  async eraseZone(): Promise<void> {
    await this.#home.write((log) => log.dropSegment(this.name));
    this.#state = { kind: 'sealed' };
    this.#seal = createSeal([], 0);
  }

  async drop(): Promise<void> {
    this.#state = { kind: 'dropped' };
    await this.#home.write((log) => log.dropSegment(this.name));
  }

  close(): void {}
}
