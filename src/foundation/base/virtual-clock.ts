import { assert } from './assert.ts';
import type { Clock, Timer, TimerKind } from './clock.ts';

interface VirtualTimer extends Timer {
  readonly at: number;
  readonly order: number;
  readonly kind: TimerKind;
  readonly callback: () => void;
}

/** A timer that is due, of this clock or of one that follows it. */
export interface DueTimer {
  readonly at: number;
  /** Identifies the timer within its clock. */
  readonly order: number;
}

/**
 * The clock of another process that shows the same time. It advances and fires its timers when this one requests it.
 */
export interface ClockFollower {
  /** Resolves when nothing is left to do at this instant, to a number that increases if something was done. */
  untilIdle(): Promise<number>;
  /** Its next timer that is due by `limit`. */
  next(limit: number, kind?: TimerKind): Promise<DueTimer | undefined>;
  moveTo(time: number): Promise<void>;
  fire(timer: DueTimer): Promise<void>;
}

/**
 * A clock that moves only when a test moves it. Timers fire in order of their time; after each one the clock waits until
 * everything that it started has finished, so a chain of alarms that each set the next one runs exactly as it would over
 * real days.
 *
 * A runtime registers itself with `attach`; the clock waits until every attached runtime is idle. One with objects in
 * other processes registers the clock of each with `lead`.
 */
export class VirtualClock implements Clock {
  readonly virtual = true;
  #now: number;
  #order = 0;
  readonly #timers = new Set<VirtualTimer>();
  readonly #participants = new Set<() => Promise<void>>();
  readonly #followers = new Set<ClockFollower>();

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

  /** Advances another clock together with this one, from now on. */
  lead(follower: ClockFollower): () => void {
    this.#followers.add(follower);
    return () => void this.#followers.delete(follower);
  }

  /** Moves time forward by `ms`, fires the timers that are due on the way, and waits until everything is idle. */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`advance() takes a number of milliseconds, zero or more: ${ms}`);
    const end = this.#now + ms;
    await this.untilIdle();
    for (let due = await this.#next(end); due !== undefined; due = await this.#next(end)) {
      await this.#fire(due);
    }
    await this.moveTo(end);
  }

  /** Jumps to the next alarm, if one is set, and runs it. Returns whether there was one. */
  async runNextAlarm(): Promise<boolean> {
    await this.untilIdle();
    const alarm = await this.#next(Infinity, 'alarm');
    if (alarm === undefined) return false;
    for (let due = await this.#next(alarm.at); due !== undefined; due = await this.#next(alarm.at)) {
      await this.#fire(due);
      if (due.source === alarm.source && due.order === alarm.order) return true;
    }
    // A timer that fired first removed the alarm.
    return false;
  }

  /** Waits until nothing is running and nothing is due. Time does not move. */
  async untilIdle(): Promise<void> {
    await this.#rest();
    for (let due = await this.#next(this.#now); due !== undefined; due = await this.#next(this.#now)) {
      await this.#fire(due);
    }
  }

  /** The next of its own timers that is due by `limit`: for a clock that leads this one. */
  nextTimer(limit: number, kind?: TimerKind): DueTimer | undefined {
    return this.#nextOwn(limit, kind);
  }

  /** Fires one of its own timers, without waiting. */
  fireTimer({ order }: DueTimer): void {
    const timer = [...this.#timers].find((other) => other.order === order);
    if (timer === undefined) return;
    this.#timers.delete(timer);
    timer.callback();
  }

  /** Shows another time, without firing timers that are due. */
  async moveTo(time: number): Promise<void> {
    this.#now = time;
    for (const follower of this.#followers) await follower.moveTo(time);
  }

  async #fire({ source, ...due }: DueTimer & { readonly source: ClockFollower | undefined }): Promise<void> {
    if (due.at > this.#now) await this.moveTo(due.at);
    if (source === undefined) this.fireTimer(due);
    else await source.fire(due);
    await this.#rest();
  }

  /** Work in one process may start work in another that was idle before: all of them must have been idle. */
  async #rest(): Promise<void> {
    for (let before: string | undefined, now = ''; before !== now;) {
      before = now;
      for (const untilIdle of this.#participants) await untilIdle();
      const done: number[] = [];
      for (const follower of this.#followers) done.push(await follower.untilIdle());
      now = done.join();
    }
  }

  async #next(
    limit: number,
    kind?: TimerKind,
  ): Promise<(DueTimer & { readonly source: ClockFollower | undefined }) | undefined> {
    const own = this.#nextOwn(limit, kind);
    let best = own && { at: own.at, order: own.order, source: undefined as ClockFollower | undefined };
    for (const follower of this.#followers) {
      const due = await follower.next(limit, kind);
      if (due !== undefined && (best === undefined || due.at < best.at)) best = { ...due, source: follower };
    }
    return best;
  }

  #nextOwn(limit: number, kind?: TimerKind): VirtualTimer | undefined {
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
