/**
 * The counters of an edge process, and what it shares with the other processes of the machine: its recent counts by
 * key, which keys are stopped, and for how long.
 *
 * - While this process counts less of a key than its part of the limit (the limit divided by the processes), it shares
 *   the count every 50 ms: even if all others are as far, the limit is not reached.
 * - Beyond that, and when a timeout starts, it shares the count at once, and the response to the request waits until
 *   the others have it and have returned their unshared counts. So a client that waits for each response is counted
 *   exactly, whichever process its next request arrives at.
 *
 * Requests that arrive at the same time on several connections can still exceed a limit. All counting uses a monotonic
 * clock: changes of the time of day do not affect it.
 */
import { hash } from 'node:crypto';
import { type Clock, elapsedOf, realClock, type Timer } from '#base';
import type { ResponseFacts } from '#request';
import {
  type CountedKey,
  joinRateKey,
  type RateCounter,
  type RateHit,
  type RateReading,
  type SharedCount,
} from '#firewall';
import {
  impatientMs,
  rateValueCharactersMax,
  sharedKeysMax,
  sharedMsMax,
  shareMs,
  shownKeysMax,
} from './limits.ts';
import { RateTable } from './rate-table.ts';
import type { Visitor } from './visitor.ts';

export interface RateCountersOptions {
  readonly clock?: Clock;
  /**
   * Sends counts to the other processes, and resolves when they have them; without it, there are no other processes.
   */
  readonly share?: ((counts: readonly SharedCount[]) => Promise<void>) | undefined;
  /** How many processes of the host count together. */
  readonly processes?: number | undefined;
  /** There is no other process on this host: only counts that all hosts share are sent. */
  readonly isAlone?: boolean | undefined;
}

/** Keeps the time at which the timeout ends, on the clock of this process. */
type UnsharedCount = Omit<SharedCount, 'stopMs'> & { readonly untilMs: number };

type Weigh = Parameters<RateCounter['awaitResponse']>[1];

/** The counter of one request. */
export interface RequestRates extends RateCounter {
  /** The `Set-Cookie` for a visitor that rules want to recognise; undefined if none is due. */
  readonly cookie: string | undefined;
  /** Whether rules wait for the response. */
  readonly awaitsResponse: boolean;
  /** Whether other processes of the host count with this one. */
  readonly isShared: boolean;
  /** Resolves when the other processes have the counts of this request; undefined if nothing waits for that. */
  notifyOthers(): Promise<void> | undefined;
  /** Must be called once, with the response of the origin that the visitor gets. */
  countResponse(response: ResponseFacts): void;
}

export class RateCounters {
  /** Created for the first request that is counted: most edges have no rule that counts. */
  #made: RateTable | undefined;
  readonly #clock: Clock;
  readonly #share: RateCountersOptions['share'];
  readonly #isAlone: boolean;
  readonly #processes: number;
  readonly #unshared = new Map<string, UnsharedCount>();
  #timer: Timer | undefined;
  /** The pending message of this turn of the event loop. */
  #telling: Promise<void> | undefined;
  #impatientUntilMs = 0;
  #left = 0;

  constructor({ clock = realClock, share, processes = 1, isAlone = false }: RateCountersOptions = {}) {
    this.#processes = processes;
    this.#clock = clock;
    this.#share = share;
    this.#isAlone = isAlone;
  }

