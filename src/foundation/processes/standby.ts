/**
 * A process that has loaded its code and waits for work, so that a process that has ended is replaced at once. There is
 * at most one. When it is taken, another one is started after a while; one that ends while it waits is replaced after a
 * delay that doubles.
 */
import { BackOff, type Log } from '#base';
import type { ChildProcess } from './child-process.ts';
import { describeEnd } from './end-reason.ts';
import { restartMsMax, standbyMs } from './limits.ts';

export interface StandbyOptions {
  readonly log: Log;
  /** Starts a waiting process. */
  start(): ChildProcess;
  /** The delay of its start: work that begins at the same time goes first. */
  readonly delayMs?: number;
}

export class Standby {
  readonly #options: StandbyOptions;
  readonly #backOff: BackOff;
  #child: ChildProcess | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: StandbyOptions) {
    this.#options = options;
    const { delayMs = standbyMs } = options;
    this.#backOff = new BackOff({ msMin: delayMs, msMax: Math.max(delayMs, restartMsMax) });
    this.#schedule();
  }

  /** The waiting process, if there is one: the caller begins its work. */
  take(): ChildProcess | undefined {
    const child = this.#child;
    if (child === undefined) return undefined;
    this.#child = undefined;
    this.#backOff.reset();
    this.#schedule();
    return child;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#child = undefined;
    await child?.stop({ graceMs: 0 });
  }

  #schedule(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#start(), this.#backOff.next()).unref();
  }

  #start(): void {
    const child = this.#options.start();
    this.#child = child;
    void child.ended.then((reason) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#options.log.warn('a standby process has ended', {
        process: child.name,
        pid: child.pid,
        reason: describeEnd(reason),
      });
      this.#schedule();
    });
  }
}
