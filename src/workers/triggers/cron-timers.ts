/** Calls a Worker when the time of one of its cron expressions has come. Moments that pass while nothing runs are lost. */
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

  /** Goes on with these expressions instead of those before. */
  use(crons: readonly string[]): void {
    this[Symbol.dispose]();
    this.#timers = crons.map((text) => this.#keep(Cron.parse(text)));
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) timer.cancel();
    this.#timers = [];
  }

  #keep(cron: Cron): Timer {
    const { clock, fire } = this.#options;
    let timer: Timer | undefined;
    const arm = (): void => {
      const at = cron.next(clock.now());
      if (at === undefined) return;
      timer = clock.setTimer(at, () => {
        arm();
        fire(cron.text, at);
      });
    };
    arm();
    return { cancel: () => timer?.cancel() };
  }
}
