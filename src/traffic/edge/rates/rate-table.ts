/**
 * Counts requests by key in a sliding window: the previous window counts with the share that still overlaps. So two
 * numbers per key are enough, and no limit can be exceeded twice around the end of a window.
 *
 * - With a timeout, all requests count; the first beyond the limit starts the timeout, after which the count restarts.
 * - Without one, only requests that pass count, so that a client over the limit still gets the permitted rate.
 *
 * The table is bounded: when it is full, it evicts keys that were not used for long. That can let a request pass, but
 * never stops one.
 */
import type { CountedKey, CountedLimit, RateReading } from '#firewall';
import { KeyIndex } from './key-index.ts';
import { forgottenOfMax, rateKeysMax } from './limits.ts';

const momentsPerKey = 4;
const windowAt = 0;
const overUntilAt = 1;
const countsPerKey = 2 * momentsPerKey;
const usedAt = 4;
const tagAt = 5;
const currentAt = 6;
const beforeAt = 7;

/** The resolution of the time at which a key was last used. */
const tickMs = 64;

export class RateTable {
  readonly #index: KeyIndex;
  readonly #keys: string[] = [];
  /**
   * The fields that every request accesses, side by side, because with many keys memory access is most of the cost. For
   * each place: the number of the window and the end of its timeout; and in the same bytes, as integers, when it was last
   * used, the tag of its key, and the counts of this window and the previous one.
   */
  readonly #moments: Float64Array;
  readonly #counts: Uint32Array;
  /** The limit and the period of a key, for listings. */
  readonly #requests: Uint32Array;
  readonly #periodsMs: Uint32Array;
  readonly #keysMax: number;
  #hand = 0;
  #forgotten = 0;

