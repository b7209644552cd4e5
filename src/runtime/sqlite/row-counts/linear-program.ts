/**
 * Linear programs, small and dense: the least value of a sum of unknowns, none of them negative, under
 * equations and inequalities. Each basic variable is kept as a constant plus a sum of the nonbasic ones,
 * which are zero. The objective never falls when one of these grows, so a program is solved as soon as no
 * constant is negative: what is added to a solved one is met by the dual simplex method in a few steps.
 *
 * Floating point is enough: coefficients are small whole numbers, and the caller checks what he rounds.
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

type Outcome = 'optimal' | 'infeasible' | 'gaveUp';

const epsilon = 1e-9;
/** What is left of a cancellation would be taken for a slope. */
const dust = 1e-11;
/** What is left of constraints that cannot all be met is far more than this. */
const missedMax = 1e-7;
/** Rows that can be added to a copy: as many equations as there are counters, or a few constraints. */
const rowsSpare = 16;

export class LinearProgram {
  readonly #unknowns: number;
  /** Cells that may still be touched; shared by all programs solved for one answer, so that it comes in time. */
  readonly #budget: { cells: number };
  /** The nonbasic variables and the basic ones: unknowns by number, what is left of constraints as Infinity. */
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

  /** Without constraints. No slope of the objective may be negative. */
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

  /** Adds a constraint that need not be met yet: the sum is not negative. Answers its row. */
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

  /** Meets the equation that the sum is zero, for good. Added constraints need not be met yet. */
  equate(sum: Sum): Outcome {
    const row = this.add(sum);
    const missing = this.#cells[row * this.#stride]!;
    const [isMet, sign] = [Math.abs(missing) < missedMax, missing > 0 ? -1 : 1];
    const column = this.#chooseColumn(row, sign) || (isMet ? this.#chooseColumn(row, -sign) : 0);
    if (column === 0) {
      this.#basis.pop();
      return isMet ? 'optimal' : 'infeasible';
    }
    if (!this.#pivot(row, column)) return 'gaveUp';
    // What the equation is missed by is nonbasic now, so zero, and has to stay that: its column goes.
    const last = this.#columns.length;
    for (let start = 0; start <= row * this.#stride; start += this.#stride)
      this.#cells[start + column] = this.#cells[start + last]!;
    this.#columns[column - 1] = this.#columns[last - 1]!;
    this.#columns.pop();
    return 'optimal';
  }

  /** What the sum is according to the equations alone; undefined if they leave it open. */
  findFixed(sum: Sum): number | undefined {
    const start = this.add(sum) * this.#stride;
    this.#basis.pop();
    const slopes = this.#cells.subarray(start + 1, start + 1 + this.#columns.length);
    return slopes.every((slope) => Math.abs(slope) < missedMax) ? this.#cells[start] : undefined;
  }

  /** Meets all constraints, with the least value of the objective under them. */
  solve(): Outcome {
    for (let row = this.#chooseRow(); row > 0; row = this.#chooseRow()) {
      const column = this.#chooseColumn(row, 1);
      if (column === 0) return 'infeasible';
      if (!this.#pivot(row, column)) return 'gaveUp';
    }
    return 'optimal';
  }

  /** The constraint that is missed by most; 0 if all are met. */
  #chooseRow(): number {
    let [best, least] = [0, -missedMax];
    for (let row = 1; row < this.#basis.length; row++) {
      const constant = this.#cells[row * this.#stride]!;
      if (constant < least) [best, least] = [row, constant];
    }
    return best;
  }

  /** Of the variables that move a row the way of the sign, the one that costs least; 0 if there is none. */
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

  /** Exchanges a basic variable for a nonbasic one. False if that is more work than is left. */
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
