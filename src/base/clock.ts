/**
 * Time as a dependency. Everything in Gatehouse that waits uses a `Clock`, so that a test (ours or a user's) can control
 * time.
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
  /** True if time moves only when a test moves it: `Date` and timers inside objects must then follow this clock. */
  readonly virtual: boolean;
}

/** `setTimeout` cannot wait longer, so a longer wait consists of several. */
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
    // libuv rounds to whole milliseconds and may fire a fraction early; an alarm must not.
    const fire = (): void => (Date.now() < at ? arm() : callback());
    arm();
    return { cancel: () => nativeClearTimeout(handle) };
  },
};

// Captured before any runtime replaces the globals for code that runs inside objects.
const nativeSetTimeout = globalThis.setTimeout;
const nativeClearTimeout = globalThis.clearTimeout;
