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
/** A copy is made to be given one more constraint, or a few. */
const copyRowsSpare = 2;

export class Dictionary {
  readonly #unknowns: number;
  readonly #budget: Budget;
  /** Names of the nonbasic variables: an unknown by its number, others above. Artificial ones below 0. */
  readonly #columns: number[];
  readonly #basis: number[];
  /** A row per basic variable, one after the other: its coefficients, then its constant. */
  #cells: Float64Array;
  /** The same for the objective. */
  #goal: Float64Array;
  #nameNext: number;

  private constructor(unknowns: number, budget: Budget, rows: number, from?: Dictionary) {
    this.#unknowns = unknowns;
    this.#budget = budget;
    this.#cells = new Float64Array(rows * (unknowns + 1));
    if (from === undefined) {
      this.#columns = Array.from({ length: unknowns }, (_, index) => index);
      this.#basis = [];
      this.#goal = new Float64Array(unknowns + 1);
      this.#nameNext = unknowns;
    } else {
      this.#columns = from.#columns.slice();
      this.#basis = from.#basis.slice();
      this.#goal = from.#goal.slice();
      this.#nameNext = from.#nameNext;
      this.#cells.set(from.#cells.subarray(0, from.#basis.length * this.#width));
    }
  }

  /** A dictionary in which all constraints are met; without an objective so far. */
  static meet(
    unknowns: number,
    constraints: readonly Constraint[],
    budget: Budget,
  ): Dictionary | 'infeasible' | 'gaveUp' {
    const dictionary = new Dictionary(unknowns, budget, constraints.length);
    const equations = constraints.filter(({ kind }) => kind === 'zero');
    const inequalities = constraints.filter(({ kind }) => kind === 'atLeastZero');
    for (const constraint of inequalities) if (constraint.constant >= 0) dictionary.#addRow(constraint);
    for (const constraint of equations) dictionary.#addArtificial(constraint);
    const outcome = dictionary.#meetEquations();
    if (outcome !== 'optimal') return outcome;
    for (const constraint of inequalities) if (constraint.constant < 0) dictionary.add(constraint);
    const repaired = dictionary.repair();
    if (repaired === 'optimal') return dictionary;
    return repaired === 'infeasible' ? 'infeasible' : 'gaveUp';
  }

  copy(): Dictionary {
    const rows = this.#basis.length + copyRowsSpare;
    this.#budget.cells -= rows * this.#width;
    return new Dictionary(this.#unknowns, this.#budget, rows, this);
  }

  /** Makes the value of the objective as small as the constraints, all of them met, allow. */
  minimise(objective: ArrayLike<number>): Outcome {
    this.#goal.fill(0);
    this.#express(objective, 0, this.#goal, 0);
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
    this.#basis.forEach((name, row) => {
      if (name >= 0 && name < this.#unknowns) values[name] = this.#constant(row);
    });
    return values;
  }

