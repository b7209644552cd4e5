/**
 * Health of the pool origins as one host knows it, for all of its edge processes. The board probes the origins as their
 * monitors say, from one process however many processes serve traffic, and collects the marks of the others. It passes
 * every change to the processes at once, and to the control plane after a short delay.
 */
import { type Clock, type Log, realClock, type Timer } from '#base';
import {
  type ConfiguredLoadBalancer,
  type ConfiguredMonitor,
  type ConfiguredPool,
  type ConfiguredPoolOrigin,
  keyOfOrigin,
} from '#firewall';
import { AddressPolicy, type AddressPolicyOptions } from '../proxy/origin/address-policy.ts';
import { Watchdog } from '../proxy/watchdog.ts';
import { reportDelayMs, reportMs } from './limits.ts';
import { type OriginState, toState } from './origin-health.ts';
import { probeOrigin, type ProbeResult } from './probe.ts';

/** The state of an origin as the API shows it. */
export interface OriginReport {
  readonly poolId: string;
  readonly pool: string;
  readonly origin: string;
  readonly address: string;
  readonly isHealthy: boolean;
  /** Why the origin is unhealthy; empty if it is healthy. */
  readonly reason: string;
  readonly status: number;
  readonly rttMs: number;
  readonly sinceMs: number;
}

export interface HealthBoardOptions {
  readonly addresses: AddressPolicyOptions;
  readonly clock?: Clock;
  readonly log: Log;
  /** Passes changed states to the edge processes. */
  readonly onStates: (states: readonly OriginState[]) => void;
  /** Passes the full state of all origins to the control plane. */
  readonly onReports: (reports: readonly OriginReport[]) => void;
}

/** An origin and its known state. */
interface WatchedOrigin {
  readonly key: string;
  pool: ConfiguredPool;
  origin: ConfiguredPoolOrigin;
  monitor: ConfiguredMonitor | undefined;
  isDown: boolean;
  markedUntilMs: number;
  upSinceMs: number;
  /** Consecutive probes that contradict the current state. */
  contrary: number;
  last: ProbeResult;
  sinceMs: number;
  timer: Timer | undefined;
}

/** The shortest timeout of a monitor. */
const watchedMsMin = 1_000;

const unasked: ProbeResult = { reason: '', status: 0, rttMs: 0 };

export class HealthBoard implements Disposable {
  readonly #options: HealthBoardOptions;
  readonly #policy: AddressPolicy;
  readonly #clock: Clock;
  readonly #watchdog: Watchdog;
  readonly #watched = new Map<string, WatchedOrigin>();
  #reporting: Timer;
  #isReportingSoon = false;
  #isClosed = false;

  constructor(options: HealthBoardOptions) {
    this.#options = options;
    this.#clock = options.clock ?? realClock;
    this.#policy = new AddressPolicy(options.addresses);
    this.#watchdog = new Watchdog(this.#clock, watchedMsMin);
    this.#reporting = this.#after(reportMs, () => this.#report());
  }

  get states(): OriginState[] {
    return Array.from(this.#watched.values(), toState);
  }

  get reports(): OriginReport[] {
    const nowMs = this.#clock.now();
    return Array.from(this.#watched.values(), (watched) => {
      const { pool, origin, last, sinceMs } = watched;
      const isHealthy = isUp(watched, nowMs);
      return {
        poolId: pool.id,
        pool: pool.name,
        origin: origin.name,
        address: origin.address,
        isHealthy,
        reason: isHealthy ? '' : watched.isDown ? last.reason : 'it did not answer requests',
        status: last.status,
        rttMs: last.rttMs,
        sinceMs,
      };
    });
  }

  /** Replaces the set of load balancers. */
  update(balancers: readonly ConfiguredLoadBalancer[]): void {
    const keys = new Set<string>();
    for (const pool of new Map(balancers.flatMap(listPools)).values()) {
      for (const origin of pool.origins) {
        if (!origin.isEnabled || !pool.isEnabled) continue;
        const key = keyOfOrigin(pool, origin);
        keys.add(key);
        this.#watch(key, pool, origin);
      }
    }
    for (const [key, { timer }] of this.#watched) {
      if (keys.has(key)) continue;
      timer?.cancel();
      this.#watched.delete(key);
    }
    this.#reportSoon();
  }

