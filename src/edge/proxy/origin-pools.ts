/** All pools. Configurations come and go while their origins stay: equal origins share a pool, empty pools are dropped. */
import type { Origin } from '../wire/exchange.ts';
import { OriginPool, type PoolSettings } from './origin/origin-pool.ts';

export class OriginPools {
  readonly #settings: PoolSettings;
  readonly #pools = new Map<string, OriginPool>();
  /** The key of an origin is long; nearly every request comes with the same object as the one before. */
  readonly #keys = new WeakMap<Origin, string>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  poolOf(origin: Origin): OriginPool {
    const key = this.#keyOf(origin);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = new OriginPool(origin, this.#settings, () => {
      if (this.#pools.get(key) === pool) this.#pools.delete(key);
    });
    this.#pools.set(key, pool);
    return pool;
  }

  counts(): { readonly open: number; readonly idle: number } {
    let open = 0;
    let idle = 0;
    for (const pool of this.#pools.values()) {
      open += pool.openCount;
      idle += pool.idleCount;
    }
    return { open, idle };
  }

  close(): void {
    for (const pool of this.#pools.values()) pool.close();
  }

  #keyOf(origin: Origin): string {
    const known = this.#keys.get(origin);
    if (known !== undefined) return known;
    const { scheme, host, port, connectTo, verifyTls = true, ca } = origin;
    const key = JSON.stringify([scheme, host.toLowerCase(), port, connectTo, verifyTls, ca]);
    this.#keys.set(origin, key);
    return key;
  }
}
