/**
 * Health of the pool origins as one edge process knows it. An origin is taken out for two reasons: its monitor finds it
 * unhealthy, or several requests in a row fail. In the second case the origin is marked for some seconds; after that,
 * one more failure marks it again. An origin of unknown state is healthy.
 *
 * All processes of a machine share their marks.
 */
import { backOffMs } from '#base';
import { failuresMax, markMsMax, markMsMin, slowStartShareMin } from './limits.ts';

/** The state of an origin, as processes exchange it. */
export interface OriginState {
  /** The key that `keyOfOrigin` writes. */
  readonly key: string;
  /** According to its monitor. */
  readonly isDown: boolean;
  /** The origin gets no requests until this time; 0 if it is not marked. */
  readonly markedUntilMs: number;
  /** When its monitor found it healthy again; 0 if it always was. */
  readonly upSinceMs: number;
}

interface KnownOrigin extends OriginState {
  failures: number;
}

export class OriginHealth {
  readonly #known = new Map<string, KnownOrigin>();
  readonly #onMark: (state: OriginState) => void;

  /** `onMark` is called when this process marks an origin. */
  constructor(onMark: (state: OriginState) => void = () => {}) {
    this.#onMark = onMark;
  }

  isUp(key: string, nowMs: number): boolean {
    const known = this.#known.get(key);
    return known === undefined || (!known.isDown && known.markedUntilMs <= nowMs);
  }

  /** The part of its share that an origin gets: less than 1 during the first `slowStartMs` after it recovered. */
  shareOf(key: string, slowStartMs: number, nowMs: number): number {
    const known = slowStartMs === 0 ? undefined : this.#known.get(key);
    if (known === undefined) return 1;
    const wellMs = nowMs - Math.max(known.upSinceMs, known.markedUntilMs);
    return wellMs >= slowStartMs ? 1 : Math.max(slowStartShareMin, wellMs / slowStartMs);
  }

  /** Records that the origin did not answer a request. */
  noteFailure(key: string, nowMs: number): void {
    const known = this.#known.get(key) ?? { ...well, key, failures: 0 };
    this.#known.set(key, known);
    if (++known.failures < failuresMax || known.markedUntilMs > nowMs) return;
    const markMs = backOffMs(known.failures - failuresMax + 1, { msMin: markMsMin, msMax: markMsMax });
    const marked = { ...known, markedUntilMs: nowMs + markMs };
    this.#known.set(key, marked);
    this.#onMark(toState(marked));
  }

  /** Records that the origin answered. */
  noteSuccess(key: string): void {
    if (this.#known.size === 0) return;
    const known = this.#known.get(key);
    if (known !== undefined) known.failures = 0;
  }

  /** Takes over the states that a monitor or another process reports. */
  receive(states: readonly OriginState[]): void {
    for (const state of states) {
      const failures = this.#known.get(state.key)?.failures ?? 0;
      // After a mark of another process, one more failure is enough here as well.
      const least = state.markedUntilMs > 0 ? failuresMax - 1 : 0;
      this.#known.set(state.key, { ...state, failures: Math.max(failures, least) });
    }
  }

  /** Removes all other keys. */
  retain(keys: ReadonlySet<string>): void {
    for (const key of this.#known.keys()) if (!keys.has(key)) this.#known.delete(key);
  }
}

const well = { isDown: false, markedUntilMs: 0, upSinceMs: 0 };

/** The state alone, without what else is known. */
export function toState({ key, isDown, markedUntilMs, upSinceMs }: OriginState): OriginState {
  return { key, isDown, markedUntilMs, upSinceMs };
}
