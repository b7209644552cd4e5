/**
 * When requests are judged, so that costly ones delay only their own zone:
 *
 * - In one turn of the event loop, requests are judged until so many steps are used up. Those that are left wait for the
 *   next turn, and what arrived meanwhile, at other listeners of the process as well, is served in between. Of the zones
 *   that wait, each has one request judged before any has a second. While some wait, requests of a costly zone wait as
 *   well, so that no turn has two of them.
 * - When half of the steps of a second are used up, a zone whose requests are costly and that has used more than an
 *   equal share of all of them waits for the next second, unless it is the only one.
 *
 * As long as requests are cheap, nothing waits, and judging is synchronous. How many can wait is bounded by how many
 * requests the proxy admits.
 */
import { type Clock, realClock } from '#base';
import { costlyStepsMin, secondStepsMax, turnStepsMax } from './limits.ts';

/** Of a zone, in this second. */
interface Use {
  steps: number;
  requests: number;
}

export interface JudgingTurnsOptions {
  readonly clock?: Clock;
  /** Calls once when everything else that is ready has had its turn. */
  readonly onNextTurn?: (callback: () => void) => void;
}

const unused: Use = { steps: 0, requests: 0 };

export class JudgingTurns {
  /** Requests that had to wait for their turn. */
  readonly counts = { delayed: 0, heldBack: 0 };
  readonly #clock: Clock;
  readonly #onNextTurn: (callback: () => void) => void;
  #turnSteps = 0;
  #isTurnScheduled = false;
  /** Whether those that wait have left the last turn to others. */
  #isTurnLeft = false;
  #secondEndMs = 0;
  #secondSteps = 0;
  readonly #uses = new Map<string, Use>();
  /** The zone whose turn it is comes first; none is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isSecondAwaited = false;

  constructor({ clock = realClock, onNextTurn = setImmediate }: JudgingTurnsOptions = {}) {
    this.#clock = clock;
    this.#onNextTurn = onNextTurn;
  }

  /** Calls `judge` now or when it is the zone's turn. It has to `charge` what it takes. */
  run<Ruling>(zoneId: string, judge: () => Ruling | Promise<Ruling>): Ruling | Promise<Ruling> {
    const isHeldBack = this.#isOverShare(zoneId);
    if (!this.#hasToWait(zoneId) && !isHeldBack) return judge();
    this.counts.delayed++;
    if (isHeldBack) this.counts.heldBack++;
    return new Promise<Ruling>((resolve, reject) => {
      const queue = this.#waiting.get(zoneId);
      const run = (): void => {
        try {
          resolve(judge());
        } catch (error) {
          reject(error);
        }
      };
      if (queue === undefined) this.#waiting.set(zoneId, [run]);
      else queue.push(run);
      this.#scheduleTurn();
    });
  }

  charge(zoneId: string, steps: number): void {
    if (steps === 0) return;
    this.#turnSteps += steps;
    // What several turns took together counts as one: a request that waits for it without need waits for next to nothing.
    if (this.#turnSteps >= turnStepsMax) this.#scheduleTurn();
    this.#startSecond();
    this.#secondSteps += steps;
    const use = this.#uses.get(zoneId);
    if (use === undefined) this.#uses.set(zoneId, { steps, requests: 1 });
    else {
      use.steps += steps;
      use.requests++;
    }
  }

  #hasToWait(zoneId: string): boolean {
    if (this.#turnSteps >= turnStepsMax || this.#waiting.has(zoneId)) return true;
    if (this.#waiting.size === 0) return false;
    const { steps, requests } = this.#uses.get(zoneId) ?? unused;
    return steps > requests * costlyStepsMin;
  }

  #startSecond(): void {
    const nowMs = this.#clock.now();
    if (nowMs < this.#secondEndMs) return;
    this.#secondEndMs = nowMs + 1_000;
    this.#secondSteps = 0;
    this.#uses.clear();
  }

  #isOverShare(zoneId: string): boolean {
    if (this.#secondSteps < secondStepsMax / 2 || this.#uses.size < 2) return false;
    this.#startSecond();
    const { steps, requests } = this.#uses.get(zoneId) ?? unused;
    return steps > secondStepsMax / Math.max(2, this.#uses.size) && steps > requests * costlyStepsMin;
  }

  #scheduleTurn(): void {
    if (this.#isTurnScheduled) return;
    this.#isTurnScheduled = true;
    this.#onNextTurn(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#isTurnScheduled = false;
    // Requests that had just arrived may have taken this turn of the event loop, but not two in a row.
    this.#isTurnLeft = this.#turnSteps >= turnStepsMax && !this.#isTurnLeft;
    if (!this.#isTurnLeft) this.#turnSteps = 0;
    let next = this.#findNext();
    for (; next !== undefined && this.#turnSteps < turnStepsMax; next = this.#findNext())
      this.#judgeNext(next);
    this.#turnSteps = 0;
    if (next !== undefined) return this.#scheduleTurn();
    if (this.#waiting.size === 0 || this.#isSecondAwaited) return;
    this.#isSecondAwaited = true;
    this.#clock.setTimer(this.#secondEndMs, this.#onSecond, 'housekeeping');
  };

  /** The zone whose turn it is, of those that are not held back. */
  #findNext(): string | undefined {
    for (const zoneId of this.#waiting.keys()) if (!this.#isOverShare(zoneId)) return zoneId;
    return undefined;
  }

  readonly #onSecond = (): void => {
    this.#isSecondAwaited = false;
    this.#scheduleTurn();
  };

  /** The zone goes to the end of the line. */
  #judgeNext(zoneId: string): void {
    const queue = this.#waiting.get(zoneId)!;
    this.#waiting.delete(zoneId);
    const run = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(zoneId, queue);
    run();
  }
}
