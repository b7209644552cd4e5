/**
 * Often a tally is, whatever the run did, a fixed combination of the tallies SQLite counts: then it is
 * a formula, found once by elimination in whole numbers, and every later count is a few products.
 */
import type { Flow } from './flow.ts';

/** (constant + Σ coefficients[i] · known[i]) / divisor */
export interface Formula {
  readonly coefficients: readonly number[];
  readonly constant: number;
  readonly divisor: number;
}

/** The known tallies of a flow, brought into echelon form. */
export class KnownTallies {
  readonly #flow: Flow;
  readonly #known: readonly number[];
  /** Effects on the unknowns, then how much of each known tally is in it; each row with its pivot column. */
  readonly #echelon: { readonly row: readonly number[]; readonly column: number }[] = [];
  /** Sums of known tallies that no run changes, so that they are zero in every one. */
  readonly #relations: Formula[] = [];
  readonly #formulas = new Map<number, Formula | undefined>();

  constructor(flow: Flow, known: readonly number[]) {
    this.#flow = flow;
    this.#known = known;
    known.forEach((tally, index) => {
      const row = this.#reduce(this.#row(tally, index));
      if (row === undefined) return;
      const column = row.findIndex((value) => value !== 0);
      if (column < flow.free.length) this.#echelon.push({ row, column });
      else this.#relations.push(this.#toFormula(row.slice(flow.free.length), 1));
    });
  }

  /** A target tally in terms of the known ones, if these decide it. */
  formula(target: number): Formula | undefined {
    if (!this.#formulas.has(target)) this.#formulas.set(target, this.#findFormula(target));
    return this.#formulas.get(target);
  }

  #findFormula(target: number): Formula | undefined {
    const row = this.#reduce(this.#row(target, this.#known.length));
    const unknowns = this.#flow.free.length;
    if (row === undefined || row.slice(0, unknowns).some((value) => value !== 0)) return undefined;
    const marks = row.slice(unknowns);
    const divisor = marks.at(-1)!;
    const sum = this.#toFormula(marks.slice(0, -1), Math.abs(divisor));
    const base = this.#flow.tallyBase[target]!;
    const sign = Math.sign(divisor);
    return {
      coefficients: sum.coefficients.map((coefficient) => 0 - sign * coefficient),
      constant: sum.divisor * base - sign * sum.constant,
      divisor: sum.divisor,
    };
  }

  /** Whether some run, at least of a program that may also run backwards, has these values. */
  areConsistent(values: readonly number[]): boolean {
    return this.#relations.every((relation) => evaluate(relation, values) === 0);
  }

  #row(tally: number, index: number): number[] {
    const marks = Array.from({ length: this.#known.length + 1 }, (_, mark) => (mark === index ? 1 : 0));
    return [...this.#flow.tallyEffects[tally]!, ...marks];
  }

  /** The row without what the echelon can take off it; undefined if the numbers grow too large. */
  #reduce(row: number[]): number[] | undefined {
    for (const { row: pivot, column } of this.#echelon) {
      if (!eliminate(row, pivot, column)) return undefined;
    }
    return row;
  }

  /** Σ marks[i] · (tally i − its base), over a divisor. */
  #toFormula(marks: readonly number[], divisor: number): Formula {
    const coefficients = this.#known.map((_, index) => marks[index] ?? 0);
    const constant = this.#known.reduce(
      (sum, tally, index) => sum - (marks[index] ?? 0) * this.#flow.tallyBase[tally]!,
      0,
    );
    return { coefficients, constant, divisor };
  }
}

/** Takes a multiple of `pivot` off `row` so that the column vanishes. False if the numbers grow too large. */
function eliminate(row: number[], pivot: readonly number[], column: number): boolean {
  const [a, b] = [pivot[column]!, row[column]!];
  if (b === 0) return true;
  let divisor = 0;
  for (let index = 0; index < row.length; index++) {
    const value = row[index]! * a - pivot[index]! * b;
    if (!Number.isSafeInteger(value)) return false;
    row[index] = value;
    divisor = greatestCommonDivisor(divisor, value);
  }
  if (divisor > 1) row.forEach((value, index) => (row[index] = value / divisor));
  return true;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [Math.abs(a), Math.abs(b)];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

/** Undefined if it is no whole number: the values are of no run of the program. */
export function evaluate(
  { coefficients, constant, divisor }: Formula,
  values: readonly number[],
): number | undefined {
  const sum = coefficients.reduce(
    (total, coefficient, index) => total + coefficient * values[index]!,
    constant,
  );
  const value = sum / divisor;
  return Number.isSafeInteger(value) ? value : undefined;
}
