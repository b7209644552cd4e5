/**
 * What was counted from each row to the next says more than the sums: each stretch is short, so few
 * runs fit it. Adds up the rows read on all stretches, whichever places the rows came from.
 */
import { stretchesMax } from './limits.ts';
import type { Answer } from './section-solver.ts';
import type { Budget } from './simplex.ts';
import type { StatementModel } from './statement-model.ts';
import { tally } from './tallies.ts';

/** Two counters of SQLite as they stood on each row. */
export interface RowHistory {
  readonly vmStep: readonly number[];
  readonly fullscanStep: readonly number[];
}

/** The same counters as they stand now. A suspended statement stands on its last row. */
interface Standing {
  readonly vmStep: number;
  readonly fullscanStep: number;
  readonly suspended: boolean;
}

/** A place that answers rows, or where a run begins or ends. */
type Stop = number | 'entry' | 'end';

/** Rows read on the way to each stop the statement may stand at, and whether that is certain. */
type Arrivals = Map<Stop, Answer>;

/** Steps, and steps of full scans, on a stretch. */
type Counted = readonly [steps: number, scanned: number];

const rowPlacesMax = 10;

/** Undefined if it cannot be told. */
export function countReadsByRow(
  model: StatementModel,
  history: RowHistory,
  standing: Standing,
  budget: Budget,
): Answer | undefined {
  const { rowPlaces } = model;
  const rows = history.vmStep.length;
  if (rowPlaces.length > rowPlacesMax || rows * rowPlaces.length ** 2 > stretchesMax) return undefined;
  const stretches = new Stretches(model, budget);
  let arrivals: Arrivals = new Map([['entry', { value: 0, exact: true }]]);
  let [steps, scanned] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const [stepsNow, scannedNow] = [history.vmStep[row]!, history.fullscanStep[row]!];
    arrivals = advance(arrivals, rowPlaces, [stepsNow - steps, scannedNow - scanned], stretches);
    [steps, scanned] = [stepsNow, scannedNow];
  }
  if (!standing.suspended) {
    const last: Counted = [standing.vmStep - steps, standing.fullscanStep - scanned];
    arrivals = advance(arrivals, ['end'], last, stretches);
  }
  const [first, ...others] = arrivals.values();
  if (first === undefined || stretches.incomplete) return undefined;
  const agreed = others.every(({ value, exact }) => exact && value === first.value);
  return { value: first.value, exact: agreed && first.exact };
}

function advance(
  arrivals: Arrivals,
  stops: readonly Stop[],
  counted: Counted,
  stretches: Stretches,
): Arrivals {
  const next: Arrivals = new Map();
  for (const [from, sofar] of arrivals) {
    for (const to of stops) {
      const stretch = stretches.read(from, to, counted);
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

/** Rows read between two stops; the same few stretches come again and again. */
class Stretches {
  readonly #model: StatementModel;
  readonly #budget: Budget;
  readonly #answers = new Map<string, Answer | undefined>();
  /** Some stretch was too much work, so ways may be missing. */
  incomplete = false;

  constructor(model: StatementModel, budget: Budget) {
    this.#model = model;
    this.#budget = budget;
  }

  read(from: Stop, to: Stop, counted: Counted): Answer | undefined {
    const key = `${from} ${to} ${counted.join(' ')}`;
    if (!this.#answers.has(key)) this.#answers.set(key, this.#solve(from, to, counted));
    return this.#answers.get(key);
  }

  #solve(from: Stop, to: Stop, counted: Counted): Answer | undefined {
    if (from === 'end' || to === 'entry') return undefined;
    const solver = this.#model.solver({ kind: 'between', from, to });
    const known = { tallies: [tally.steps, tally.fullscan], values: counted };
    const answers =
      typeof solver === 'string'
        ? solver
        : solver.solve(known, [tally.read], () => undefined, false, this.#budget);
    if (typeof answers !== 'string') return answers[0];
    this.incomplete ||= answers !== 'none';
    return undefined;
  }
}
