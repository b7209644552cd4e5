/**
 * Recently read blocks, within a budget of bytes. Every run reserves a range of ids that is never reused, so blocks of
 * a removed run are no longer read and age out.
 */
import { RecentMap } from '#base';

export class BlockCache {
  readonly #blocks: RecentMap<number, Buffer>;
  readonly #bytesMax: number;
  #idNext = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#blocks = new RecentMap({ sizeMax: bytesMax, sizeOf: ({ length }) => length });
  }

  get bytes(): number {
    return this.#blocks.size;
  }

  /** Returns the first of `count` ids. */
  reserve(count: number): number {
    const first = this.#idNext;
    this.#idNext += count;
    return first;
  }

  get(id: number): Buffer | undefined {
    return this.#blocks.get(id);
  }

  set(id: number, block: Buffer): void {
    // Two readers that missed at the same time add the same block.
    if (block.length <= this.#bytesMax && !this.#blocks.has(id)) this.#blocks.set(id, block);
  }
}
