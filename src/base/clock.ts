/**
 * Time as a dependency. Whatever waits in Gatehouse waits on a `Clock`, so that a test (ours or a
 * user's) can hold time in its hand.
 */

/** What a timer is for: `runNextAlarm` of the virtual clock looks for alarms only. */
export type TimerKind = 'alarm' | 'timer' | 'housekeeping';

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once, when `now()` has reached `at`, never before and never synchronously. */
  setTimer(at: number, callback: () => void, kind?: TimerKind): Timer;
  /** True when time moves only by hand: `Date` and timers inside objects must then follow this clock. */
  readonly virtual: boolean;
}

/** `setTimeout` cannot wait longer; a longer wait is made of several. */
const timeoutMsMax = 2 ** 31 - 1;

export const realClock: Clock = {
  virtual: false,
  now: () => Date.now(),
  setTimer(at, callback, kind = 'timer') {
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const delay = Math.max(0, at - Date.now());
      handle = nativeSetTimeout(delay > timeoutMsMax ? arm : fire, Math.min(delay, timeoutMsMax));
      if (kind === 'housekeeping') handle.unref();
    };
    // libuv rounds to whole milliseconds and may be a fraction early: an alarm never is.
    const fire = (): void => (Date.now() < at ? arm() : callback());
    arm();
    return { cancel: () => nativeClearTimeout(handle) };
  },
};

// Captured before any runtime replaces the globals for code that runs inside objects.
const nativeSetTimeout = globalThis.setTimeout;
const nativeClearTimeout = globalThis.clearTimeout;
