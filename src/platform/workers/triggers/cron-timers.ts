/**
 * Calls a Worker at the times of its cron expressions. Times that pass while the Worker is not running are skipped,
 * except for the first of each expression since the previous process ended, if that is known.
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

  /** Switches to these expressions. Those that were due since a time in the past are due at once. */
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
