/**
 * Schedules judging, so that costly requests delay only their own zone:
 *
 * - In one turn of the event loop, requests are judged until the step budget of the turn is used up. The rest wait for
 *   the next turn, and other events, including those of other listeners of the process, are handled in between. Each
 *   waiting zone has one request judged before any has a second. While some wait, requests of a costly zone wait as
 *   well, so that no turn has two of them.
 * - When half of the steps of a second are used up, a zone whose requests are costly and that has used more than an
 *   equal share waits for the next second, unless it is the only one.
 *
 * While requests are cheap, nothing waits, and judging is synchronous. The number of requests that the proxy admits
 * bounds how many can wait.
 */
import { type Clock, realClock } from '#base';
import { costlyStepsMin, secondStepsMax, turnStepsMax } from './limits.ts';

/** What a zone has used in this second. */
interface ZoneUse {
  steps: number;
  requests: number;
}

export interface JudgingTurnsOptions {
  readonly clock?: Clock;
  /** Calls back once after all other ready events were handled. */
  readonly onNextTurn?: (callback: () => void) => void;
}

const unused: ZoneUse = { steps: 0, requests: 0 };

export class JudgingTurns {
  /** Requests that had to wait for their turn. */
  readonly counts = { delayed: 0, heldBack: 0 };
  readonly #clock: Clock;
  readonly #onNextTurn: (callback: () => void) => void;
  #turnSteps = 0;
  #isTurnScheduled = false;
  /** Whether the waiting requests skipped the last turn. */
  #isTurnLeft = false;
  #secondEndMs = 0;
  #secondSteps = 0;
  readonly #uses = new Map<string, ZoneUse>();
  /** The zone whose turn it is comes first; no queue is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isSecondAwaited = false;

  constructor({ clock = realClock, onNextTurn = setImmediate }: JudgingTurnsOptions = {}) {
    this.#clock = clock;
    this.#onNextTurn = onNextTurn;
  }

  /** Calls `judge` now or when it is the zone's turn. `judge` must `charge` the steps it takes. */
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
    // The steps of several turns count as those of one: a request that waits needlessly waits almost no time.
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
    // Requests that had just arrived may use this turn of the event loop, but not two in a row.
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

  /** The zone whose turn it is, among those that are not held back. */
  #findNext(): string | undefined {
    for (const zoneId of this.#waiting.keys()) if (!this.#isOverShare(zoneId)) return zoneId;
    return undefined;
  }

  readonly #onSecond = (): void => {
    this.#isSecondAwaited = false;
    this.#scheduleTurn();
  };

  /** The zone moves to the end of the queue. */
  #judgeNext(zoneId: string): void {
    const queue = this.#waiting.get(zoneId)!;
    this.#waiting.delete(zoneId);
    const run = queue.shift()!;
    if (queue.length > 0) this.#waiting.set(zoneId, queue);
    run();
  }
}
