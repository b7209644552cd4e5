import { batchesKnownMax } from './limits.ts';

/**
 * The names of the last batches of counts: an edge that got no acknowledgement sends a batch again, which must not
 * count twice.
 */
export class KnownBatches {
  readonly #names = new Set<string>();

  /** Whether the batch was unknown before; always true for a batch without a name. */
  add(name: string | undefined): boolean {
    if (name === undefined) return true;
    if (this.#names.has(name)) return false;
    const [oldest] = this.#names;
    if (this.#names.size >= batchesKnownMax) this.#names.delete(oldest!);
    this.#names.add(name);
    return true;
  }
}
