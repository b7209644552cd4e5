/**
 * The time of one simulated life, and the order of everything in it. Macrotasks run one after the other, each with all the
 * microtasks that follow from it; when there is none left, time jumps to the next timer. Nothing else moves, so the same
 * life runs the same way again.
 *
 * The clock on the wall can be set, as that of a machine: alarms keep the time of day, all other timers wait for as long as
 * they were told to.
 */
import type { Clock, Timer, TimerKind } from '#base';
import { hash } from '../chances/chance.ts';
import type { Turns } from './turns.ts';

class SetTimer implements Timer {
  /** By the wall for alarms, by the time that has passed for others. */
  readonly at: number;
  readonly order: number;
  readonly isHousekeeping: boolean;
  readonly callback: () => void;
  readonly #timers: SetTimer[];

  constructor(timers: SetTimer[], at: number, order: number, callback: () => void, isHousekeeping: boolean) {
    this.#timers = timers;
    this.at = at;
    this.order = order;
    this.callback = callback;
    this.isHousekeeping = isHousekeeping;
    insert(timers, this);
  }

  cancel(): void {
    const index = this.#timers.indexOf(this);
    if (index !== -1) this.#timers.splice(index, 1);
  }
}

/** Why time stands still. */
export type Rest = 'done' | 'quiet' | 'endless';

interface SimulatedTimeParts {
  /** A life that takes more never ends. */
  readonly stepsMax: number;
  readonly onStep: () => void;
  readonly turns: Turns;
  /** By how much an alarm is late. */
  readonly drawLateness: () => number;
}

/** Where every life begins. */
const startMs = Date.UTC(2026, 0, 1);
/** Timers of the runtime's own that may fire one after the other, with nothing else to do, before time stands still. */
const housekeepingMax = 20;
/** What is computed in another thread takes this long. */
const nativeMs = 1;

export class SimulatedTime implements Clock {
  readonly virtual = true;
  readonly keepsTimers = true;
  /** Changes with everything that happens, so that two runs can be compared. */
  trace = 0;
  steps = 0;
  /** By how much the clock was set back in all: alarms come that much later. */
  setBackMs = 0;
  readonly #stepsMax: number;
  readonly #onStep: () => void;
  readonly #turns: Turns;
  readonly #drawLateness: () => number;
  #passedMs = 0;
  #offsetMs = 0;
  #order = 0;
  /** Latest first, so that the next is taken off the end. */
  readonly #timers: SetTimer[] = [];
  readonly #alarms: SetTimer[] = [];
  #tasks: Array<() => void> = [];
  #taskHead = 0;
  /** How often nothing but housekeeping was left to do. */
  #idled = 0;
  #drive: { readonly isDone: () => boolean; readonly rest: (why: Rest) => void } | undefined;

  constructor({ stepsMax, onStep, turns, drawLateness }: SimulatedTimeParts) {
    this.#stepsMax = stepsMax;
    this.#onStep = onStep;
    this.#turns = turns;
    this.#drawLateness = drawLateness;
  }

  /** Whole milliseconds, as every clock shows them. */
  now(): number {
    return Math.floor(this.#exactNow);
  }

  get #exactNow(): number {
    return startMs + this.#passedMs + this.#offsetMs;
  }

  /** Milliseconds since the life began, whatever the clock on the wall was set to. */
  get passedMs(): number {
    return this.#passedMs;
  }

  /** Whether anything can happen without anybody outside. */
  get hasWork(): boolean {
    return this.#taskHead < this.#tasks.length || !this.#isIdle;
  }

  readonly defer = (callback: () => void): void => {
    this.#tasks.push(callback);
  };

  setTimer(at: number, callback: () => void, kind: TimerKind = 'timer'): Timer {
    // The clock shows whole milliseconds: it has reached a time between two of them at the second.
    const wholeAt = Math.ceil(at);
    if (kind === 'alarm' || kind === 'cron')
      return this.#set(this.#alarms, wholeAt + this.#drawLateness(), callback);
    const inMs = Math.max(0, wholeAt - this.#exactNow);
    return this.#set(this.#timers, this.#passedMs + inMs, callback, kind === 'housekeeping');
  }

  wait(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#set(this.#timers, this.#passedMs + ms, resolve));
  }

  /**
   * What another thread of Node computes, at a moment that follows from the seed: it takes a millisecond, and time stands
   * still for as long as it really takes more.
   */
  admit<T>(work: Promise<T>): Promise<T> {
    let isThere = false;
    const there = work.then(
      () => void (isThere = true),
      () => void (isThere = true),
    );
    return new Promise((resolve) => {
      this.#set(this.#timers, this.#passedMs + nativeMs, () => {
        if (isThere) return resolve(work);
        this.#turns.end();
        void there.then(() => {
          resolve(work);
          this.#turns.begin(this.#step);
        });
      });
    });
  }

  #set(timers: SetTimer[], at: number, callback: () => void, isHousekeeping = false): Timer {
    return new SetTimer(timers, at, this.#order++, callback, isHousekeeping);
  }

  /** Sets the clock on the wall. */
  jump(ms: number): void {
    this.#offsetMs += ms;
    this.setBackMs += Math.max(0, -ms);
  }

  /** Makes a note that tells this life from others. */
  mark(what: string): void {
    this.trace = hash(what, this.trace);
  }

  /** Lets time pass until something is done, until nothing is left to do, or until it has gone on for too long. */
  drive(isDone: () => boolean): Promise<Rest> {
    return new Promise((resolve) => {
      const rest = (why: Rest): void => {
        this.#turns.end();
        resolve(why);
      };
      this.#drive = { isDone, rest };
      this.#turns.begin(this.#step);
    });
  }

  readonly #step = (): void => {
    this.#onStep();
    const { isDone, rest } = this.#drive!;
    if (isDone()) return rest('done');
    if (++this.steps > this.#stepsMax) return rest('endless');
    const task = this.#takeTask();
    if (task !== undefined) task();
    else if (!this.#fireNext()) rest('quiet');
  };

  #takeTask(): (() => void) | undefined {
    if (this.#taskHead === this.#tasks.length) return undefined;
    const task = this.#tasks[this.#taskHead++]!;
    if (this.#taskHead === this.#tasks.length) {
      this.#tasks = [];
      this.#taskHead = 0;
    }
    return task;
  }

  get #isIdle(): boolean {
    return this.#alarms.length === 0 && this.#timers.every(({ isHousekeeping }) => isHousekeeping);
  }

  #fireNext(): boolean {
    const timer = this.#timers.at(-1);
    const alarm = this.#alarms.at(-1);
    const alarmAt = alarm === undefined ? Infinity : alarm.at - startMs - this.#offsetMs;
    const isAlarm = timer === undefined || alarmAt < timer.at;
    const next = isAlarm ? this.#alarms.pop() : this.#timers.pop();
    if (next === undefined) return false;
    this.#idled = next.isHousekeeping && this.#isIdle ? this.#idled + 1 : 0;
    if (this.#idled > housekeepingMax) return false;
    this.#passedMs = Math.max(this.#passedMs, isAlarm ? alarmAt : next.at);
    this.trace = Math.imul(this.trace ^ next.order ^ Math.floor(this.#passedMs * 1_000), 0x01000193);
    next.callback();
    return true;
  }
}

function insert(timers: SetTimer[], timer: SetTimer): void {
  let low = 0;
  let high = timers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = timers[middle]!;
    if (other.at > timer.at) low = middle + 1;
    else high = middle;
  }
  timers.splice(low, 0, timer);
}
