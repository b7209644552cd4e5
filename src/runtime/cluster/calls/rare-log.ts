/** Logs each kind of problem at most once per interval, with the number of repetitions in between. */
import type { LeaseClock } from '../lease-clock.ts';
import { troubleEveryMs } from '../limits.ts';

type Trouble = 'broken' | 'silent' | 'unreachable' | 'refused';

export class RareLog {
  readonly #log: (message: string, error?: unknown) => void;
  readonly #clock: LeaseClock;
  readonly #said = new Map<Trouble, { readonly at: number; unsaid: number }>();

  constructor(log: (message: string, error?: unknown) => void, clock: LeaseClock) {
    this.#log = log;
    this.#clock = clock;
  }

  say(kind: Trouble, message: string, error?: unknown): void {
    const at = this.#clock.now();
    const last = this.#said.get(kind);
    if (last !== undefined && at - last.at < troubleEveryMs) {
      last.unsaid++;
      return;
    }
    this.#said.set(kind, { at, unsaid: 0 });
    const more =
      last === undefined || last.unsaid === 0
        ? ''
        : ` (and ${last.unsaid} times more since it was last said)`;
    this.#log(`${message}${more}`, error);
  }
}