  /** Counted keys, keys that were evicted for lack of room, and counts that could not be shared. */
  get counts(): { readonly keys: number; readonly forgotten: number; readonly unshared: number } {
    const { size: keys = 0, forgotten = 0 } = this.#made ?? {};
    return { keys, forgotten, unshared: this.#left };
  }

  /** The counter of one request of a zone: it counts once for each rule, however often the request is judged. */
  open(zoneId: string, visitor?: Visitor): RequestRates {
    return new OneRequest(zoneId, this, visitor);
  }

  /** Restarts the count of a key. */
  reset(key: string): void {
    this.#table.reset(key);
  }

  /** Adds the counts of another process. */
  receive(counts: readonly SharedCount[]): void {
    const nowMs = elapsedOf(this.#clock);
    for (const { key, requests, periodMs, added, stopMs } of counts) {
      if (added > 0) this.#table.count(key, { requests, periodMs, nowMs }, added);
      if (stopMs > 0) this.#table.startTimeout(key, nowMs + stopMs, { requests, periodMs, nowMs });
    }
  }

  get hasKeys(): boolean {
    return this.#made !== undefined && this.#made.size > 0;
  }

  /** The keys that are stopped or nearest to it, the fullest first. */
  listFullest(): CountedKey[] {
    const nowMs = elapsedOf(this.#clock);
    const aheadMs = this.#clock.now() - nowMs;
    return (this.#made?.listFullest(nowMs, shownKeysMax) ?? []).map(({ untilMs, ...key }) => ({
      ...key,
      untilMs: untilMs === 0 ? 0 : Math.round(untilMs + aheadMs),
    }));
  }

  /** A user has released these keys: their counts restart. */
  release(keys: readonly string[]): void {
    for (const key of keys) {
      this.#unshared.delete(key);
      this.#made?.reset(key);
    }
  }

  close(): void {
    this.#timer?.cancel();
  }

  get isShared(): boolean {
    return this.#share !== undefined && !this.#isAlone;
  }

  /** Returns the counts that were not shared yet, for another process that asks, and marks them as shared. */
  takeUnshared(): SharedCount[] {
    this.#timer?.cancel();
    this.#timer = undefined;
    const nowMs = elapsedOf(this.#clock);
    const counts = Array.from(this.#unshared.values(), ({ untilMs, ...count }) => ({
      ...count,
      stopMs: Math.max(0, Math.ceil(untilMs - nowMs)),
    }));
    this.#unshared.clear();
    return counts;
  }

  /** Shares counts at once; the requests of one turn of the event loop share one message. */
  notifyNow(): Promise<void> | undefined {
    this.#telling ??= new Promise((resolve) => void setImmediate(resolve)).then(() => this.#notifyAndWait());
    return this.#impatientUntilMs > elapsedOf(this.#clock) ? undefined : this.#telling;
  }

  async #notifyAndWait(): Promise<void> {
    this.#telling = undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = this.#clock.setTimer(
      this.#clock.now() + sharedMsMax,
      () => {
        this.#impatientUntilMs = elapsedOf(this.#clock) + impatientMs;
        resolve();
      },
      'housekeeping',
    );
    void this.#tell().then(resolve);
    await promise;
    timer.cancel();
  }

  get #table(): RateTable {
    return (this.#made ??= new RateTable());
  }

  take(key: string, hit: RateHit): CountedReading {
    const { limit, isCounted, weight } = hit;
    const nowMs = elapsedOf(this.#clock);
    const reading = this.#table.take(key, limit, { isCounted, nowMs, weight });
    const { added } = reading;
    const hasStopped = reading.isOver && added > 0;
    this.#note(key, hit, added, hasStopped ? nowMs + limit.timeoutMs : 0);
    const isNear = this.isShared && added > 0 && (hasStopped || this.#isNear(reading.count, hit));
    return { ...reading, isNear };
  }

  /** Counts a request even if the rule does not match it. */
  count(key: string, hit: RateHit): CountedReading {
    const { timeoutMs, periodMs, requests } = hit.limit;
    if (timeoutMs > 0) return this.take(key, hit);
    const { weight = 1 } = hit;
    const counted = this.#table.count(key, { requests, periodMs, nowMs: elapsedOf(this.#clock) }, weight);
    this.#note(key, hit, weight, 0);
    return {
      isOver: false,
      count: 0,
      retryAfterSeconds: 0,
      isNear: this.isShared && this.#isNear(counted, hit),
    };
  }

  #isNear(count: number, { limit }: RateHit): boolean {
    return count * this.#processes >= limit.requests;
  }

  #note(key: string, { limit, isOfAllHosts }: RateHit, added: number, untilMs: number): void {
    if (this.#share === undefined || (added === 0 && untilMs === 0)) return;
    if (this.#isAlone && !isOfAllHosts) return;
    const known = this.#unshared.get(key);
    if (known === undefined && this.#unshared.size >= sharedKeysMax) {
      this.#left += added;
      return;
    }
    this.#unshared.set(key, {
      key,
      requests: limit.requests,
      periodMs: limit.periodMs,
      isOfAllHosts,
      added: (known?.added ?? 0) + added,
      untilMs: Math.max(known?.untilMs ?? 0, untilMs),
    });
    this.#timer ??= this.#clock.setTimer(
      this.#clock.now() + shareMs,
      () => void this.#tell(),
      'housekeeping',
    );
  }

  /** While sharing fails, each process counts on its own. */
  #tell(): Promise<void> {
    return this.#share!(this.takeUnshared()).catch(() => {});
  }
}

