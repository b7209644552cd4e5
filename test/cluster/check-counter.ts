/** Whether what the clients of a counter saw can have happened: every answer is a value that the counter had meanwhile. */

export interface CounterOperation {
  readonly number: number;
  readonly kind: 'increment' | 'read';
  readonly object: string;
  /** When it was begun and ended, by one clock for all. */
  readonly begunAt: number;
  endedAt: number;
  /** What was answered; undefined if nothing was, or an error: then it may have been done or not. */
  value: number | undefined;
}

/** What the counter has recorded: the operation that made it each value. */
export interface CounterRow {
  readonly sequence: number;
  readonly operation: number;
}

/** Answers what is wrong, in words. */
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
  // In the order of their ends: what was told by then, a later call must not contradict.
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
