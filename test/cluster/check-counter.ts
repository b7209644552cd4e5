/**
 * Whether the results of a counter's clients are consistent: every result is a value that the counter had during the
 * call.
 */

export interface CounterOperation {
  readonly number: number;
  readonly kind: 'increment' | 'read';
  readonly object: string;
  /** When it started and ended, by one clock for all. */
  readonly begunAt: number;
  endedAt: number;
  /** The result; undefined without a response or after an error: then it may have been done or not. */
  value: number | undefined;
}

/** The counter's record: the operation that produced each value. */
export interface CounterRow {
  readonly sequence: number;
  readonly operation: number;
}

/** Returns the contradictions, in words. */
export function checkCounter(
  object: string,
  log: readonly CounterRow[],
  all: readonly CounterOperation[],
): string[] {
  const answered = all.filter((operation) => operation.object === object && operation.value !== undefined);
  const problems: string[] = [];
  for (const [index, { sequence }] of log.entries())
    if (sequence !== index + 1) problems.push(`${object}: record ${index + 1} has number ${sequence}`);
  const seen = new Set<number>();
  for (const { operation } of log) {
    if (seen.has(operation)) problems.push(`${object}: operation ${operation} was done twice`);
    seen.add(operation);
  }
  // In the order of their ends: a later call must not contradict earlier results.
  const ends = answered.toSorted((a, b) => a.endedAt - b.endedAt);
  for (const { kind, number, value, begunAt, endedAt } of answered) {
    if (kind === 'increment' && log[value! - 1]?.operation !== number)
      problems.push(`${object}: increment ${number} was answered with ${value} and is not in the log there`);
    if (value! > log.length) problems.push(`${object}: ${value} was answered and is lost`);
    for (const earlier of ends) {
      if (earlier.endedAt >= begunAt) break;
      if (earlier.value! > value! || (earlier.value === value && kind === 'increment'))
        problems.push(
          `${object}: ${kind} ${number} answered ${value} at ${endedAt}, but ${earlier.value} had been told at ${earlier.endedAt}`,
        );
    }
  }
  return problems;
}
