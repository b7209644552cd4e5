/**
 * The time of one simulated life, and the order of everything in it. Macrotasks run one after the other, each with all
 * the microtasks that follow from it; when there is none left, time jumps to the next timer. Nothing else advances it,
 * so the same life always runs the same way.
 *
 * The wall clock can be set, like that of a machine: alarms follow the time of day, all other timers wait for their
 * full delay.
 */
import type { Clock, Timer, TimerKind } from '#base';
import { hash } from '../chances/chance.ts';
import type { SimulatedTurns } from './simulated-turns.ts';

class SetTimer implements Timer {
  /** Wall time for alarms, elapsed time for other timers. */
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

/** Why time stopped. */
export type Rest = 'done' | 'quiet' | 'endless';

interface SimulatedTimeParts {
  /** A life that takes more steps is considered endless. */
  readonly stepsMax: number;
  readonly onStep: () => void;
  readonly turns: SimulatedTurns;
  /** Draws how late an alarm fires. */
  readonly drawLateness: () => number;
}

/** The start time of every life. */
const startMs = Date.UTC(2026, 0, 1);
/** How many housekeeping timers may fire one after the other, with nothing else to do, before time stops. */
const housekeepingMax = 20;
/** The simulated duration of work in another thread. */
const nativeMs = 1;

export class SimulatedTime implements Clock {
  readonly virtual = true;
  readonly keepsTimers = true;
  /** Changes with every event, so that two runs can be compared. */
  trace = 0;
  steps = 0;
  /** The total amount by which the clock was set back: alarms fire that much later. */
  setBackMs = 0;
  readonly #stepsMax: number;
  readonly #onStep: () => void;
  readonly #turns: SimulatedTurns;
  readonly #drawLateness: () => number;
  #passedMs = 0;
  #offsetMs = 0;
  #order = 0;
  /** Latest first, so that the next is removed from the end. */
  readonly #timers: SetTimer[] = [];
  readonly #alarms: SetTimer[] = [];
  #tasks: Array<() => void> = [];
  #taskHead = 0;
  /** How often only housekeeping was left to do. */
  #idled = 0;
  #drive: { readonly isDone: () => boolean; readonly rest: (why: Rest) => void } | undefined;

  constructor({ stepsMax, onStep, turns, drawLateness }: SimulatedTimeParts) {
    this.#stepsMax = stepsMax;
    this.#onStep = onStep;
    this.#turns = turns;
    this.#drawLateness = drawLateness;
  }

  /** Whole milliseconds, like every clock. */
  now(): number {
    return Math.floor(this.#exactNow);
  }

  get #exactNow(): number {
    return startMs + this.#passedMs + this.#offsetMs;
  }

  /** Milliseconds since the life began, independent of the wall clock. */
  get passedMs(): number {
    return this.#passedMs;
  }

  /** Whether there is work that depends on nothing outside. */
  get hasWork(): boolean {
    return this.#taskHead < this.#tasks.length || !this.#isIdle;
  }

  readonly defer = (callback: () => void): void => {
    this.#tasks.push(callback);
  };

  setTimer(at: number, callback: () => void, kind: TimerKind = 'timer'): Timer {
    // The clock shows whole milliseconds: a time between two of them is reached at the second.
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
   * Delivers the result of another thread of Node at a moment determined by the seed: the work takes a millisecond, and
   * time stops for as long as it really takes beyond that.
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

  /** Sets the wall clock. */
  jump(ms: number): void {
    this.#offsetMs += ms;
    this.setBackMs += Math.max(0, -ms);
  }

  /** Adds to the trace that distinguishes this life from others. */
  mark(what: string): void {
    this.trace = hash(what, this.trace);
  }

  /** Lets time pass until something is done, nothing is left to do, or the limit of steps is reached. */
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
