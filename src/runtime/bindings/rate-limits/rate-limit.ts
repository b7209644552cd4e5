/**
 * `env.LIMITER`: counts uses of a key in periods aligned to the clock. The counts are in the memory of each process
 * that runs code, as Cloudflare's are in each of its locations: the limit is meant against abuse, not for accounting.
 */
import { RecentMap } from '#base';
import { rateLimitKeysMax } from '../limits.ts';

export const rateLimitPeriods: readonly number[] = [10, 60];

export interface RateLimitSettings {
  /** Uses of a key in a period. */
  readonly limit: number;
  /** In seconds. */
  readonly period: number;
}

interface PeriodCount {
  readonly period: number;
  uses: number;
}

/** By namespace: counts persist when code is loaded again. */
const countsOf = new Map<string, RecentMap<string, PeriodCount>>();

const optionNames: ReadonlySet<string> = new Set(['key', 'limit', 'period']);

export class RateLimit {
  readonly #settings: RateLimitSettings;
  readonly #counts: RecentMap<string, PeriodCount>;

  constructor(namespace: string, settings: RateLimitSettings) {
    this.#settings = settings;
    const counts = countsOf.get(namespace) ?? new RecentMap({ sizeMax: rateLimitKeysMax });
    countsOf.set(namespace, counts);
    this.#counts = counts;
  }

  async limit(options: unknown): Promise<{ readonly success: boolean }> {
    if (typeof options !== 'object' || options === null) throw new Error('invalid rate limit options');
    const unknown = Object.keys(options).filter((name) => !optionNames.has(name));
    if (unknown.length > 0) throw new Error(`bad rate limit options: [${unknown.join(',')}]`);
    const { key = '', limit, period } = { ...this.#settings, ...options } as Record<string, unknown>;
    if (typeof key !== 'string') throw new Error(`invalid key: ${String(key)}`);
    if (typeof limit !== 'number') throw new Error(`limit must be a number: ${String(limit)}`);
    if (typeof period !== 'number') throw new Error(`period must be a number: ${String(period)}`);
    if (!rateLimitPeriods.includes(period)) throw new Error(`unsupported period: ${period}`);
    return { success: this.#use(key, limit, Math.floor(Date.now() / (period * 1_000))) };
  }

  /** Returns whether a use was left. */
  #use(key: string, limit: number, period: number): boolean {
    let count = this.#counts.get(key);
    if (count?.period !== period) this.#counts.set(key, (count = { period, uses: 0 }));
    if (count.uses >= limit) return false;
    count.uses += 1;
    return true;
  }
}
