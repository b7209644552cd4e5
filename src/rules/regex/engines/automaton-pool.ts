/**
 * The automata of a process, which together may hold so many bytes and no more: when they hold more, those used longest ago
 * are dropped, and made again when they are next needed. What a pattern answers never depends on it.
 */
import { tableBytesMax } from '../limits.ts';

/** What a pattern made for itself and can make again. */
export interface Pooled {
  /** Forgets it. */
  drop(): void;
}

interface Held {
  bytes: number;
  usedAt: number;
}

/** Dropping goes on until so much is left: else every growth would search for something to drop. */
const shareKept = 0.75;

/** @internal Exported for tests. */
export class AutomatonPool {
  bytesMax: number;
  /** Since the process started. */
  evictions = 0;
  #bytes = 0;
  #uses = 0;
  /** In the order in which they were made. */
  readonly #held = new Map<Pooled, Held>();

  constructor({ bytesMax }: { readonly bytesMax: number }) {
    this.bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Says that something was used just now, and how much it holds. Others may be dropped for it. */
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
