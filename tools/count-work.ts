/**
 * How much a piece of code does, as a number that is the same on every machine and under every load: how often V8
 * entered the blocks of the program while it ran (functions, branches, bodies of loops), by its own counters for
 * coverage. Work inside the engine (a regular expression, `indexOf`) only counts as the calling block, so it must be
 * bounded by other means.
 *
 * Import this before the counted code: V8 adds the counters to functions when it compiles them, which is when they are
 * first called.
 *
 * ```ts
 * checkLinear('parse', (size) => {
 *   const source = '('.repeat(size); // not counted
 *   return () => parse(source);
 * }, [1_000, 8_000]);
 * ```
 */
import { ok } from 'node:assert/strict';
import { Session } from 'node:inspector';

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { readonly count: number }[] }[];
  }[];
}

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

export function countWork(run: () => unknown): number {
  takeCount();
  run();
  return takeCount();
}

export async function countWorkOf(run: () => Promise<unknown>): Promise<number> {
  takeCount();
  await run();
  return takeCount();
}

/** The work that does not depend on the size. */
const workOfAnySize = 2_000;

/** Asserts that the work grows no faster than the size. `prepare` creates the counted work for a size. */
export function checkLinear(
  what: string,
  prepare: (size: number) => () => unknown,
  [small, large]: readonly [small: number, large: number],
): void {
  const [few, many] = [countWork(prepare(small)), countWork(prepare(large))];
  const most = workOfAnySize + 1.25 * (large / small) * few;
  ok(many <= most, `${what}: ${few} steps for ${small}, ${many} for ${large}, more than ${Math.round(most)}`);
}

/** The count since the last call. A session within the process answers before `post` returns. */
function takeCount(): number {
  let count = 0;
  session.post('Profiler.takePreciseCoverage', (error, taken) => {
    if (error) throw error;
    for (const { url, functions } of (taken as Coverage).result) {
      // Excludes Node itself and the counting.
      if (!url.startsWith('file:') || url === import.meta.url) continue;
      for (const { ranges } of functions) {
        for (const range of ranges) count += range.count;
      }
    }
  });
  return count;
}
