/**
 * All connection pools. Configurations change while their origins stay: equal origins share a pool, and empty pools are
 * dropped.
 */
import type { Origin } from '../wire/exchange.ts';
import { OriginPool, type PoolSettings } from './origin/origin-pool.ts';

export class OriginPools {
  readonly #settings: PoolSettings;
  readonly #pools = new Map<string, OriginPool>();
  /** The key of an origin is long, and nearly every request has the same origin object as the one before. */
  readonly #keys = new WeakMap<Origin, string>();

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  getPool(origin: Origin): OriginPool {
    const key = this.#getKey(origin);
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    const pool = new OriginPool(origin, this.#settings, () => {
      if (this.#pools.get(key) === pool) this.#pools.delete(key);
    });
    this.#pools.set(key, pool);
    return pool;
  }

  countConnections(): { readonly open: number; readonly idle: number } {
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

  #getKey(origin: Origin): string {
    const known = this.#keys.get(origin);
    if (known !== undefined) return known;
    const { scheme, host, port, connectTo, verifyTls = true, ca, worker, clientName } = origin;
    const key = JSON.stringify([
      scheme,
      host.toLowerCase(),
      port,
      connectTo,
      verifyTls,
      ca,
      worker,
      clientName,
    ]);
    this.#keys.set(origin, key);
    return key;
  }
}
