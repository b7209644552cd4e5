/**
 * Limits the time that a client may take for its body. The client starts with a time budget of `bodyIdleMs`. Time that
 * the edge waits for it reduces the budget, and every byte adds the time that it takes at the minimum rate, up to
 * `bodyIdleMs`. So a client may pause, but not send more slowly than the minimum for long. Time without a reader does
 * not count.
 */
import { bodyProgressBytes } from '../wire/limits.ts';
import type { Watch } from './watchdog.ts';

export interface BodyPaceOptions {
  readonly watch: Watch;
  readonly idleMs: number;
  /** 0 for no minimum: any progress is enough. */
  readonly bytesPerSecondMin: number;
  readonly now: () => number;
}

export class BodyPace {
  readonly #options: BodyPaceOptions;
  #leftMs: number;
  /** When the current wait started; undefined while nothing waits. */
  #sinceMs: number | undefined;
  #bytes = 0;

  constructor(options: BodyPaceOptions) {
    this.#options = options;
    this.#leftMs = options.idleMs;
  }

  /** From now on, the client must send. */
  start(): void {
    if (this.#sinceMs !== undefined) return;
    this.#sinceMs = this.#options.now();
    this.#options.watch.within(this.#leftMs);
  }

  /** A few bytes are added to those that follow, so that one byte at a time does not count as progress. */
  note(bytes: number): void {
    this.#bytes += bytes;
    if (this.#sinceMs === undefined || this.#bytes < bodyProgressBytes) return;
    const { idleMs, bytesPerSecondMin, watch } = this.#options;
    this.#spend();
    const earnedMs = bytesPerSecondMin === 0 ? idleMs : (this.#bytes * 1_000) / bytesPerSecondMin;
    this.#leftMs = Math.min(idleMs, this.#leftMs + earnedMs);
    this.#bytes = 0;
    watch.within(this.#leftMs);
  }

  /** The client need not send until the next `start`. */
  pause(): void {
    this.#spend();
    this.#sinceMs = undefined;
    this.#options.watch.pause();
  }

  #spend(): void {
    if (this.#sinceMs === undefined) return;
    const nowMs = this.#options.now();
    this.#leftMs = Math.max(0, this.#leftMs - (nowMs - this.#sinceMs));
    this.#sinceMs = nowMs;
  }
}
