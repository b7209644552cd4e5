/**
 * The steps taken from each row to the next say more than their sum: each stretch is short, so few
 * runs fit it. Adds up the rows read on all stretches, whichever places the rows came from.
 */
import { historyRowsMax } from './limits.ts';
import type { Answer } from './section-solver.ts';
import type { Budget } from './simplex.ts';
import type { StatementModel } from './statement-model.ts';
import { tally } from './tallies.ts';

type Stop = number | 'entry' | 'end';

/** Ways to have come to a stop: rows read so far, and whether that is certain. */
type Arrivals = Map<Stop, Answer>;

const rowPlacesMax = 4;

/**
 * `steps` holds the step counter as it stood on each row, and `stepsTotal` where it stands now: on the
 * last row, if `suspended`, else at the end. Undefined if the rows cannot be explained.
 */
export function countReadsByRow(
  model: StatementModel,
  steps: readonly number[],
  stepsTotal: number,
  suspended: boolean,
  budget: Budget,
): Answer | undefined {
  const { rowPlaces } = model;
  if (steps.length > historyRowsMax || rowPlaces.length === 0 || rowPlaces.length > rowPlacesMax)
    return undefined;
  const stretches = new Stretches(model, budget);
  let arrivals: Arrivals = new Map([['entry', { value: 0, exact: true }]]);
  let before = 0;
  for (const now of steps) {
    arrivals = advance(arrivals, rowPlaces, now - before, stretches);
    before = now;
  }
  if (!suspended) arrivals = advance(arrivals, ['end'], stepsTotal - before, stretches);
  const [first, ...others] = arrivals.values();
  if (first === undefined) return undefined;
  const agreed = others.every(({ value }) => value === first.value);
  return { value: first.value, exact: agreed && [first, ...others].every(({ exact }) => exact) };
}

function advance(arrivals: Arrivals, stops: readonly Stop[], steps: number, stretches: Stretches): Arrivals {
  const next: Arrivals = new Map();
  for (const [from, sofar] of arrivals) {
    for (const to of stops) {
      const stretch = stretches.read(from, to, steps);
      if (stretch === undefined) continue;
      const value = sofar.value + stretch.value;
      const rival = next.get(to);
      const exact =
        sofar.exact && stretch.exact && (rival === undefined || (rival.exact && rival.value === value));
      next.set(to, { value: rival?.value ?? value, exact });
    }
  }
  return next;
}

/** Rows read between two stops in a number of steps; the same few stretches come again and again. */
class Stretches {
  readonly #model: StatementModel;
  readonly #budget: Budget;
  readonly #answers = new Map<string, Answer | undefined>();

  constructor(model: StatementModel, budget: Budget) {
    this.#model = model;
    this.#budget = budget;
  }

  read(from: Stop, to: Stop, steps: number): Answer | undefined {
    const key = `${from} ${to} ${steps}`;
    if (!this.#answers.has(key)) this.#answers.set(key, this.#solve(from, to, steps));
    return this.#answers.get(key);
  }

  #solve(from: Stop, to: Stop, steps: number): Answer | undefined {
    if (from === 'end' || to === 'entry') return undefined;
    const solver = this.#model.solver({ kind: 'between', from, to });
    const known = { tallies: [tally.steps], values: [steps] };
    return solver?.solve(known, [tally.read], () => undefined, false, this.#budget)?.[0];
  }
}
