/**
 * Time as a dependency. Everything in Gatehouse that waits uses a `Clock`, so that a test (of Gatehouse or of a user)
 * can control time.
 */

/**
 * The purpose of a timer: `runNextAlarm` of the virtual clock considers only alarms. Alarms and crons follow the time
 * of day.
 */
export type TimerKind = 'alarm' | 'cron' | 'timer' | 'housekeeping';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /**
   * Milliseconds since some moment, by a clock that is never set: for counting and waiting. `now()` if it is missing.
   */
  elapsed?(): number;
  /**
   * Runs `callback` once, when `now()` has reached `at`, never before and never synchronously. If the clock of the
   * machine is set back meanwhile, alarms and crons wait for their time to come again; all other timers keep their
   * delay.
   */
  setTimer(at: number, callback: () => void, kind?: TimerKind): Timer;
  /** True if time moves only when a test moves it: `Date` and timers inside objects must then follow this clock. */
  readonly virtual: boolean;
  /** True if timers of code outside of objects follow it as well: in a simulation. */
  readonly keepsTimers?: boolean;
}

/** `setTimeout` cannot wait longer, so a longer wait consists of several. */
const timeoutMsMax = 2 ** 31 - 1;
/** Timeouts do not notice that the clock was set forward, nor that the machine slept: an alarm is late by this at most. */
const lookMs = 10_000;
/** A difference below this is measurement error, and is waited for; libuv also rounds to whole milliseconds. */
const setBackMsMin = 1_000;

export const realClock: Clock = {
  virtual: false,
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(at, callback, kind = 'timer') {
    const keepsTimeOfDay = kind === 'alarm' || kind === 'cron';
    let handle: NodeJS.Timeout;
    const wait = (leftMs: number): void => {
      const stepMs = Math.min(leftMs, keepsTimeOfDay ? lookMs : timeoutMsMax);
      handle = nativeSetTimeout(() => look(leftMs - stepMs), stepMs);
      if (kind === 'housekeeping') handle.unref();
    };
    const look = (leftMs: number): void => {
      const aheadMs = at - Date.now();
      if (!(aheadMs > 0)) return callback();
      if (keepsTimeOfDay) return wait(aheadMs);
      if (leftMs > 0) return wait(leftMs);
      if (aheadMs > setBackMsMin) return callback();
      wait(aheadMs);
    };
    wait(Math.max(0, at - Date.now()));
    return { cancel: () => nativeClearTimeout(handle) };
  },
};

export function elapsedOf(clock: Clock): number {
  return clock.elapsed?.() ?? clock.now();
}

// Captured before any runtime replaces the globals for code that runs inside objects.
const nativeSetTimeout = globalThis.setTimeout;
const nativeClearTimeout = globalThis.clearTimeout;
