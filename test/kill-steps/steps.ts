/** Chooses the steps at which a command is killed. */
import { readFileSync } from 'node:fs';

export interface Step {
  /** Of its kind. */
  readonly pattern: RegExp;
  /** What it writes among other things, if only such steps count. */
  readonly text?: string | undefined;
  /** Which of its kind, from 1. */
  readonly occurrence: number;
}

interface NamedStep extends Step {
  readonly name: string;
}

export interface Steps {
  readonly lines: readonly string[];
  readonly kinds: number;
  readonly chosen: readonly NamedStep[];
}

/**
 * Steps of one kind are about the same file, of whatever object, or run the same statement. Of each kind: the first,
 * the second, which runs after the first was done, and the last.
 */
export function chooseSteps(file: string): Steps {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const byKind = Map.groupBy(lines, findKind);
  const chosen = Array.from(byKind, ([kind, steps]) =>
    [...new Set([1, 2, steps.length])]
      .filter((occurrence) => occurrence <= steps.length)
      .map((occurrence) => ({
        name: `at ${steps[occurrence - 1]!}, ${occurrence} of ${steps.length}`,
        pattern: new RegExp(`^${isAboutFile(steps[0]!) ? String.raw`\S+ ` : ''}${RegExp.escape(kind)}$`),
        occurrence,
      })),
  );
  return { lines, kinds: byKind.size, chosen: chosen.flat() };
}

function findKind(line: string): string {
  return isAboutFile(line) ? line.slice(line.indexOf(' ') + 1) : line;
}

function isAboutFile(line: string): boolean {
  return !/^(?:statement|request) /.test(line);
}
