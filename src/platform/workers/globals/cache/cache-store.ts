/**
 * The content of a process's caches, in memory: the least recently used entry is removed first when the limit is
 * exceeded.
 */
import { RecentMap } from '#base';
import { cacheBytesMax } from '../../limits.ts';

export interface CachedResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly storedAt: number;
  readonly freshUntil: number;
}

/** The size of an entry in addition to its body. */
const entryBytes = 1024;

export class CacheStore {
  readonly #entries: RecentMap<string, CachedResponse>;
  readonly #bytesMax: number;

  constructor(bytesMax = cacheBytesMax) {
    this.#bytesMax = bytesMax;
    this.#entries = new RecentMap({ sizeMax: bytesMax, sizeOf });
  }

  get(key: string): CachedResponse | undefined {
    return this.#entries.get(key);
  }

  /** A response that would displace most of the others is not stored. */
  set(key: string, entry: CachedResponse): void {
    if (sizeOf(entry) > this.#bytesMax / 2) this.#entries.delete(key);
    else this.#entries.set(key, entry);
  }

  clear(): void {
    this.#entries.clear();
  }

  delete(key: string): boolean {
    return this.#entries.delete(key);
  }
}

function sizeOf({ body }: CachedResponse): number {
  return body.length + entryBytes;
}
