/**
 * Linear programs, small and dense: the least value of a sum of unknowns, none of them negative, under
 * equations and inequalities. They are kept as a dictionary: each basic variable is written as a
 * constant plus a sum of the nonbasic ones, which are zero. One that is solved can be copied, given
 * another constraint, and repaired in a few steps; a search that splits problems lives on that.
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

export type Outcome = 'optimal' | 'infeasible' | 'unbounded' | 'gaveUp';

const epsilon = 1e-9;
const dust = 1e-11;
/** What is left of constraints that cannot all be met is far more than this. */
const missedMax = 1e-7;
/** The steepest choice is quick, but may go round in circles; the lowest name first never does. */
const quickPivotsMax = 60;

export class Dictionary {
  readonly #unknowns: number;
  readonly #budget: Budget;
  /** Names of the nonbasic variables: an unknown by its number, others above. Artificial ones below 0. */
  readonly #columns: number[];
  readonly #basis: number[];
  /** A row per basic variable: its coefficients, then its constant. */
  readonly #rows: Float64Array[];
  #goal: Float64Array;
  #nameNext: number;

  private constructor(
    unknowns: number,
    budget: Budget,
    columns: number[],
    basis: number[],
    rows: Float64Array[],
    goal: Float64Array,
    nameNext: number,
  ) {
    this.#unknowns = unknowns;
    this.#budget = budget;
    this.#columns = columns;
    this.#basis = basis;
    this.#rows = rows;
    this.#goal = goal;
    this.#nameNext = nameNext;
  }

  /** A dictionary in which all constraints are met; without an objective so far. */
  static meet(
    unknowns: number,
    constraints: readonly Constraint[],
    budget: Budget,
  ): Dictionary | 'infeasible' | 'gaveUp' {
    const columns = Array.from({ length: unknowns }, (_, index) => index);
    const goal = new Float64Array(unknowns + 1);
    const dictionary = new Dictionary(unknowns, budget, columns, [], [], goal, unknowns);
    const violated: Constraint[] = [];
    for (const constraint of constraints) {
      if (constraint.kind === 'zero') dictionary.#addArtificial(constraint);
      else if (constraint.constant < 0) violated.push(constraint);
      else dictionary.#addRow(constraint);
    }
    const outcome = dictionary.#meetEquations();
    if (outcome !== 'optimal') return outcome;
    for (const constraint of violated) dictionary.add(constraint);
    const repaired = dictionary.repair();
    if (repaired === 'optimal') return dictionary;
    return repaired === 'infeasible' ? 'infeasible' : 'gaveUp';
  }

  copy(): Dictionary {
    this.#budget.cells -= this.#rows.length * this.#goal.length;
    const rows = this.#rows.map((row) => row.slice());
    const [columns, basis, goal] = [this.#columns.slice(), this.#basis.slice(), this.#goal.slice()];
    return new Dictionary(this.#unknowns, this.#budget, columns, basis, rows, goal, this.#nameNext);
  }

  /** Makes the value of the objective as small as the constraints, all of them met, allow. */
  minimise(objective: ArrayLike<number>): Outcome {
    this.#goal = this.#express(objective, 0);
    return this.#descend();
  }

  /** Adds a constraint that need not be met yet. */
  add(constraint: Constraint): void {
    this.#addRow(constraint);
    if (constraint.kind === 'atLeastZero') return;
    const coefficients = Array.from(constraint.coefficients, (coefficient) => -coefficient);
    this.#addRow({ coefficients, constant: -constraint.constant, kind: 'atLeastZero' });
  }

  /** Meets added constraints, with the objective least under them, starting from where it was least. */
  repair(): Outcome {
    for (let pivots = 0; ; pivots++) {
      const row = this.#chooseUnmetRow(pivots > quickPivotsMax);
      if (row < 0) return 'optimal';
      const column = this.#chooseRepairColumn(row);
      if (column < 0) return 'infeasible';
      if (!this.#pivot(row, column)) return 'gaveUp';
    }
  }

  get value(): number {
    return this.#goal.at(-1)!;
  }

  unknowns(): Float64Array {
    const values = new Float64Array(this.#unknowns);
    this.#basis.forEach((name, index) => {
      if (name >= 0 && name < this.#unknowns) values[name] = this.#rows[index]!.at(-1)!;
    });
    return values;
  }

  #addRow({ coefficients, constant }: Constraint): void {
    this.#rows.push(this.#express(coefficients, constant));
    this.#basis.push(this.#nameNext++);
  }

  /** An artificial variable stands for how much an equation is missed by. */
  #addArtificial({ coefficients, constant }: Constraint): void {
    const row = this.#express(coefficients, constant);
    if (constant < 0) row.forEach((value, index) => (row[index] = -value));
    this.#rows.push(row);
    this.#basis.push(-1 - this.#rows.length);
  }

  #meetEquations(): 'optimal' | 'infeasible' | 'gaveUp' {
    this.#rows.forEach((row, index) => {
      if (this.#basis[index]! < 0) row.forEach((value, column) => (this.#goal[column]! += value));
    });
    const scale = Math.max(1, this.value);
    if (this.#descend() !== 'optimal') return 'gaveUp';
    if (this.value > missedMax * scale) return 'infeasible';
    this.#dropArtificials();
    this.#goal = new Float64Array(this.#goal.length);
    return 'optimal';
  }