  get #width(): number {
    return this.#goal.length;
  }

  #constant(row: number): number {
    return this.#cells[(row + 1) * this.#width - 1]!;
  }

  /** Makes room for that many rows in all. */
  #reserve(rows: number): void {
    if (rows * this.#width <= this.#cells.length) return;
    const cells = new Float64Array(rows * this.#width);
    cells.set(this.#cells);
    this.#cells = cells;
  }

  #addRow({ coefficients, constant }: Constraint): void {
    const row = this.#basis.length;
    this.#reserve(row + 1);
    this.#express(coefficients, constant, this.#cells, row * this.#width);
    this.#basis.push(this.#nameNext++);
  }

  /** An artificial variable stands for how much an equation is missed by. */
  #addArtificial({ coefficients, constant }: Constraint): void {
    const row = this.#basis.length;
    const start = row * this.#width;
    this.#express(coefficients, constant, this.#cells, start);
    if (constant < 0)
      for (let at = start; at < start + this.#width; at++) this.#cells[at] = -this.#cells[at]!;
    this.#basis.push(-1 - row);
  }

  #meetEquations(): 'optimal' | 'infeasible' | 'gaveUp' {
    this.#basis.forEach((name, row) => {
      if (name >= 0) return;
      for (let column = 0; column < this.#width; column++) {
        this.#goal[column]! += this.#cells[row * this.#width + column]!;
      }
    });
    const scale = Math.max(1, this.value);
    if (this.#descend() !== 'optimal') return 'gaveUp';
    if (this.value > missedMax * scale) return 'infeasible';
    this.#dropArtificials();
    this.#goal.fill(0);
    return 'optimal';
  }

  /** Writes a sum of unknowns in terms of the variables that are nonbasic now. */
  #express(coefficients: ArrayLike<number>, constant: number, into: Float64Array, start: number): void {
    const width = this.#width;
    into[start + width - 1] = constant;
    this.#columns.forEach((name, column) => {
      if (name >= 0 && name < this.#unknowns) into[start + column] = coefficients[name] ?? 0;
    });
    this.#basis.forEach((name, row) => {
      const weight = name >= 0 && name < this.#unknowns ? (coefficients[name] ?? 0) : 0;
      if (weight === 0) return;
      for (let column = 0; column < width; column++)
        into[start + column]! += weight * this.#cells[row * width + column]!;
    });
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
    const width = this.#width;
    let best = -1;
    let least = Infinity;
    for (let row = 0; row < this.#basis.length; row++) {
      const slope = this.#cells[row * width + column]!;
      if (slope >= -epsilon) continue;
      const ratio = this.#constant(row) / -slope;
      const tied = best >= 0 && Math.abs(ratio - least) <= epsilon;
      if (tied ? this.#basis[row]! < this.#basis[best]! : ratio < least) {
        least = ratio;
        best = row;
      }
    }
    return best;
  }

  #chooseUnmetRow(lowestFirst: boolean): number {
    let best = -1;
    for (let row = 0; row < this.#basis.length; row++) {
      const constant = this.#constant(row);
      if (constant >= -missedMax) continue;
      if (
        best < 0 ||
        (lowestFirst ? this.#basis[row]! < this.#basis[best]! : constant < this.#constant(best))
      )
        best = row;
    }
    return best;
  }

  #chooseRepairColumn(row: number): number {
    const start = row * this.#width;
    let best = -1;
    let least = Infinity;
    for (let column = 0; column < this.#columns.length; column++) {
      const slope = this.#cells[start + column]!;
      if (this.#columns[column]! < 0 || slope <= epsilon) continue;
      const ratio = Math.max(0, this.#goal[column]!) / slope;
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
    const [cells, width] = [this.#cells, this.#width];
    this.#budget.cells -= this.#basis.length * width;
    if (this.#budget.cells < 0) return false;
    const start = pivotRow * width;
    const slope = cells[start + column]!;
    for (let at = start; at < start + width; at++) cells[at] = cells[at]! / -slope;
    cells[start + column] = 1 / slope;
    for (let row = 0; row < this.#basis.length; row++) {
      if (row !== pivotRow) substitute(cells, row * width, cells, start, width, column);
    }
    substitute(this.#goal, 0, cells, start, width, column);
    const leaving = this.#basis[pivotRow]!;
    this.#basis[pivotRow] = this.#columns[column]!;
    this.#columns[column] = leaving;
    return true;
  }

  /** Artificial variables still basic are zero: exchange each for a true one, or drop its empty row. */
  #dropArtificials(): void {
    for (let row = this.#basis.length - 1; row >= 0; row--) {
      if (this.#basis[row]! >= 0) continue;
      const start = row * this.#width;
      this.#cells[start + this.#width - 1] = 0;
      const column = this.#columns.findIndex(
        (name, at) => name >= 0 && Math.abs(this.#cells[start + at]!) > missedMax,
      );
      if (column >= 0 && this.#pivot(row, column)) continue;
      this.#cells.copyWithin(start, start + this.#width);
      this.#basis.splice(row, 1);
    }
  }
}

/** Replaces the variable of a column, in one row, by what another row says of it. */
function substitute(
  target: Float64Array,
  targetStart: number,
  source: Float64Array,
  sourceStart: number,
  width: number,
  column: number,
): void {
  const factor = target[targetStart + column]!;
  if (factor === 0) return;
  target[targetStart + column] = 0;
  for (let index = 0; index < width; index++) {
    const value = target[targetStart + index]! + factor * source[sourceStart + index]!;
    // What is left of a cancellation would be taken for a slope.
    target[targetStart + index] = value < dust && value > -dust ? 0 : value;
  }
}