interface CountedReading extends RateReading {
  /** The next request may exceed the limit, or this one does, so the other processes must have this count. */
  readonly isNear: boolean;
}

interface TakenCount {
  readonly ruleId: string;
  readonly isAsked: boolean;
  readonly reading: RateReading;
}

/** Most requests are counted by one rule, and none waits for its response. */
class OneRequest implements RequestRates {
  readonly #zoneId: string;
  readonly #counters: RateCounters;
  readonly #visitor: Visitor | undefined;
  #first: TakenCount | undefined;
  /** The results of the other rules. */
  #taken: TakenCount[] | undefined;
  #awaited: Map<string, { readonly hit: RateHit; readonly weigh: Weigh }> | undefined;
  #isNear = false;

  constructor(zoneId: string, counters: RateCounters, visitor: Visitor | undefined) {
    this.#zoneId = zoneId;
    this.#counters = counters;
    this.#visitor = visitor;
  }

  findVisitor(): string | undefined {
    return this.#visitor?.findId();
  }

  get cookie(): string | undefined {
    return this.#visitor?.cookie;
  }

  get awaitsResponse(): boolean {
    return this.#awaited !== undefined && this.#awaited.size > 0;
  }

  get isShared(): boolean {
    return this.#counters.isShared;
  }

  notifyOthers(): Promise<void> | undefined {
    if (!this.#isNear) return undefined;
    this.#isNear = false;
    return this.#counters.notifyNow();
  }

  awaitResponse(hit: RateHit, weigh: Weigh): void {
    this.#awaited ??= new Map();
    this.#awaited.set(hit.ruleId, { hit, weigh });
  }

  countResponse(response: ResponseFacts): void {
    for (const { hit, weigh } of this.#awaited?.values() ?? []) {
      const weight = weigh(response);
      if (weight === 0) continue;
      const { isNear } = this.#counters.count(keyOf(this.#zoneId, hit), { ...hit, weight });
      this.#isNear ||= isNear;
    }
    this.#awaited?.clear();
  }

  take(hit: RateHit): RateReading {
    const { ruleId, isAsked } = hit;
    const isSame = (taken: TakenCount): boolean => taken.ruleId === ruleId && taken.isAsked === isAsked;
    const known = this.#first !== undefined && isSame(this.#first) ? this.#first : this.#taken?.find(isSame);
    if (known !== undefined) return known.reading;
    const key = keyOf(this.#zoneId, hit);
    const reading = isAsked ? this.#counters.take(key, hit) : this.#counters.count(key, hit);
    this.#isNear ||= reading.isNear;
    const taken = { ruleId, isAsked, reading };
    if (this.#first === undefined) this.#first = taken;
    else (this.#taken ??= []).push(taken);
    return reading;
  }

  reset(hit: RateHit): void {
    this.#counters.reset(keyOf(this.#zoneId, hit));
    const isOther = ({ ruleId, isAsked }: TakenCount): boolean => ruleId !== hit.ruleId || !isAsked;
    if (this.#first !== undefined && !isOther(this.#first)) this.#first = undefined;
    this.#taken = this.#taken?.filter(isOther);
  }
}

/** Long values are replaced by their digest, so that zone and rule can always be read from the key. */
function keyOf(zoneId: string, { ruleId, key }: RateHit): string {
  const isLong = key.length > rateValueCharactersMax;
  return joinRateKey(zoneId, ruleId, isLong ? `=sha256 ${hash('sha256', key, 'base64url')}` : key);
}
