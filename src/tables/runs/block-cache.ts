/**
 * Recently read blocks, within a budget of bytes; the one unused for longest is dropped first. Every run reserves a range of
 * ids that is never reused, so blocks of a removed run are not asked for any more and age out.
 */
export class BlockCache {
  readonly #bytesMax: number;
  /** In the order of use: a Map keeps insertion order. */
  readonly #blocks = new Map<number, Buffer>();
  #bytes = 0;
  #idNext = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Returns the first of `count` ids. */
  reserve(count: number): number {
    const first = this.#idNext;
    this.#idNext += count;
    return first;
  }

  get(id: number): Buffer | undefined {
    const block = this.#blocks.get(id);
    if (block !== undefined) {
      this.#blocks.delete(id);
      this.#blocks.set(id, block);
    }
    return block;
  }

  set(id: number, block: Buffer): void {
    // Two readers that missed at the same time bring the same block.
    if (this.#blocks.has(id)) return;
    this.#blocks.set(id, block);
    this.#bytes += block.length;
    for (const [oldest, { length }] of this.#blocks) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#blocks.delete(oldest);
      this.#bytes -= length;
    }
  }
}
