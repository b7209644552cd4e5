/** `caches`: responses that a Worker stores by the URL of their request, while they are fresh. */
import { wrongType } from '#base';
import { currentOwner } from '#sockets';
import { CacheStore, type CachedResponse } from './cache-store.ts';
import { freshMsOf, keptHeaders } from './freshness.ts';
import { responseFor } from './response-for.ts';

interface QueryOptions {
  readonly ignoreMethod?: boolean;
}

type RequestInfo = string | URL | Request;

class Cache {
  readonly #store: CacheStore;
  readonly #name: string;

  constructor(store: CacheStore, name: string) {
    this.#store = store;
    this.#name = name;
  }

  async put(request: RequestInfo, response: Response): Promise<void> {
    if (arguments.length < 2)
      throw wrongType({ method: 'put', face: 'Cache' }, arguments.length + 1, 'Request or string');
    const { method, url } = toRequest(request);
    if (method !== 'GET') throw new TypeError('Cannot cache response to non-GET request.');
    if (response.status === 206) {
      throw new TypeError('Cannot cache response to a range request (206 Partial Content).');
    }
    if (response.headers.get('vary')?.includes('*') === true) {
      throw new TypeError("Cannot cache response with 'Vary: *' header.");
    }
    const { status, statusText } = response;
    const headers = keptHeaders(response.headers);
    const body = new Uint8Array(await response.arrayBuffer());
    const now = Date.now();
    const freshMs = freshMsOf(response, now);
    // An object's cache entry must not be visible before its preceding writes are.
    await new Promise<void>((resolve) => currentOwner().say(resolve));
    const key = this.#keyOf(url);
    if (freshMs === 0) return;
    this.#store.set(key, { status, statusText, headers, body, storedAt: now, freshUntil: now + freshMs });
  }

  async match(request: RequestInfo, options?: QueryOptions): Promise<Response | undefined> {
    if (arguments.length === 0) throw wrongType({ method: 'match', face: 'Cache' }, 1, 'Request or string');
    const asked = toRequest(request);
    const entry = this.#find(asked, options);
    return entry === undefined ? undefined : responseFor(asked, entry, Date.now());
  }

  async delete(request: RequestInfo, options?: QueryOptions): Promise<boolean> {
    if (arguments.length === 0) throw wrongType({ method: 'delete', face: 'Cache' }, 1, 'Request or string');
    const asked = toRequest(request);
    return this.#find(asked, options) !== undefined && this.#store.delete(this.#keyOf(asked.url));
  }

  #find({ method, url }: Request, options: QueryOptions | undefined): CachedResponse | undefined {
    if (method !== 'GET' && options?.ignoreMethod !== true) return undefined;
    const key = this.#keyOf(url);
    const entry = this.#store.get(key);
    if (entry === undefined || entry.freshUntil > Date.now()) return entry;
    this.#store.delete(key);
    return undefined;
  }

  #keyOf(url: string): string {
    return `${this.#name} ${url.split('#', 1)[0]}`;
  }
}

function toRequest(request: RequestInfo): Request {
  return request instanceof Request ? request : new Request(request);
}

let storeOf: (storage: CacheStorage) => CacheStore;

class CacheStorage {
  static {
    storeOf = (storage) => storage.#store;
  }

  readonly #store = new CacheStore();
  readonly #default = new Cache(this.#store, 'default:');

  get default(): Cache {
    return this.#default;
  }

  async open(name: string): Promise<Cache> {
    if (arguments.length === 0) throw wrongType({ method: 'open', face: 'CacheStorage' }, 1, 'string');
    return new Cache(this.#store, `named:${encodeURIComponent(name)}`);
  }
}

export const caches = new CacheStorage();

/** Empties the caches of this process. */
export function clearCaches(): void {
  storeOf(caches).clear();
}

export { Cache, CacheStorage };
