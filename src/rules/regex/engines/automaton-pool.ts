/**
 * The automata of a process and their common memory limit: beyond it, the least recently used ones are dropped, and
 * rebuilt when they are next needed. The results of a pattern never depend on it.
 */
import { tableBytesMax } from '../limits.ts';

/** Data that a pattern has built and can rebuild. */
export interface Pooled {
  /** Drops the data. */
  drop(): void;
}

interface PooledTables {
  bytes: number;
  usedAt: number;
}

/** Dropping continues down to this part of the limit: otherwise every growth would search for something to drop. */
const shareKept = 0.75;

/** @internal Exported for tests. */
export class AutomatonPool {
  bytesMax: number;
  /** Since the process started. */
  evictions = 0;
  #bytes = 0;
  #uses = 0;
  /** In the order in which they were created. */
  readonly #held = new Map<Pooled, PooledTables>();

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Records that something was just used, and its size. May drop others. */
  use(pooled: Pooled, bytes: number): void {
    const usedAt = ++this.#uses;
    const held = this.#held.get(pooled);
    if (held === undefined) this.#held.set(pooled, { bytes, usedAt });
    else {
      this.#bytes -= held.bytes;
      held.bytes = bytes;
      held.usedAt = usedAt;
    }
    this.#bytes += bytes;
    if (this.#bytes > this.bytesMax) this.#evict(pooled);
  }

  #evict(kept: Pooled): void {
    const byAge = [...this.#held].toSorted((a, b) => a[1].usedAt - b[1].usedAt);
    for (const [pooled, { bytes }] of byAge) {
      if (this.#bytes <= this.bytesMax * shareKept) return;
      if (pooled === kept) continue;
      this.#held.delete(pooled);
      this.#bytes -= bytes;
      this.evictions++;
      pooled.drop();
    }
  }
}

export const automatonPool = new AutomatonPool({ bytesMax: tableBytesMax });
