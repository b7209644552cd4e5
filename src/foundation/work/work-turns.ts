/**
 * Long work that is split into pieces, between which the event loop runs. The work is a generator that yields after
 * each piece how many steps it took (those of `StepBudget`). The caller decides how it is run:
 *
 * ```ts
 * const compiled = runAtOnce(compilePieces(rules));
 * const compiled = await workTurns.run(compilePieces(rules)); // others are served meanwhile
 * ```
 *
 * In one turn of the event loop, all such work of the process together takes about 5 ms, and one piece more. Waiting
 * jobs take turns, so that no caller waits for all the work of another.
 */

/** Yields the steps of each piece. */
export type Pieces<Result> = Generator<number, Result, void>;

/** About 5 ms. */
const stepsPerTurn = 1_000_000;

export interface WorkOptions {
  /** Called before the pieces of a turn; what it returns is disposed of after them. */
  readonly onTurn?: (() => Disposable) | undefined;
}

/** Continues some work until the steps of the turn are used up, and returns whether it is done. */
type Job = () => boolean;

export class WorkTurns {
  readonly #onNextTurn: (callback: () => void) => void;
  readonly #waiting: Job[] = [];
  #isScheduled = false;
  #turns = 0;
  #turnSteps = 0;
  #turnStepsMax = 0;

  /** `onNextTurn` calls back once when everything else that is ready has run. */
  constructor({ onNextTurn = setImmediate }: { onNextTurn?: (callback: () => void) => void } = {}) {
    this.#onNextTurn = onNextTurn;
  }

  /** How many turns there were, and how many steps the longest of them took. */
  get counts(): { readonly turns: number; readonly turnStepsMax: number } {
    return { turns: this.#turns, turnStepsMax: this.#turnStepsMax };
  }

  run<Result>(work: Pieces<Result>, { onTurn }: WorkOptions = {}): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const job: Job = () => {
      try {
        using _turn = onTurn?.();
        while (this.#turnSteps < stepsPerTurn) {
          const { done, value } = work.next();
          if (done !== true) this.#turnSteps += value;
          else {
            resolve(value);
            return true;
          }
        }
        return false;
      } catch (error) {
        reject(error);
        return true;
      }
    };
    this.#waiting.push(job);
    this.#schedule();
    return promise;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#onNextTurn(this.#takeTurn);
  }

  readonly #takeTurn = (): void => {
    this.#isScheduled = false;
    this.#turns++;
    this.#turnSteps = 0;
    while (this.#waiting.length > 0 && this.#turnSteps < stepsPerTurn) {
      const job = this.#waiting.shift()!;
      if (!job()) this.#waiting.push(job);
    }
    this.#turnStepsMax = Math.max(this.#turnStepsMax, this.#turnSteps);
    if (this.#waiting.length > 0) this.#schedule();
  };
}

/** The instance of the process. */
export const workTurns = new WorkTurns();

export function runAtOnce<Result>(work: Pieces<Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
