/**
 * Searches for a run that fits the observations: whole, non-negative counts for all routes, connected (a loop runs only
 * if something leads into it), and consistent with the stores. Where the linear program's solution contains a fraction,
 * or counts that no run can have, the problem is split into two or more that exclude that solution.
 */
import { subproblemsMax } from './limits.ts';
import { evaluate, type LinearProgram, negate, shift, type Sum } from './linear-program.ts';
import { entry, type CountedRoute, spread } from './routes.ts';

/** The unknowns are how often each route was taken; the first is the route that every run starts with. */
export interface Problem {
  readonly routes: readonly CountedRoute[];
  /** Sums that are zero. */
  readonly equations: readonly Sum[];
  /** Of each list of cases at least one must hold: none of its sums is negative. */
  readonly alternatives: readonly (readonly (readonly Sum[])[])[];
}

/** Whole counts of a run, or others if a fitting run may exist but would take too much work to find. */
type FoundCounts = { readonly counts: Float64Array; readonly isRun: boolean };

const wholeTolerance = 1e-6;

/** The likeliest run that the linear program allows, if there is any. With `accept` 'first', any run is accepted. */
export function search(
  problem: Problem,
  from: LinearProgram,
  accept: 'first' | 'best',
): FoundCounts | undefined {
  const pending = [from];
  let best: FoundCounts | undefined;
  let leastValue = Infinity;
  for (let splits = 0; pending.length > 0; splits++) {
    const program = pending.pop()!;
    const outcome = splits > subproblemsMax ? 'gaveUp' : program.solve();
    if (outcome === 'infeasible' || program.value > leastValue - wholeTolerance) continue;
    const unknowns = program.unknowns();
    const branches = outcome === 'gaveUp' ? [] : findBranches(problem, unknowns);
    for (const branch of branches.toReversed()) {
      const part = program.copy();
      for (const sum of branch) part.add(sum);
      pending.push(part);
    }
    if (branches.length > 0) continue;
    const counts = unknowns.map(Math.round);
    // Rounding must not have hidden a floating-point error.
    const fits = outcome === 'optimal' && problem.equations.every((sum) => evaluate(sum, counts) === 0);
    if (!fits) return best ?? { counts: unknowns, isRun: false };
    best = { counts, isRun: true };
    leastValue = program.value;
    if (accept === 'first') break;
  }
  return best;
}

/** Problems that together contain every solution of this one except the given counts; none if these are valid. */
function findBranches({ routes, alternatives }: Problem, counts: Float64Array): readonly (readonly Sum[])[] {
  const holds = (sum: Sum): boolean => evaluate(sum, counts) >= -wholeTolerance;
  const violated = alternatives.find((cases) => !cases.some((sums) => sums.every(holds)));
  if (violated !== undefined) return violated;
  const fractions = counts.map((count) => Math.abs(count - Math.round(count)));
  const largest = fractions.indexOf(Math.max(...fractions));
  if (fractions[largest]! <= wholeTolerance) return findIsland(routes, counts.map(Math.round));
  const low = Math.floor(counts[largest]!);
  const atMost = counts.map((_, index) => (index === 0 ? low : index === largest ? -1 : 0));
  return [[atMost], [shift(negate(atMost), -1)]];
}

/** Flow that is unreachable from the entry: either it is zero, or another flow must lead to it. */
function findIsland(routes: readonly CountedRoute[], counts: Float64Array): (readonly Sum[])[] {
  const taken = routes.filter((_, index) => counts[index]! > 0);
  const reached = spread(entry, taken);
  const astray = taken.find(({ from }) => !reached.has(from));
  if (astray === undefined) return [];
  const island = spread(astray.from, taken);
  const inside = counts.map((_, index) => (island.has(routes[index]!.from) ? -1 : 0));
  const inward = counts.map((_, index) => Number(inside[index] === 0 && island.has(routes[index]!.to)));
  return [[inside], [shift(inward, -1)]];
}