  constructor({ keysMax = rateKeysMax } = {}) {
    this.#keysMax = keysMax;
    this.#moments = new Float64Array(keysMax * momentsPerKey);
    this.#counts = new Uint32Array(this.#moments.buffer);
    this.#requests = new Uint32Array(keysMax);
    this.#periodsMs = new Uint32Array(keysMax);
    this.#index = new KeyIndex(keysMax, { values: this.#counts, perPlace: countsPerKey, at: tagAt });
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Keys that were evicted while they may have counted. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Counts a request, or only reads the count. */
  take(
    key: string,
    { requests, periodMs, timeoutMs }: CountedLimit,
    {
      isCounted,
      nowMs,
      weight = 1,
    }: { readonly isCounted: boolean; readonly nowMs: number; readonly weight?: number | undefined },
  ): RateReading & { readonly added: number } {
    const place = this.#find(key, { requests, periodMs, nowMs });
    const untilMs = this.#moments[place * momentsPerKey + overUntilAt]!;
    const count = this.#estimate(place, periodMs, nowMs);
    const added = isCounted ? weight : 0;
    const isOver = untilMs > nowMs || count + added > requests;
    // A key is not stopped because of another key with the same hash.
    if (isOver && this.#keys[place] !== key) return within(0, 0);
    if (untilMs > nowMs) return over(count, untilMs - nowMs);
    if (timeoutMs > 0) {
      this.#increase(place, added);
      if (count + added <= requests) return within(count + added, added);
      this.#stop(place, nowMs + timeoutMs);
      return { ...over(count + added, timeoutMs), added };
    }
    const next = count + added;
    if (next > requests) return over(next, this.#findPassMs(place, { requests, periodMs, nowMs }) + 1);
    this.#increase(place, added);
    return within(next, added);
  }

  /** Counts a request whether or not it passes; returns the count. */
  count(key: string, moment: RateMoment, added = 1): number {
    const place = this.#find(key, moment);
    this.#increase(place, added);
    return this.#estimate(place, moment.periodMs, moment.nowMs);
  }

  startTimeout(key: string, untilMs: number, moment: RateMoment): void {
    this.#stop(this.#find(key, moment), untilMs);
  }

  #stop(place: number, untilMs: number): void {
    this.#moments[place * momentsPerKey + overUntilAt] = untilMs;
    this.#counts[place * countsPerKey + currentAt] = 0;
    this.#counts[place * countsPerKey + beforeAt] = 0;
  }

  reset(key: string): void {
    const place = this.#index.find(key);
    if (place === undefined) return;
    this.#counts[place * countsPerKey + currentAt] = 0;
    this.#counts[place * countsPerKey + beforeAt] = 0;
    this.#moments[place * momentsPerKey + overUntilAt] = 0;
  }

  /** The keys that are stopped or nearest to it, the fullest first: at most `max`, found in one pass. */
  listFullest(nowMs: number, max: number): CountedKey[] {
    const places = new Uint32Array(steps + 1);
    for (let place = 0; place < this.#keys.length; place++) places[this.#fullness(place, nowMs)]!++;
    // The lowest step whose keys are still included.
    let lowest = steps + 1;
    for (let taken = 0; lowest > 1 && taken < max; lowest--) taken += places[lowest - 1]!;
    const found: (CountedKey & { readonly fullness: number })[] = [];
    for (let place = 0; place < this.#keys.length && found.length < scannedMax; place++) {
      if (this.#fullness(place, nowMs) < lowest) continue;
      const [requests, untilMs] = [
        this.#requests[place]!,
        this.#moments[place * momentsPerKey + overUntilAt]!,
      ];
      const isStopped = untilMs > nowMs;
      const periodMs = this.#periodsMs[place]!;
      const count = this.#countAt(place, nowMs);
      const fullness = isStopped ? Infinity : count / requests;
      const key = this.#keys[place]!;
      found.push({ key, count, requests, periodMs, untilMs: isStopped ? untilMs : 0, fullness });
    }
    return found
      .toSorted((one, other) => other.fullness - one.fullness)
      .slice(0, max)
      .map(({ fullness: _fullness, ...key }) => key);
  }

  /** In steps of the limit; 0 if nothing counts any more. */
  #fullness(place: number, nowMs: number): number {
    if (this.#moments[place * momentsPerKey + overUntilAt]! > nowMs) return steps;
    const count = this.#countAt(place, nowMs);
    return count === 0
      ? 0
      : 1 + Math.min(Math.floor((count / this.#requests[place]!) * (steps - 2)), steps - 2);
  }

  /** Does not advance the window. */
  #countAt(place: number, nowMs: number): number {
    const periodMs = this.#periodsMs[place]!;
    const passed = Math.floor(nowMs / periodMs) - this.#moments[place * momentsPerKey + windowAt]!;
    if (passed <= 0) return this.#estimate(place, periodMs, nowMs);
    const share = 1 - (nowMs % periodMs) / periodMs;
    return passed === 1 ? Math.floor(this.#counts[place * countsPerKey + currentAt]! * share) : 0;
  }

  /** Scores are large: a sum must not wrap around to 0. */
  #increase(place: number, added: number): void {
    this.#counts[place * countsPerKey + currentAt] = Math.min(
      this.#counts[place * countsPerKey + currentAt]! + added,
      countMax,
    );
  }

  #estimate(place: number, periodMs: number, nowMs: number): number {
    const passed = (nowMs % periodMs) / periodMs;
    return (
      Math.floor(this.#counts[place * countsPerKey + beforeAt]! * (1 - passed)) +
      this.#counts[place * countsPerKey + currentAt]!
    );
  }

  /** How long it takes until one more request is within the limit. */
  #findPassMs(place: number, { requests, periodMs, nowMs }: RateMoment): number {
    const [before, current] = [
      this.#counts[place * countsPerKey + beforeAt]!,
      this.#counts[place * countsPerKey + currentAt]!,
    ];
    const passedMs = nowMs % periodMs;
    if (current < requests) return (1 - (requests - current) / before) * periodMs - passedMs;
    return periodMs - passedMs + (1 - requests / current) * periodMs;
  }

  /** The place of a key, in the current window. */
  #find(key: string, { requests, periodMs, nowMs }: RateMoment): number {
    const window = Math.floor(nowMs / periodMs);
    let place = this.#index.find(key);
    if (place === undefined) {
      place = this.#add(key, nowMs);
      this.#begin(place, window, { requests, periodMs });
    } else {
      // After a step back, the clock continues in the current window.
      const passed = window - this.#moments[place * momentsPerKey + windowAt]!;
      if (passed > 0) {
        this.#counts[place * countsPerKey + beforeAt] =
          passed === 1 ? this.#counts[place * countsPerKey + currentAt]! : 0;
        this.#counts[place * countsPerKey + currentAt] = 0;
        this.#begin(place, window, { requests, periodMs });
      }
    }
    this.#counts[place * countsPerKey + usedAt] = nowMs / tickMs;
    return place;
  }

  /** Listings show the limit of the window's first request, so that later requests touch less memory. */
  #begin(place: number, window: number, { requests, periodMs }: Omit<RateMoment, 'nowMs'>): void {
    this.#moments[place * momentsPerKey + windowAt] = window;
    this.#requests[place] = requests;
    this.#periodsMs[place] = periodMs;
  }

  #add(key: string, nowMs: number): number {
    const place = this.#keys.length < this.#keysMax ? this.#keys.length : this.#forget(nowMs);
    this.#index.add(key, place);
    this.#keys[place] = key;
    this.#counts[place * countsPerKey + currentAt] = 0;
    this.#counts[place * countsPerKey + beforeAt] = 0;
    this.#moments[place * momentsPerKey + overUntilAt] = 0;
    return place;
  }

  /** Of some keys, the least recently used; a stopped one only if all of them are stopped. */
  #forget(nowMs: number): number {
    let found = this.#hand;
    for (let looked = 0; looked < forgottenOfMax; looked++) {
      const place = this.#hand;
      this.#hand = (this.#hand + 1) % this.#keysMax;
      const isStopped = this.#moments[place * momentsPerKey + overUntilAt]! > nowMs;
      const isFoundStopped = this.#moments[found * momentsPerKey + overUntilAt]! > nowMs;
      if (
        isStopped === isFoundStopped
          ? this.#counts[place * countsPerKey + usedAt]! < this.#counts[found * countsPerKey + usedAt]!
          : isFoundStopped
      ) {
        found = place;
      }
    }
    this.#index.remove(this.#keys[found]!, found);
    this.#forgotten++;
    return found;
  }
}

/** Keys are sorted roughly by these steps. */
const steps = 64;

/** Many keys can be equally full: only this many are examined. */
const scannedMax = 10_000;

/** Of 32 bits. */
const countMax = 2 ** 32 - 1;

interface RateMoment {
  readonly requests: number;
  readonly periodMs: number;
  readonly nowMs: number;
}

function within(count: number, added: number): RateReading & { readonly added: number } {
  return { isOver: false, count, added, retryAfterSeconds: 0 };
}

function over(count: number, waitMs: number): RateReading & { readonly added: number } {
  return { isOver: true, count, added: 0, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}
