/**
 * What an edge process knows of the origins of pools. Two things can take one out: a monitor that found it unwell, and
 * requests that it did not answer, several in a row. The latter is over after some seconds, and then one more failure
 * is enough. An origin that nothing is known of is well.
 *
 * All processes of a machine know the same: what one of them marks is told to the others.
 */
import { failuresMax, markMsMax, markMsMin, slowStartShareMin } from './limits.ts';

/** What is told of an origin. */
export interface OriginState {
  /** As `keyOfOrigin` writes it. */
  readonly key: string;
  /** By its monitor. */
  readonly isDown: boolean;
  /** Until then it gets no requests; 0 if it was not marked. */
  readonly markedUntilMs: number;
  /** Since when it is well by its monitor; 0 if it always was. */
  readonly upSinceMs: number;
}

interface Known extends OriginState {
  failures: number;
}

export class OriginHealth {
  readonly #known = new Map<string, Known>();
  readonly #onMark: (state: OriginState) => void;

  /** `onMark` is called when this process marks an origin. */
  constructor(onMark: (state: OriginState) => void = () => {}) {
    this.#onMark = onMark;
  }

  isWell(key: string, nowMs: number): boolean {
    const known = this.#known.get(key);
    return known === undefined || (!known.isDown && known.markedUntilMs <= nowMs);
  }

  /** Which part of its share an origin gets: less than 1 while it has been well for less than `slowStartMs`. */
  shareOf(key: string, slowStartMs: number, nowMs: number): number {
    const known = slowStartMs === 0 ? undefined : this.#known.get(key);
    if (known === undefined) return 1;
    const wellMs = nowMs - Math.max(known.upSinceMs, known.markedUntilMs);
    return wellMs >= slowStartMs ? 1 : Math.max(slowStartShareMin, wellMs / slowStartMs);
  }

  /** The origin did not answer a request. */
  noteFailure(key: string, nowMs: number): void {
    const known = this.#known.get(key) ?? { ...well, key, failures: 0 };
    this.#known.set(key, known);
    if (++known.failures < failuresMax || known.markedUntilMs > nowMs) return;
    const more = Math.min(known.failures - failuresMax, 8);
    const marked = { ...known, markedUntilMs: nowMs + Math.min(markMsMin * 2 ** more, markMsMax) };
    this.#known.set(key, marked);
    this.#onMark(toState(marked));
  }

  /** The origin answered. */
  noteSuccess(key: string): void {
    if (this.#known.size === 0) return;
    const known = this.#known.get(key);
    if (known !== undefined) known.failures = 0;
  }

  /** What another process or a monitor says. */
  receive(states: readonly OriginState[]): void {
    for (const state of states) {
      const failures = this.#known.get(state.key)?.failures ?? 0;
      // After its mark, one more failure is enough here, too.
      const least = state.markedUntilMs > 0 ? failuresMax - 1 : 0;
      this.#known.set(state.key, { ...state, failures: Math.max(failures, least) });
    }
  }

  /** Forgets all others. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }
}

const well = { isDown: false, markedUntilMs: 0, upSinceMs: 0 };

function toState({ key, isDown, markedUntilMs, upSinceMs }: Known): OriginState {
  return { key, isDown, markedUntilMs, upSinceMs };
}
