/**
 * Calls a Worker when the time of one of its cron expressions has come. Moments that pass while nothing runs are lost, but
 * for the first of each expression since a process before this one has ended, if that is known.
 */
import type { Clock, Timer } from '#base';
import { Cron } from './cron.ts';

export interface CronTimersOptions {
  readonly clock: Clock;
  readonly fire: (cron: string, scheduledTime: number) => void;
}

export class CronTimers implements Disposable {
  readonly #options: CronTimersOptions;
  #timers: Timer[] = [];

  constructor(options: CronTimersOptions) {
    this.#options = options;
  }

  /** Goes on with these expressions instead of those before. What was due since a time in the past is due at once. */
  use(crons: readonly string[], since = this.#options.clock.now()): void {
    this[Symbol.dispose]();
    this.#timers = crons.map((text) => this.#keep(Cron.parse(text), since));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
  }

  #keep(cron: Cron, since: number): Timer {
    const { clock, fire } = this.#options;
    let timer: Timer | undefined;
    const arm = (after: number): void => {
      const at = cron.next(after);
      if (at === undefined) return;
      const run = (): void => {
        arm(clock.now());
        fire(cron.text, at);
      };
      timer = clock.setTimer(at, run, 'cron');
    };
    arm(since);
    return { cancel: () => timer?.cancel() };
  }
}
