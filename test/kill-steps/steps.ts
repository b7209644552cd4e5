/** Which of the steps of a command it is killed at. */
import { readFileSync } from 'node:fs';

export interface Step {
  /** Of its kind. */
  readonly pattern: RegExp;
  /** Which of its kind, from 1. */
  readonly occurrence: number;
}

interface NamedStep extends Step {
  readonly name: string;
}

export interface Steps {
  readonly count: number;
  readonly kinds: readonly string[];
  readonly chosen: readonly NamedStep[];
}

/**
 * Steps of one kind change the same file, or run the same statement, for another object or another piece. Of each kind: the
 * first, the second, which finds that the first was done, and the last.
 */
export function chooseSteps(file: string): Steps {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const counts = new Map<string, number>();
  for (const kind of lines) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const chosen = Array.from(counts, ([kind, count]) =>
    [...new Set([1, 2, count])]
      .filter((occurrence) => occurrence <= count)
      .map((occurrence) => ({
        name: `at ${kind}, ${occurrence} of ${count}`,
        pattern: new RegExp(`^${RegExp.escape(kind)}$`),
        occurrence,
      })),
  );
  return { count: lines.length, kinds: [...counts.keys()], chosen: chosen.flat() };
}
