/**
 * Linear programs, small and dense: the least value of a sum of unknowns, none of them negative, under
 * equations and inequalities. Two phases, in dictionary form: each basic variable is written as a
 * constant plus a sum of the nonbasic ones, which are zero.
 *
 * Floating point is enough here: coefficients are small whole numbers, answers are rounded and checked
 * by the caller in whole numbers.
 */

/** constant + Σ coefficients · unknowns, equal to zero or at least zero. Coefficients left out are zero. */
export interface Constraint {
  readonly coefficients: ArrayLike<number>;
  readonly constant: number;
  readonly kind: 'zero' | 'atLeastZero';
}

/** Work left; shared by all programs solved for one answer, so that the answer comes in time. */
export interface Budget {
  cells: number;
}

export type Solution =
  | { readonly state: 'optimal'; readonly value: number; readonly unknowns: Float64Array }
  | { readonly state: 'infeasible' | 'unbounded' | 'gaveUp' };

export function minimise(
  objective: ArrayLike<number>,
  constraints: readonly Constraint[],
  budget: Budget,
): Solution {
  return new Dictionary(objective.length, constraints, budget).solve(objective);
}

const epsilon = 1e-9;
const dust = 1e-11;
/** Cheapest column first is quick, but may go round in circles; lowest column first never does. */
const quickPivotsMax = 60;

class Dictionary {
  readonly #unknowns: number;
  readonly #budget: Budget;
  /** Names of the nonbasic variables: an unknown by its number, others above. Artificial ones below 0. */
  readonly #columns: number[];
  readonly #basis: number[] = [];
  /** A row per basic variable: its coefficients, then its constant. */
  #rows: Float64Array[] = [];
  readonly #artificials: boolean;

  constructor(unknowns: number, constraints: readonly Constraint[], budget: Budget) {
    this.#unknowns = unknowns;
    this.#budget = budget;
    const surpluses = constraints.filter(
      ({ kind, constant }) => kind === 'atLeastZero' && constant < 0,
    ).length;
    this.#columns = Array.from({ length: unknowns + surpluses }, (_, index) => index);
    const width = this.#columns.length;
    let surplus = unknowns;
    let name = width;
    let artificials = 0;
    for (const { coefficients, constant, kind } of constraints) {
      const row = new Float64Array(width + 1);
      // An artificial variable stands for how much a constraint is missed by.
      const missed = kind === 'zero' || constant < 0;
      const sign = missed && constant < 0 ? -1 : 1;
      for (let index = 0; index < unknowns; index++) row[index] = sign * (coefficients[index] ?? 0);
      row[width] = sign * constant;
      if (missed && kind === 'atLeastZero') row[surplus++] = 1;
      this.#rows.push(row);
      this.#basis.push(missed ? -1 - artificials++ : name++);
    }
    this.#artificials = artificials > 0;
  }

  solve(objective: ArrayLike<number>): Solution {
    const width = this.#columns.length;
    if (this.#artificials) {
      const missed = new Float64Array(width + 1);
      this.#rows.forEach((row, index) => {
        if (this.#basis[index]! < 0) row.forEach((value, column) => (missed[column]! += value));
      });
      const scale = Math.max(1, missed[width]!);
      const outcome = this.#descend(missed);
      if (outcome !== 'optimal') return { state: 'gaveUp' };
      if (missed[width]! > 1e-7 * scale) return { state: 'infeasible' };
      this.#dropArtificials(missed);
    }
    const goal = this.#express(objective);
    const outcome = this.#descend(goal);
    if (outcome !== 'optimal') return { state: outcome };
    const unknowns = new Float64Array(this.#unknowns);
    this.#basis.forEach((name, index) => {
      if (name >= 0 && name < this.#unknowns) unknowns[name] = this.#rows[index]![width]!;
    });
    return { state: 'optimal', value: goal[width]!, unknowns };
  }

  /** The objective in terms of the variables that are nonbasic now. */
  #express(objective: ArrayLike<number>): Float64Array {
    const width = this.#columns.length;
    const goal = new Float64Array(width + 1);
    this.#columns.forEach((name, column) => {
      if (name >= 0 && name < this.#unknowns) goal[column]! += objective[name]!;
    });
    this.#basis.forEach((name, index) => {
      const weight = name >= 0 && name < this.#unknowns ? objective[name]! : 0;
      if (weight === 0) return;
      this.#rows[index]!.forEach((value, column) => (goal[column]! += weight * value));
    });
    return goal;
  }

  #descend(goal: Float64Array): 'optimal' | 'unbounded' | 'gaveUp' {
    for (let pivots = 0; ; pivots++) {
      const column = this.#chooseColumn(goal, pivots > quickPivotsMax);
      if (column < 0) return 'optimal';
      const row = this.#chooseRow(column);
      if (row < 0) return 'unbounded';
      this.#budget.cells -= this.#rows.length * (this.#columns.length + 1);
      if (this.#budget.cells < 0) return 'gaveUp';
      this.#pivot(row, column, goal);
    }
  }

  #chooseColumn(goal: Float64Array, lowestFirst: boolean): number {
    let best = -1;
    for (let column = 0; column < this.#columns.length; column++) {
      // An artificial variable that has left never comes back.
      if (this.#columns[column]! < 0 || goal[column]! >= -epsilon) continue;
      if (best < 0) best = column;
      else if (lowestFirst ? this.#columns[column]! < this.#columns[best]! : goal[column]! < goal[best]!)
        best = column;
    }
    return best;
  }

  #chooseRow(column: number): number {
    const width = this.#columns.length;
    let best = -1;
    let least = Infinity;
    for (let index = 0; index < this.#rows.length; index++) {
      const slope = this.#rows[index]![column]!;
      if (slope >= -epsilon) continue;
      const ratio = this.#rows[index]![width]! / -slope;
      const tied = best >= 0 && Math.abs(ratio - least) <= epsilon;
      if (tied ? this.#basis[index]! < this.#basis[best]! : ratio < least) {
        least = ratio;
        best = index;
      }
    }
    return best;
  }

  #pivot(pivotRow: number, column: number, goal: Float64Array): void {
    const row = this.#rows[pivotRow]!;
    const slope = row[column]!;
    for (let index = 0; index < row.length; index++) row[index] = row[index]! / -slope;
    row[column] = 1 / slope;
    for (const other of this.#rows) if (other !== row) substitute(other, row, column);
    substitute(goal, row, column);
    const leaving = this.#basis[pivotRow]!;
    this.#basis[pivotRow] = this.#columns[column]!;
    this.#columns[column] = leaving;
  }

  /** Artificial variables still basic are zero: exchange each for a true one, or drop its empty row. */
  #dropArtificials(goal: Float64Array): void {
    for (let index = this.#rows.length - 1; index >= 0; index--) {
      if (this.#basis[index]! >= 0) continue;
      const row = this.#rows[index]!;
      const column = this.#columns.findIndex((name, at) => name >= 0 && Math.abs(row[at]!) > 1e-7);
      if (column >= 0) {
        row[this.#columns.length] = 0;
        this.#pivot(index, column, goal);
        continue;
      }
      this.#rows.splice(index, 1);
      this.#basis.splice(index, 1);
    }
  }
}

/** Replaces the variable of a column, in another row, by what a row says of it. */
function substitute(other: Float64Array, row: Float64Array, column: number): void {
  const factor = other[column]!;
  if (factor === 0) return;
  other[column] = 0;
  for (let index = 0; index < row.length; index++) {
    const value = other[index]! + factor * row[index]!;
    // What is left of a cancellation would be taken for a slope.
    other[index] = value < dust && value > -dust ? 0 : value;
  }
}