  /** A sum of unknowns in terms of the variables that are nonbasic now. */
  #express(coefficients: ArrayLike<number>, constant: number): Float64Array {
    const width = this.#columns.length;
    const sum = new Float64Array(width + 1);
    sum[width] = constant;
    this.#columns.forEach((name, column) => {
      if (name >= 0 && name < this.#unknowns) sum[column]! += coefficients[name] ?? 0;
    });
    this.#basis.forEach((name, index) => {
      const weight = name >= 0 && name < this.#unknowns ? (coefficients[name] ?? 0) : 0;
      if (weight === 0) return;
      const row = this.#rows[index]!;
      for (let column = 0; column <= width; column++) sum[column]! += weight * row[column]!;
    });
    return sum;
  }

  #descend(): 'optimal' | 'unbounded' | 'gaveUp' {
    for (let pivots = 0; ; pivots++) {
      const column = this.#chooseColumn(pivots > quickPivotsMax);
      if (column < 0) return 'optimal';
      const row = this.#chooseRow(column);
      if (row < 0) return 'unbounded';
      if (!this.#pivot(row, column)) return 'gaveUp';
    }
  }

  #chooseColumn(lowestFirst: boolean): number {
    let best = -1;
    for (let column = 0; column < this.#columns.length; column++) {
      const slope = this.#goal[column]!;
      // An artificial variable that has left never comes back.
      if (this.#columns[column]! < 0 || slope >= -epsilon) continue;
      if (
        best < 0 ||
        (lowestFirst ? this.#columns[column]! < this.#columns[best]! : slope < this.#goal[best]!)
      ) {
        best = column;
      }
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

  #chooseUnmetRow(lowestFirst: boolean): number {
    const width = this.#columns.length;
    let best = -1;
    for (let index = 0; index < this.#rows.length; index++) {
      const constant = this.#rows[index]![width]!;
      if (constant >= -missedMax) continue;
      const better = lowestFirst
        ? best >= 0 && this.#basis[index]! < this.#basis[best]!
        : best >= 0 && constant < this.#rows[best]![width]!;
      if (best < 0 || better) best = index;
    }
    return best;
  }

  #chooseRepairColumn(row: number): number {
    const slopes = this.#rows[row]!;
    let best = -1;
    let least = Infinity;
    for (let column = 0; column < this.#columns.length; column++) {
      if (this.#columns[column]! < 0 || slopes[column]! <= epsilon) continue;
      const ratio = Math.max(0, this.#goal[column]!) / slopes[column]!;
      const tied = best >= 0 && Math.abs(ratio - least) <= epsilon;
      if (tied ? this.#columns[column]! < this.#columns[best]! : ratio < least) {
        least = ratio;
        best = column;
      }
    }
    return best;
  }

  /** Exchanges a basic variable for a nonbasic one. False if that is more work than is left. */
  #pivot(pivotRow: number, column: number): boolean {
    this.#budget.cells -= this.#rows.length * this.#goal.length;
    if (this.#budget.cells < 0) return false;
    const row = this.#rows[pivotRow]!;
    const slope = row[column]!;
    for (let index = 0; index < row.length; index++) row[index] = row[index]! / -slope;
    row[column] = 1 / slope;
    for (const other of this.#rows) if (other !== row) substitute(other, row, column);
    substitute(this.#goal, row, column);
    const leaving = this.#basis[pivotRow]!;
    this.#basis[pivotRow] = this.#columns[column]!;
    this.#columns[column] = leaving;
    return true;
  }

  /** Artificial variables still basic are zero: exchange each for a true one, or drop its empty row. */
  #dropArtificials(): void {
    for (let index = this.#rows.length - 1; index >= 0; index--) {
      if (this.#basis[index]! >= 0) continue;
      const row = this.#rows[index]!;
      row[this.#columns.length] = 0;
      const column = this.#columns.findIndex((name, at) => name >= 0 && Math.abs(row[at]!) > missedMax);
      if (column >= 0 && this.#pivot(index, column)) continue;
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
