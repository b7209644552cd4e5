/**
 * What a host tells the control plane about its rate limits, and hears from it: what the hosts count of rules that all of
 * them count together, the fullest keys for those who look, and keys that were let go. Whoever counts does not wait for
 * it: while the control plane is away, each host counts for itself.
 */
import { type Clock, type Log, realClock, type Timer } from '#base';
import type { CountedKey, RateAnswer, RateReport, SharedCount } from '#firewall';

/** Undefined while there is no control plane yet. */
export type ExchangeRates = (report: Omit<RateReport, 'instance'>) => Promise<RateAnswer | undefined>;

export interface RateLinkOptions {
  readonly clock?: Clock;
  readonly log: Log;
  readonly exchange: ExchangeRates;
  /** The fullest keys of this host now. */
  readonly listKeys: () => readonly CountedKey[];
  /** What other hosts have counted. */
  readonly onCounts: (counts: readonly SharedCount[]) => void;
  readonly onReleased: (keys: readonly string[]) => void;
}

/** How often keys are told, if there are any. */
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
  #told = '[]';
  #busyUntilMs = 0;
  #keysToldMs = 0;
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
      const [added, untilMs] = [
        (known?.added ?? 0) + count.added,
        Math.max(known?.untilMs ?? 0, count.untilMs),
      ];
      this.#counts.set(count.key, { ...count, added, untilMs });
    }
    if (!isAdded) return;
    const wasBusy = this.#busyUntilMs > this.#clock.now();
    this.#busyUntilMs = this.#clock.now() + busyMs;
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
    const keys = this.#takeKeys();
    const hasKeys = this.#told !== '[]';
    if (hasKeys || keys !== undefined || this.#counts.size > 0) await this.#exchange(keys);
    this.#isAsking = false;
    this.#wait(this.#busyUntilMs > this.#clock.now() ? countsMs : keysMs);
  }

  async #exchange(keys: readonly CountedKey[] | undefined): Promise<void> {
    const counts = [...this.#counts.values()];
    this.#counts = new Map();
    try {
      const answer = await this.#options.exchange({ after: this.#after, counts, keys });
      if (answer === undefined || this.#isClosed) return;
      this.#after = answer.after;
      if (answer.counts.length > 0) {
        this.#busyUntilMs = this.#clock.now() + busyMs;
        this.#options.onCounts(answer.counts);
      }
      if (answer.released.length > 0) this.#options.onReleased(answer.released);
      this.#hasFailed = false;
    } catch (error) {
      this.#told = '';
      if (this.#isClosed || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#options.log.warn('could not tell other hosts what was counted; each counts for itself', {
        error,
      });
    }
  }

  /** Undefined if they were told already. */
  #takeKeys(): readonly CountedKey[] | undefined {
    const nowMs = this.#clock.now();
    if (this.#keysToldMs + keysMs > nowMs) return undefined;
    this.#keysToldMs = nowMs;
    const keys = this.#options.listKeys();
    const written = JSON.stringify(keys);
    if (written === this.#told) return undefined;
    this.#told = written;
    return keys;
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