  /** An edge process has marked an origin. */
  mark({ key, markedUntilMs }: OriginState): void {
    const watched = this.#watched.get(key);
    if (watched === undefined) return;
    const nowMs = this.#clock.now();
    const wasUp = isUp(watched, nowMs);
    watched.markedUntilMs = Math.max(watched.markedUntilMs, markedUntilMs);
    if (wasUp) this.#note(watched, 'it did not answer requests');
    this.#options.onStates([toState(watched)]);
    // The origin is healthy again when its mark expires.
    this.#after(watched.markedUntilMs - nowMs, () => {
      if (this.#watched.get(key) === watched && isUp(watched, this.#clock.now())) this.#note(watched, '');
    });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#reporting.cancel();
    for (const { timer } of this.#watched.values()) timer?.cancel();
  }

  #watch(key: string, pool: ConfiguredPool, origin: ConfiguredPoolOrigin): void {
    const known = this.#watched.get(key);
    const { monitor } = pool;
    if (known !== undefined) {
      known.pool = pool;
      known.origin = origin;
      if (JSON.stringify(known.monitor) === JSON.stringify(monitor)) return;
      known.timer?.cancel();
      known.monitor = monitor;
      // Without a monitor, nothing would report the recovery.
      if (monitor === undefined && known.isDown) this.#turn(known, unasked);
      return this.#askSoon(known);
    }
    const watched: WatchedOrigin = {
      key,
      pool,
      origin,
      monitor,
      isDown: false,
      markedUntilMs: 0,
      upSinceMs: 0,
      contrary: 0,
      last: unasked,
      sinceMs: this.#clock.now(),
      timer: undefined,
    };
    this.#watched.set(key, watched);
    this.#askSoon(watched);
  }

  /** Spreads the probes over time. */
  #askSoon(watched: WatchedOrigin): void {
    if (watched.monitor === undefined) return;
    const delayMs = Math.random() * Math.min(watched.monitor.intervalMs / 4, 1_000);
    watched.timer = this.#after(delayMs, () => void this.#ask(watched));
  }

  async #ask(watched: WatchedOrigin): Promise<void> {
    const { monitor, origin } = watched;
    if (monitor === undefined) return;
    let result = unasked;
    for (let attempt = 0; attempt <= monitor.retries && !this.#isClosed; attempt++) {
      const [policy, watchdog, clock] = [this.#policy, this.#watchdog, this.#clock];
      result = await probeOrigin(origin, monitor, { policy, watchdog, clock });
      if (result.reason === '') break;
    }
    // The origin may have been removed, or its monitor replaced, in the meantime.
    if (this.#isClosed || this.#watched.get(watched.key) !== watched || watched.monitor !== monitor) return;
    const isWellNow = result.reason === '';
    const needed = isWellNow ? monitor.consecutiveUp : monitor.consecutiveDown;
    watched.contrary = isWellNow === watched.isDown ? watched.contrary + 1 : 0;
    if (watched.contrary >= needed) this.#turn(watched, result);
    else watched.last = watched.isDown === !isWellNow ? result : watched.last;
    watched.timer = this.#after(monitor.intervalMs, () => void this.#ask(watched));
  }

  #turn(watched: WatchedOrigin, result: ProbeResult): void {
    watched.isDown = result.reason !== '';
    watched.contrary = 0;
    watched.last = result;
    if (!watched.isDown) watched.upSinceMs = this.#clock.now();
    this.#note(watched, result.reason);
    this.#options.onStates([toState(watched)]);
  }

  #note(watched: WatchedOrigin, reason: string): void {
    const { pool, origin } = watched;
    watched.sinceMs = this.#clock.now();
    const about = { pool: pool.name, origin: origin.name, address: origin.address };
    if (reason === '') this.#options.log.info('an origin of a pool is healthy again', about);
    else
      this.#options.log.warn('an origin of a pool gets no requests; others replace it', { ...about, reason });
    this.#reportSoon();
  }

  #reportSoon(): void {
    if (this.#isReportingSoon) return;
    this.#isReportingSoon = true;
    this.#reporting.cancel();
    this.#reporting = this.#after(reportDelayMs, () => this.#report());
  }

  #report(): void {
    this.#isReportingSoon = false;
    this.#reporting = this.#after(reportMs, () => this.#report());
    this.#options.onReports(this.reports);
  }

  #after(ms: number, work: () => void): Timer {
    return this.#clock.setTimer(this.#clock.now() + ms, work, 'housekeeping');
  }
}

function isUp({ isDown, markedUntilMs }: WatchedOrigin, nowMs: number): boolean {
  return !isDown && markedUntilMs <= nowMs;
}

/** Pools by id: several load balancers may use the same one. */
function listPools({ pools, fallback }: ConfiguredLoadBalancer): (readonly [string, ConfiguredPool])[] {
  return [...pools, fallback].map((pool) => [pool.id, pool]);
}
