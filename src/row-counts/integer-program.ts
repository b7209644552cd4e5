/**
 * Looks for a run that fits what was observed: whole, non-negative counts for all routes, connected
 * (a loop turns only if something leads into it), and in keeping with the balances. Where the linear
 * program answers with a fraction, or with counts no run can have, the problem is split in two or more
 * that leave that answer out.
 */
import type { Flow } from './flow.ts';
import { subproblemsMax } from './limits.ts';
import type { Route } from './route-map.ts';
import type { Constraint, Dictionary } from './simplex.ts';

export interface IntegerProblem {
  readonly flow: Flow;
  readonly entry: number;
  readonly constraints: readonly Constraint[];
  /** Of each list of alternatives at least one must hold, all its constraints together. */
  readonly alternatives: readonly (readonly (readonly Constraint[])[])[];
}

export type Search =
  | { readonly state: 'found'; readonly counts: Float64Array }
  /** There may be such a run, but it would take too much work to find. These would fit, were they whole. */
  | { readonly state: 'gaveUp'; readonly counts: Float64Array }
  /** There is no such run. */
  | { readonly state: 'none'; readonly counts?: never };

/**
 * Searches on from a dictionary that is optimal under the constraints of the problem, for whole counts
 * with the least value of its objective. With `accept` 'first', any will do.
 */
export function search(problem: IntegerProblem, optimal: Dictionary, accept: 'first' | 'best'): Search {
  const pending = [optimal];
  const relaxed = optimal.unknowns();
  let best: Float64Array | undefined;
  let leastValue = Infinity;
  const giveUp = (): Search =>
    best === undefined ? { state: 'gaveUp', counts: relaxed } : { state: 'found', counts: best };
  for (let splits = 0; pending.length > 0; splits++) {
    if (splits > subproblemsMax) return giveUp();
    const dictionary = pending.pop()!;
    const outcome = dictionary.repair();
    if (outcome === 'infeasible') continue;
    if (outcome !== 'optimal') return giveUp();
    if (dictionary.value > leastValue - valueTolerance) continue;
    const unknowns = dictionary.unknowns();
    const branches = findBranches(problem, unknowns);
    for (const branch of branches.toReversed()) {
      const part = dictionary.copy();
      for (const constraint of branch) part.add(constraint);
      pending.push(part);
    }
    if (branches.length > 0) continue;
    const counts = unknowns.map(Math.round);
    // Rounding must not have mended what floating point got wrong.
    if (!problem.constraints.every((constraint) => holds(constraint, counts))) return giveUp();
    best = counts;
    leastValue = dictionary.value;
    if (accept === 'first') break;
  }
  return best === undefined ? { state: 'none' } : { state: 'found', counts: best };
}

/** Problems that together hold every answer of this one but not the given counts; none if these are fine. */
function findBranches(problem: IntegerProblem, unknowns: Float64Array): readonly (readonly Constraint[])[] {
  for (const alternatives of problem.alternatives) {
    const fits = alternatives.some((list) => list.every((constraint) => holds(constraint, unknowns)));
    if (!fits) return alternatives;
  }
  const fraction = findFraction(unknowns.subarray(0, problem.flow.free.length));
  if (fraction < 0) return findIsland(problem, unknowns.map(Math.round)) ?? [];
  const low = Math.floor(unknowns[fraction]!);
  const one = new Int8Array(fraction + 1);
  one[fraction] = 1;
  return [
    [{ coefficients: one.map((value) => -value), constant: low, kind: 'atLeastZero' }],
    [{ coefficients: one, constant: -low - 1, kind: 'atLeastZero' }],
  ];
}

const wholeTolerance = 1e-6;
const valueTolerance = 1e-6;

function findFraction(unknowns: Float64Array): number {
  let worst = -1;
  let distanceMost = wholeTolerance;
  unknowns.forEach((value, index) => {
    const distance = Math.abs(value - Math.round(value));
    if (distance <= distanceMost) return;
    distanceMost = distance;
    worst = index;
  });
  return worst;
}

function holds(constraint: Constraint, counts: ArrayLike<number>): boolean {
  const value = evaluate(constraint, counts);
  return constraint.kind === 'zero' ? Math.abs(value) <= wholeTolerance : value >= -wholeTolerance;
}

function evaluate({ coefficients, constant }: Constraint, counts: ArrayLike<number>): number {
  let value = constant;
  for (let index = 0; index < counts.length; index++) value += (coefficients[index] ?? 0) * counts[index]!;
  return value;
}

/** Flow that goes round somewhere though nothing leads there: either something must, or nothing may turn. */
function findIsland(
  { flow, entry }: IntegerProblem,
  counts: Float64Array,
): (readonly Constraint[])[] | undefined {
  const taken = [
    ...flow.free.filter((_, unknown) => counts[unknown]! > 0),
    ...flow.tree.filter((_, index) => treeCount(flow, index, counts) > 0),
  ];
  const reached = spread(entry, taken);
  const astray = taken.find(({ from }) => !reached.has(from));
  if (astray === undefined) return undefined;
  const island = spread(astray.from, taken);
  const inward = sumRoutes(flow, (from, to) => !island.has(from) && island.has(to));
  const inside = sumRoutes(flow, (from) => island.has(from));
  return [
    [
      {
        coefficients: inside.coefficients.map((value) => -value),
        constant: -inside.constant,
        kind: 'atLeastZero',
      },
    ],
    [{ ...inward, constant: inward.constant - 1, kind: 'atLeastZero' }],
  ];
}

function treeCount({ treeBase, treeEffects }: Flow, index: number, counts: Float64Array): number {
  return treeEffects[index]!.reduce(
    (sum, effect, unknown) => sum + effect * counts[unknown]!,
    treeBase[index]!,
  );
}

/** Every junction the routes lead to from the given one. */
function spread(from: number, routes: readonly Route[]): Set<number> {
  const leaving = Map.groupBy(routes, (route) => route.from);
  const reached = new Set([from]);
  for (const junction of reached) {
    for (const { to } of leaving.get(junction) ?? []) reached.add(to);
  }
  return reached;
}

function sumRoutes(
  { free, tree, treeBase, treeEffects }: Flow,
  matches: (from: number, to: number) => boolean,
): { coefficients: Float64Array; constant: number } {
  const coefficients = Float64Array.from(free, ({ from, to }) => (matches(from, to) ? 1 : 0));
  let constant = 0;
  tree.forEach(({ from, to }, index) => {
    if (!matches(from, to)) return;
    constant += treeBase[index]!;
    treeEffects[index]!.forEach((effect, unknown) => (coefficients[unknown]! += effect));
  });
  return { coefficients, constant };
}
