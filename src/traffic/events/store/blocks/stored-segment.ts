/** What segments in files and in a database share: how far they have come, and the places of their blocks. */
import { type BlockHead, type CutBlock, type PlacedBlock, placeBlocks } from './block.ts';
import { createSeal, type Seal, type SegmentName } from './segment-format.ts';

export type SegmentState =
  | { readonly kind: 'writing'; readonly heads: BlockHead[] }
  | { readonly kind: 'sealed' }
  | { readonly kind: 'dropped' };

export abstract class StoredSegment<State extends SegmentState> {
  readonly name: SegmentName;
  readonly path: string;
  protected state: State;
  /** The summary and the size of the blocks so far. */
  protected extent: Seal;

  constructor(name: SegmentName, path: string, state: State, extent: Seal) {
    this.name = name;
    this.path = path;
    this.state = state;
    this.extent = extent;
  }

  get isWriting(): boolean {
    return this.state.kind === 'writing';
  }

  get isDropped(): boolean {
    return this.state.kind === 'dropped';
  }

  get summary(): Omit<Seal, 'indexOffset'> {
    return this.extent;
  }

  get bytes(): number {
    return this.extent.indexOffset;
  }

  async add(blocks: readonly CutBlock[]): Promise<void> {
    const { state } = this;
    if (state.kind !== 'writing') throw new TypeError('blocks are added to a segment before it is sealed');
    const { placed, end } = placeBlocks(blocks, this.extent.indexOffset);
    await this.write(placed);
    state.heads.push(...placed.map(({ head }) => head));
    this.extent = createSeal(state.heads, end);
  }

  /** Resolves when the blocks are durable. Called only while the segment is written. */
  protected abstract write(placed: readonly PlacedBlock[]): Promise<void>;
}
