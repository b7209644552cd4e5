/**
 * Linear programs, small and dense: the least value of a sum of unknowns, none of them negative, under equations and
 * inequalities. Each basic variable is kept as a constant plus a sum of the nonbasic ones, which are zero. The
 * objective never falls when one of these grows, so a program is solved as soon as no constant is negative: constraints
 * added to a solved program are satisfied by the dual simplex method in a few steps.
 *
 * Floating point is enough: coefficients are small whole numbers, and the caller checks the rounded values.
 */

/** The coefficients of a sum of the unknowns. Unknown 0 is always 1, so the first one is a constant. */
export type Sum = Float64Array;

export function evaluate(sum: Sum, unknowns: Float64Array): number {
  let value = 0;
  for (let index = 0; index < unknowns.length; index++) value += sum[index]! * unknowns[index]!;
  return value;
}

export const shift = (sum: Sum, by: number): Sum => sum.with(0, sum[0]! + by);
export const negate = (sum: Sum): Sum => sum.map((value) => -value);

type SolverStatus = 'optimal' | 'infeasible' | 'gaveUp';

const epsilon = 1e-9;
/** The rounding error of a cancellation must not be mistaken for a slope. */
const dust = 1e-11;
/** The remainder of constraints that cannot all be satisfied is far larger than this. */
const missedMax = 1e-7;
/** Rows that can be added to a copy: one equation per counter, or a few constraints. */
const rowsSpare = 16;

export class LinearProgram {
  readonly #unknowns: number;
  /** Cells that may still be touched; shared by all programs solved for one answer, to bound its time. */
  readonly #budget: { cells: number };
  /** The nonbasic and the basic variables: unknowns by number, slacks of constraints as Infinity. */
  readonly #columns: number[];
  readonly #basis: number[];
  /** For each basic variable its constant, then its coefficients; row 0 is the objective. */
  readonly #cells: Float64Array;
  readonly #stride: number;

  private constructor(unknowns: number, budget: { cells: number }, columns: number[], basis: number[]) {
    this.#unknowns = unknowns;
    this.#budget = budget;
    this.#columns = columns;
    this.#basis = basis;
    this.#stride = columns.length + 1;
    this.#cells = new Float64Array((Math.max(basis.length, columns.length) + rowsSpare) * this.#stride);
  }

  /** Starts without constraints. No slope of the objective may be negative. */
  static start(objective: Sum): LinearProgram {
    const columns = [...objective.keys()].slice(1);
    const program = new LinearProgram(objective.length, { cells: Infinity }, columns, [0]);
    program.#cells.set(objective);
    return program;
  }

  copy(budget = this.#budget): LinearProgram {
    const copy = new LinearProgram(this.#unknowns, budget, this.#columns.slice(), this.#basis.slice());
    for (let row = 0; row < this.#basis.length; row++) {
      const start = row * this.#stride;
      copy.#cells.set(this.#cells.subarray(start, start + copy.#stride), row * copy.#stride);
    }
    budget.cells -= copy.#cells.length;
    return copy;
  }

  /** The least value of the objective, once solved. */
  get value(): number {
    return this.#cells[0]!;
  }

  unknowns(): Float64Array {
    const values = new Float64Array(this.#unknowns);
    this.#basis.forEach((name, row) => {
      if (name < values.length) values[name] = this.#cells[row * this.#stride]!;
    });
    return values.fill(1, 0, 1);
  }

