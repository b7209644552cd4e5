/** What the caches of a process hold, in memory: the least recently used goes first when there is too much. */
import { cacheBytesMax } from '../../limits.ts';

export interface CachedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly storedAt: number;
  readonly freshUntil: number;
}

/** What an entry takes beside its body. */
const entryBytes = 1024;

export class CacheStore {
  readonly #entries = new Map<string, CachedResponse>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax = cacheBytesMax) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): CachedResponse | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry;
  }

  /** A response that would push out most of the others is not kept. */
  set(key: string, entry: CachedResponse): void {
    this.delete(key);
    const size = sizeOf(entry);
    if (size > this.#bytesMax / 2) return;
    this.#entries.set(key, entry);
    this.#bytes += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.delete(oldest);
    }
  }

  delete(key: string): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#bytes -= sizeOf(entry);
    return this.#entries.delete(key);
  }
}

function sizeOf({ body }: CachedResponse): number {
  return body.length + entryBytes;
}
