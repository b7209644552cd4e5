/**
 * Often a tally is, whatever the run did, a fixed combination of the tallies SQLite counts: then it is
 * a formula, found once by elimination in whole numbers, and every later count is a few products.
 */
import type { Flow } from './flow.ts';

export interface Formula {
  /** value = (constant + Σ coefficients[i] · known[i]) / divisor */
  readonly coefficients: readonly number[];
  readonly constant: number;
  readonly divisor: number;
}

/** The target tally in terms of the known ones, if these decide it. */
export function findFormula(flow: Flow, known: readonly number[], target: number): Formula | undefined {
  const unknowns = flow.free.length;
  // Each row: effects on the unknowns, then which known tallies it is made of, then itself.
  const rows = [...known, target].map((tally, index) => {
    const marks = Array.from({ length: known.length + 1 }, (_, mark) => (mark === index ? 1 : 0));
    return [...flow.tallyEffects[tally]!, ...marks];
  });
  const goal = rows.pop()!;
  let used = 0;
  for (let column = 0; column < unknowns; column++) {
    const pivot = rows.findIndex((row, index) => index >= used && row[column] !== 0);
    if (pivot < 0) {
      if (goal[column] !== 0) return undefined;
      continue;
    }
    [rows[used], rows[pivot]] = [rows[pivot]!, rows[used]!];
    for (const row of [...rows.slice(used + 1), goal]) {
      if (!eliminate(row, rows[used]!, column)) return undefined;
    }
    used++;
  }
  return toFormula(goal.slice(unknowns), flow, known, target);
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

/** Σ marks[i] · (tally i − its base) = 0, the target being the last: solved for the target. */
function toFormula(marks: readonly number[], flow: Flow, known: readonly number[], target: number): Formula {
  const divisor = marks.at(-1)!;
  const coefficients = known.map((_, index) => -marks[index]!);
  let constant = divisor * flow.tallyBase[target]!;
  known.forEach((tally, index) => (constant += marks[index]! * flow.tallyBase[tally]!));
  return { coefficients, constant, divisor };
}

/** Undefined if the observed values fit no run of the program. */
export function evaluate(
  { coefficients, constant, divisor }: Formula,
  values: readonly number[],
): number | undefined {
  const value =
    coefficients.reduce((total, coefficient, index) => total + coefficient * values[index]!, constant) /
    divisor;
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