  /** Adds the constraint that the sum is not negative; it need not be satisfied yet. Returns its row. */
  add(sum: Sum): number {
    const [cells, rows, width] = [this.#cells, this.#basis.length, this.#columns.length + 1];
    const start = rows * this.#stride;
    cells[start] = sum[0]!;
    for (let at = 1; at < width; at++) cells[start + at] = sum[this.#columns[at - 1]!] ?? 0;
    for (let row = 1; row < rows; row++) {
      const weight = sum[this.#basis[row]!] ?? 0;
      if (weight === 0) continue;
      for (let at = 0; at < width; at++) cells[start + at]! += weight * cells[row * this.#stride + at]!;
    }
    return this.#basis.push(Infinity) - 1;
  }

  /** Satisfies the equation that the sum is zero, permanently. Added constraints need not be satisfied yet. */
  equate(sum: Sum): SolverStatus {
    const row = this.add(sum);
    const missing = this.#cells[row * this.#stride]!;
    const [isMet, sign] = [Math.abs(missing) < missedMax, missing > 0 ? -1 : 1];
    const column = this.#chooseColumn(row, sign) || (isMet ? this.#chooseColumn(row, -sign) : 0);
    if (column === 0) {
      this.#basis.pop();
      return isMet ? 'optimal' : 'infeasible';
    }
    if (!this.#pivot(row, column)) return 'gaveUp';
    // The residual of the equation is nonbasic now, so zero, and must stay zero: its column is removed.
    const last = this.#columns.length;
    for (let start = 0; start <= row * this.#stride; start += this.#stride)
      this.#cells[start + column] = this.#cells[start + last]!;
    this.#columns[column - 1] = this.#columns[last - 1]!;
    this.#columns.pop();
    return 'optimal';
  }

  /** The value of the sum according to the equations alone; undefined if they leave it open. */
  findFixed(sum: Sum): number | undefined {
    const start = this.add(sum) * this.#stride;
    this.#basis.pop();
    const slopes = this.#cells.subarray(start + 1, start + 1 + this.#columns.length);
    return slopes.every((slope) => Math.abs(slope) < missedMax) ? this.#cells[start] : undefined;
  }

  /** Satisfies all constraints, with the least value of the objective under them. */
  solve(): SolverStatus {
    for (let row = this.#chooseRow(); row > 0; row = this.#chooseRow()) {
      const column = this.#chooseColumn(row, 1);
      if (column === 0) return 'infeasible';
      if (!this.#pivot(row, column)) return 'gaveUp';
    }
    return 'optimal';
  }

  /** The most violated constraint; 0 if all are satisfied. */
  #chooseRow(): number {
    let [best, least] = [0, -missedMax];
    for (let row = 1; row < this.#basis.length; row++) {
      const constant = this.#cells[row * this.#stride]!;
      if (constant < least) [best, least] = [row, constant];
    }
    return best;
  }

  /** Of the variables that move a row in the direction of the sign, the cheapest; 0 if there is none. */
  #chooseColumn(row: number, sign: number): number {
    let [best, least] = [0, Infinity];
    for (let column = 1; column <= this.#columns.length; column++) {
      const slope = this.#cells[row * this.#stride + column]! * sign;
      if (slope <= epsilon) continue;
      const ratio = Math.max(0, this.#cells[column]!) / slope;
      if (ratio < least) [best, least] = [column, ratio];
    }
    return best;
  }

  /** Exchanges a basic variable for a nonbasic one. Returns false if that exceeds the remaining budget. */
  #pivot(pivotRow: number, column: number): boolean {
    const [cells, width, stride] = [this.#cells, this.#columns.length + 1, this.#stride];
    this.#budget.cells -= this.#basis.length * width;
    if (this.#budget.cells < 0) return false;
    const pivot = pivotRow * stride;
    const slope = cells[pivot + column]!;
    for (let at = pivot; at < pivot + width; at++) cells[at] = cells[at]! / -slope;
    cells[pivot + column] = 1 / slope;
    for (let start = 0; start < this.#basis.length * stride; start += stride) {
      const factor = cells[start + column]!;
      if (start === pivot || factor === 0) continue;
      cells[start + column] = 0;
      for (let at = 0; at < width; at++) {
        const value = cells[start + at]! + factor * cells[pivot + at]!;
        cells[start + at] = value < dust && value > -dust ? 0 : value;
      }
    }
    const leaving = this.#basis[pivotRow]!;
    this.#basis[pivotRow] = this.#columns[column - 1]!;
    this.#columns[column - 1] = leaving;
    return true;
  }
}
