/**
 * The exchange of rate limits between a host and the control plane: the counts for rules that all hosts count together,
 * the fullest keys while they are requested, and released keys. Counting does not wait for it: while the control plane
 * is unavailable, each host counts alone.
 */
import { type Clock, type Log, elapsedOf, realClock, type Timer } from '#base';
import type { CountedKey, SharedCount } from '#firewall';
import type { EdgeReports } from '../edge-reports.ts';

export interface RateLinkOptions {
  readonly clock?: Clock;
  readonly log: Log;
  readonly exchange: EdgeReports['exchangeRates'];
  /** Whether this host counts anything. */
  readonly hasKeys: () => boolean;
  /** The current fullest keys of this host; only called while keys are requested. */
  readonly listKeys: () => Promise<readonly CountedKey[]>;
  /** The counts of other hosts. */
  readonly onCounts: (counts: readonly SharedCount[]) => void;
  readonly onReleased: (keys: readonly string[]) => void;
}

/** How often it asks whether keys are requested, if there are any, and then sends them. */
const keysMs = 2_000;

/** How often counts of all hosts are sent: requests that arrive meanwhile at several hosts can exceed a limit. */
const countsMs = 250;

/** For this long after it counted or received a shared count, it asks often. */
const busyMs = 10_000;

/** Counts in one report. Other hosts do not see further ones. */
const countsMax = 2_000;

export class RateLink implements Disposable {
  readonly #options: RateLinkOptions;
  readonly #clock: Clock;
  #counts = new Map<string, SharedCount>();
  #after = '';
  #areKeysWanted = false;
  #busyUntilMs = 0;
  #keysSentMs = -Infinity;
  #timer: Timer | undefined;
  #isAsking = false;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: RateLinkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#wait(keysMs);
  }

  /** Adds the counts of this host; those that all hosts count together are sent. */
  add(counts: readonly SharedCount[]): void {
    let isAdded = false;
    for (const count of counts) {
      if (count.isOfAllHosts !== true) continue;
      const known = this.#counts.get(count.key);
      if (known === undefined && this.#counts.size >= countsMax) continue;
      isAdded = true;
      const [added, stopMs] = [(known?.added ?? 0) + count.added, Math.max(known?.stopMs ?? 0, count.stopMs)];
      this.#counts.set(count.key, { ...count, added, stopMs });
    }
    if (!isAdded) return;
    const nowMs = elapsedOf(this.#clock);
    const wasBusy = this.#busyUntilMs > nowMs;
    this.#busyUntilMs = nowMs + busyMs;
    if (!wasBusy && !this.#isAsking) this.#wait(countsMs);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  #wait(ms: number): void {
    this.#timer?.cancel();
    if (!this.#isClosed)
      this.#timer = this.#clock.setTimer(this.#clock.now() + ms, () => void this.#ask(), 'housekeeping');
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    const keys = this.#mustSendKeys() ? await this.#options.listKeys() : undefined;
    if (this.#options.hasKeys() || this.#counts.size > 0) await this.#exchange(keys);
    this.#isAsking = false;
    const areAwaited = this.#areKeysWanted && this.#keysSentMs === -Infinity;
    this.#wait(areAwaited ? 0 : this.#busyUntilMs > elapsedOf(this.#clock) ? countsMs : keysMs);
  }

  async #exchange(keys: readonly CountedKey[] | undefined): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      const answer = await this.#options.exchange({ after: this.#after, counts, keys });
      if (answer === undefined || this.#isClosed) return;
      this.#after = answer.after;
      this.#areKeysWanted = answer.keysWanted;
      if (!answer.keysWanted) this.#keysSentMs = -Infinity;
      if (answer.counts.length > 0) {
        this.#busyUntilMs = elapsedOf(this.#clock) + busyMs;
        this.#options.onCounts(answer.counts);
      }
      if (answer.released.length > 0) this.#options.onReleased(answer.released);
      this.#hasFailed = false;
    } catch (error) {
      if (this.#isClosed || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#options.log.warn(
        'could not share rate counters with other hosts; each host counts only its own requests',
        {
          error,
        },
      );
    }
  }

  /** Whether keys are requested, and were not sent just now. */
  #mustSendKeys(): boolean {
    const nowMs = elapsedOf(this.#clock);
    const must = this.#areKeysWanted && this.#keysSentMs + keysMs <= nowMs;
    if (must) this.#keysSentMs = nowMs;
    return must;
  }
}

/** Merges the keys of several processes of one host, which exchange their counts: the highest count of each key. */
export function mergeKeys(lists: Iterable<readonly CountedKey[]>): CountedKey[] {
  const merged = new Map<string, CountedKey>();
  for (const key of [...lists].flat()) {
    const known = merged.get(key.key);
    if (known === undefined) merged.set(key.key, key);
    else {
      const [count, untilMs] = [Math.max(known.count, key.count), Math.max(known.untilMs, key.untilMs)];
      merged.set(key.key, { ...key, count, untilMs });
    }
  }
  return [...merged.values()];
}
