import { assert } from './assert.ts';
import type { Clock, Timer, TimerKind } from './clock.ts';

interface VirtualTimer extends Timer {
  readonly at: number;
  readonly order: number;
  readonly kind: TimerKind;
  readonly callback: () => void;
}

/**
 * A clock that moves only when a test moves it. Timers fire in order of their time; after each one the clock waits until
 * everything that it started has finished, so a chain of alarms that each set the next one runs exactly as it would over
 * real days.
 *
 * A runtime registers itself with `attach`; the clock waits until every attached runtime is idle.
 */
export class VirtualClock implements Clock {
  readonly virtual = true;
  #now: number;
  #order = 0;
  readonly #timers = new Set<VirtualTimer>();
  readonly #participants = new Set<() => Promise<void>>();

  constructor({ start = Date.UTC(2026, 0, 1) }: { start?: number | Date } = {}) {
    this.#now = Number(start);
    assert(Number.isFinite(this.#now), 'a virtual clock starts at a finite time');
  }

  now(): number {
    return this.#now;
  }

  setTimer(at: number, callback: () => void, kind: TimerKind = 'timer'): Timer {
    const timer: VirtualTimer = {
      at: Math.max(at, this.#now),
      order: this.#order++,
      kind,
      callback,
      cancel: () => void this.#timers.delete(timer),
    };
    this.#timers.add(timer);
    return timer;
  }

  /** Registers a way to wait until a runtime has nothing left to do at this instant. */
  attach(untilIdle: () => Promise<void>): () => void {
    this.#participants.add(untilIdle);
    return () => void this.#participants.delete(untilIdle);
  }

  /** Moves time forward by `ms`, fires the timers that are due on the way, and waits until everything is idle. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`advance() takes a number of milliseconds, zero or more: ${ms}`);
    const end = this.#now + ms;
    await this.untilIdle();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      await this.#fire(timer);
    }
    this.#now = end;
  }

  /** Jumps to the next alarm, if one is set, and runs it. Returns whether there was one. */
  async runNextAlarm(): Promise<boolean> {
    await this.untilIdle();
    const alarm = this.#next(Infinity, 'alarm');
    if (alarm === undefined) return false;
    for (let timer = this.#next(alarm.at); timer !== undefined; timer = this.#next(alarm.at)) {
      await this.#fire(timer);
      if (timer === alarm) return true;
    }
    // A timer that fired first removed the alarm.
    return false;
  }

  /** Waits until nothing is running and nothing is due. Time does not move. */
  async untilIdle(): Promise<void> {
    await this.#rest();
    for (let timer = this.#next(this.#now); timer !== undefined; timer = this.#next(this.#now)) {
      await this.#fire(timer);
    }
  }

  async #fire(timer: VirtualTimer): Promise<void> {
    this.#timers.delete(timer);
    this.#now = timer.at;
    timer.callback();
    await this.#rest();
  }

  async #rest(): Promise<void> {
    for (const untilIdle of this.#participants) await untilIdle();
  }

  #next(limit: number, kind?: TimerKind): VirtualTimer | undefined {
    let best: VirtualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > limit || (kind !== undefined && timer.kind !== kind)) continue;
      if (best === undefined || timer.at < best.at || (timer.at === best.at && timer.order < best.order)) {
        best = timer;
      }
    }
    return best;
  }
}
