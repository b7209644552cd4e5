/**
 * What a host tells the control plane about its rate limits, and hears from it: what the hosts count of rules that all of
 * them count together, the fullest keys for those who look, and keys that were let go. Whoever counts does not wait for
 * it: while the control plane is away, each host counts for itself.
 */
import { type Clock, type Log, elapsedOf, realClock, type Timer } from '#base';
import type { CountedKey, RateAnswer, RateReport, SharedCount } from '#firewall';

/** Undefined while there is no control plane yet. */
export type ExchangeRates = (report: Omit<RateReport, 'instance'>) => Promise<RateAnswer | undefined>;

export interface RateLinkOptions {
  readonly clock?: Clock;
  readonly log: Log;
  readonly exchange: ExchangeRates;
  /** Whether this host counts anything. */
  readonly hasKeys: () => boolean;
  /** The fullest keys of this host now; asked for only while somebody looks at them. */
  readonly listKeys: () => Promise<readonly CountedKey[]>;
  /** What other hosts have counted. */
  readonly onCounts: (counts: readonly SharedCount[]) => void;
  readonly onReleased: (keys: readonly string[]) => void;
}

/** How often it asks whether somebody looks at keys, if there are any, and tells them then. */
const keysMs = 2_000;

/** How often counts of all hosts are told: what arrives meanwhile at several hosts can be beyond a limit. */
const countsMs = 250;

/** Since it counted or heard something that all hosts count, it asks often. */
const busyMs = 10_000;

/** Of one report. What is beyond stays uncounted by other hosts. */
const countsMax = 2_000;

export class RateLink implements Disposable {
  readonly #options: RateLinkOptions;
  readonly #clock: Clock;
  #counts = new Map<string, SharedCount>();
  #after = '';
  #areKeysWanted = false;
  #busyUntilMs = 0;
  #keysToldMs = -Infinity;
  #timer: Timer | undefined;
  #isAsking = false;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: RateLinkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#wait(keysMs);
  }

  /** What this host has counted; of that, what all hosts count together is told. */
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
    const keys = this.#mustTellKeys() ? await this.#options.listKeys() : undefined;
    if (this.#options.hasKeys() || this.#counts.size > 0) await this.#exchange(keys);
    this.#isAsking = false;
    const areAwaited = this.#areKeysWanted && this.#keysToldMs === -Infinity;
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
      if (!answer.keysWanted) this.#keysToldMs = -Infinity;
      if (answer.counts.length > 0) {
        this.#busyUntilMs = elapsedOf(this.#clock) + busyMs;
        this.#options.onCounts(answer.counts);
      }
      if (answer.released.length > 0) this.#options.onReleased(answer.released);
      this.#hasFailed = false;
    } catch (error) {
      if (this.#isClosed || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#options.log.warn('could not tell other hosts what was counted; each counts for itself', {
        error,
      });
    }
  }

  /** Whether somebody wants to know them, and was not told just now. */
  #mustTellKeys(): boolean {
    const nowMs = elapsedOf(this.#clock);
    const must = this.#areKeysWanted && this.#keysToldMs + keysMs <= nowMs;
    if (must) this.#keysToldMs = nowMs;
    return must;
  }
}

/** The keys of several processes of one host, which tell each other what they count: the most that one of them knows. */
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
