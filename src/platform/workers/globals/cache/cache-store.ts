/** What the caches of a process hold, in memory: the least recently used goes first when there is too much. */
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

/** What an entry takes beside its body. */
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

  /** A response that would push out most of the others is not kept. */
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
