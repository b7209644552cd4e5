/** One line of the table. */
export interface Result {
  readonly name: string;
  readonly unit: 'µs' | 'ms' | '/s' | 'MB' | 's';
  readonly workerd?: number;
  readonly gatehouse: number;
  readonly target?: { readonly text: string; readonly met: boolean };
  /** The result that both sides computed, or that was verified. */
  readonly check: string;
}

/** How often Gatehouse beats workerd: less time, or more per second. */
export function ratioOf({ unit, workerd, gatehouse }: Result): number | undefined {
  if (workerd === undefined) return undefined;
  return unit === '/s' ? gatehouse / workerd : workerd / gatehouse;
}

/** A target in multiples of workerd. */
export function atLeast(times: number, result: Result): Result {
  return { ...result, target: { text: `≥ ${times}×`, met: ratioOf(result)! >= times } };
}

/** A target in the unit of the line. */
export function below(limit: number, result: Result): Result {
  return { ...result, target: { text: `< ${limit} ${result.unit}`, met: result.gatehouse < limit } };
}

/** Both sides must have computed the same. */
export function sameCheck(name: string, workerd: string, gatehouse: string): string {
  if (workerd !== gatehouse) throw new Error(`${name}: workerd computed ${workerd}, Gatehouse ${gatehouse}`);
  return workerd;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
