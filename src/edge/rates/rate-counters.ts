/**
 * The counters of an edge process, and what it tells the other processes of the machine: every 50 ms what it has counted
 * since, and which keys are stopped, and for how long yet. So a limit holds for all of them together, but for what arrives
 * within that time. All counting is by a clock that is never set: the time of day may be put back or forward.
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
import { rateValueCharactersMax, sharedKeysMax, shareMs, shownKeysMax } from './limits.ts';
import { RateTable } from './rate-table.ts';
import type { Visitor } from './visitor.ts';

export interface RateCountersOptions {
  readonly clock?: Clock;
  /** Tells the other processes; there are none if it is not given. */
  readonly share?: ((counts: readonly SharedCount[]) => void) | undefined;
  /** There is no other process on this host: it tells only what all hosts count together. */
  readonly isAlone?: boolean | undefined;
}

/** It keeps the moment at which the timeout ends, by the clock of this process. */
type UnsharedCount = Omit<SharedCount, 'stopMs'> & { readonly untilMs: number };

type Weigh = Parameters<RateCounter['awaitResponse']>[1];

/** The counter of one request. */
export interface RequestRates extends RateCounter {
  /** The `Set-Cookie` for a visitor that rules want to know again; undefined if none is due. */
  readonly cookie: string | undefined;
  /** Whether rules wait for the response. */
  readonly awaitsResponse: boolean;
  /** To be called once, with the answer that the visitor gets of the origin. */
  countResponse(response: ResponseFacts): void;
}

export class RateCounters {
  /** Made for the first request that is counted: most edges have no rule that counts. */
  #made: RateTable | undefined;
  readonly #clock: Clock;
  readonly #share: RateCountersOptions['share'];
  readonly #isAlone: boolean;
  readonly #unshared = new Map<string, UnsharedCount>();
  #timer: Timer | undefined;
  #left = 0;

  constructor({ clock = realClock, share, isAlone = false }: RateCountersOptions = {}) {
    this.#clock = clock;
    this.#share = share;
    this.#isAlone = isAlone;
  }

  /** Keys that are counted, those that were forgotten for want of room, and counts that the others were not told. */
  get counts(): { readonly keys: number; readonly forgotten: number; readonly unshared: number } {
    const { size: keys = 0, forgotten = 0 } = this.#made ?? {};
    return { keys, forgotten, unshared: this.#left };
  }

  /** The counter of one request of a zone: whatever it is judged as, it counts once for each rule. */
  open(zoneId: string, visitor?: Visitor): RequestRates {
    return new OneRequest(zoneId, this, visitor);
  }

  /** A key begins again. */
  reset(key: string): void {
    this.#table.reset(key);
  }

  /** What another process has counted. */
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

  /** Those that are stopped or nearest to it, the fullest first. */
  listFullest(): CountedKey[] {
    const nowMs = elapsedOf(this.#clock);
    const aheadMs = this.#clock.now() - nowMs;
    return (this.#made?.listFullest(nowMs, shownKeysMax) ?? []).map(({ untilMs, ...key }) => ({
      ...key,
      untilMs: untilMs === 0 ? 0 : Math.round(untilMs + aheadMs),
    }));
  }

  /** Somebody has let these keys go: they begin again. */
  release(keys: readonly string[]): void {
    for (const key of keys) {
      this.#unshared.delete(key);
      this.#made?.reset(key);
    }
  }

  close(): void {
    this.#timer?.cancel();
  }

  get #table(): RateTable {
    return (this.#made ??= new RateTable());
  }

  take(key: string, hit: RateHit): RateReading {
    const { limit, isCounted, weight } = hit;
    const nowMs = elapsedOf(this.#clock);
    const reading = this.#table.take(key, limit, { isCounted, nowMs, weight });
    const hasStopped = reading.isOver && reading.added > 0;
    this.#note(key, hit, reading.added, hasStopped ? nowMs + limit.timeoutMs : 0);
    return reading;
  }

  /** A request that counts although the rule need not match it. */
  count(key: string, hit: RateHit): RateReading {
    const { timeoutMs, periodMs, requests } = hit.limit;
    if (timeoutMs > 0) return this.take(key, hit);
    const { weight = 1 } = hit;
    this.#table.count(key, { requests, periodMs, nowMs: elapsedOf(this.#clock) }, weight);
    this.#note(key, hit, weight, 0);
    return { isOver: false, count: 0, retryAfterSeconds: 0 };
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
    this.#timer ??= this.#clock.setTimer(this.#clock.now() + shareMs, this.#tell, 'housekeeping');
  }

  readonly #tell = (): void => {
    this.#timer = undefined;
    const nowMs = elapsedOf(this.#clock);
    const counts = Array.from(this.#unshared.values(), ({ untilMs, ...count }) => ({
      ...count,
      stopMs: Math.max(0, Math.ceil(untilMs - nowMs)),
    }));
    this.#unshared.clear();
    this.#share!(counts);
  };
}

interface Taken {
  readonly ruleId: string;
  readonly isAsked: boolean;
  readonly reading: RateReading;
}

/** Most requests are counted by one rule, and none waits for its response. */
class OneRequest implements RequestRates {
  readonly #zoneId: string;
  readonly #counters: RateCounters;
  readonly #visitor: Visitor | undefined;
  #first: Taken | undefined;
  /** Of the other rules. */
  #taken: Taken[] | undefined;
  #awaited: Map<string, { readonly hit: RateHit; readonly weigh: Weigh }> | undefined;

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

  awaitResponse(hit: RateHit, weigh: Weigh): void {
    this.#awaited ??= new Map();
    this.#awaited.set(hit.ruleId, { hit, weigh });
  }

  countResponse(response: ResponseFacts): void {
    for (const { hit, weigh } of this.#awaited?.values() ?? []) {
      const weight = weigh(response);
      if (weight > 0) this.#counters.count(keyOf(this.#zoneId, hit), { ...hit, weight });
    }
    this.#awaited?.clear();
  }

  take(hit: RateHit): RateReading {
    const { ruleId, isAsked } = hit;
    const isSame = (taken: Taken): boolean => taken.ruleId === ruleId && taken.isAsked === isAsked;
    const known = this.#first !== undefined && isSame(this.#first) ? this.#first : this.#taken?.find(isSame);
    if (known !== undefined) return known.reading;
    const key = keyOf(this.#zoneId, hit);
    const reading = isAsked ? this.#counters.take(key, hit) : this.#counters.count(key, hit);
    const taken = { ruleId, isAsked, reading };
    if (this.#first === undefined) this.#first = taken;
    else (this.#taken ??= []).push(taken);
    return reading;
  }

  reset(hit: RateHit): void {
    this.#counters.reset(keyOf(this.#zoneId, hit));
    const isOther = ({ ruleId, isAsked }: Taken): boolean => ruleId !== hit.ruleId || !isAsked;
    if (this.#first !== undefined && !isOther(this.#first)) this.#first = undefined;
    this.#taken = this.#taken?.filter(isOther);
  }
}

/** Long values are counted by their digest, so that zone and rule can always be read from the key. */
function keyOf(zoneId: string, { ruleId, key }: RateHit): string {
  const isLong = key.length > rateValueCharactersMax;
  return joinRateKey(zoneId, ruleId, isLong ? `=sha256 ${hash('sha256', key, 'base64url')}` : key);
}
