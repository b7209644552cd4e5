/**
 * The zones that a connection of the configuration feed still has to send, each with its earliest time: a zone rests
 * after it was sent, and one that failed is retried with increasing delays.
 */
import { BackOff, type Clock, type Timer } from '#base';

const restMsMax = 500;
const retry = { msMin: 100, msMax: 10_000 };

export class ChangedZones {
  readonly #clock: Clock;
  readonly #urgent = new Set<string>();
  /** The earliest time for each other zone, in milliseconds. */
  readonly #due = new Map<string, number>();
  readonly #restingUntil = new Map<string, number>();
  readonly #failing = new Map<string, BackOff>();
  #isWoken = false;
  #wake: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A change ends the delay before a retry, but not a rest. An urgent zone does not rest, and comes first. */
  add(zoneId: string, { isUrgent = false } = {}): void {
    if (isUrgent) {
      this.#due.delete(zoneId);
      this.#urgent.add(zoneId);
    } else if (!this.#urgent.has(zoneId)) this.#due.set(zoneId, this.#restingUntil.get(zoneId) ?? 0);
    this.wake();
  }

  take(): string | undefined {
    for (const zoneId of this.#urgent) {
      this.#urgent.delete(zoneId);
      return zoneId;
    }
    const nowMs = this.#clock.now();
    for (const [zoneId, dueMs] of this.#due) {
      if (dueMs > nowMs) continue;
      this.#due.delete(zoneId);
      return zoneId;
    }
    return undefined;
  }

  rest(zoneId: string, ms: number): void {
    const untilMs = this.#clock.now() + Math.min(ms, restMsMax);
    this.#restingUntil.set(zoneId, untilMs);
    if (this.#due.has(zoneId)) this.#due.set(zoneId, untilMs);
  }

  succeed(zoneId: string): void {
    this.#failing.delete(zoneId);
  }

  /** Returns the delay in milliseconds before the next attempt. */
  fail(zoneId: string): number {
    const backOff = this.#failing.get(zoneId) ?? new BackOff(retry);
    this.#failing.set(zoneId, backOff);
    const retryMs = backOff.next();
    if (!this.#due.has(zoneId) && !this.#urgent.has(zoneId))
      this.#due.set(zoneId, this.#clock.now() + retryMs);
    return retryMs;
  }

  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Waits until a zone changes or is due; resolves to `nothing` if neither happens within `ms`. */
  async wait(ms: number): Promise<'something' | 'nothing'> {
    const nowMs = this.#clock.now();
    for (const [zoneId, untilMs] of this.#restingUntil)
      if (untilMs <= nowMs) this.#restingUntil.delete(zoneId);
    let dueMs = nowMs + ms;
    for (const zoneMs of this.#due.values()) dueMs = Math.min(dueMs, zoneMs);
    let timer: Timer | undefined;
    if (!this.#isWoken && dueMs > nowMs) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      timer = this.#clock.setTimer(dueMs, resolve, 'housekeeping');
      await promise;
    }
    timer?.cancel();
    const isSomething = this.#isWoken || dueMs < nowMs + ms;
    this.#isWoken = false;
    this.#wake = undefined;
    return isSomething ? 'something' : 'nothing';
  }
}
