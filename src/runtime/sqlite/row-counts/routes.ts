/**
 * The map with everything unbranched contracted: the remaining elements are junctions and the routes between them, each
 * with the sum of the tallies along it. A run is a flow on this graph: one unit enters at the entry and leaves at the
 * stop, and at every junction inflow equals outflow. The only unknowns are how often each route was taken.
 */
import { routesMax } from './limits.ts';

/** A way between places, or a route between junctions, with what it adds to each tally. */
export interface CountedRoute {
  readonly from: number;
  readonly to: number;
  readonly weights: Float64Array;
}

/** A place before the first, so that the part before the first junction is also a route. */
export const entry = -1;

/** Finds the routes from place 0 to `stop`, given the ways out of each place; undefined if none or too many. */
export function drawRoutes(
  ways: readonly (readonly CountedRoute[])[],
  stop: number,
): CountedRoute[] | undefined {
  const backwards = ways.flat().map(({ from, to }) => ({ from: to, to: from }));
  const useful = spread(stop, backwards);
  if (!useful.has(0)) return undefined;
  const open = ways.map((list) => list.filter(({ to }) => useful.has(to)));
  const start: CountedRoute = { from: entry, to: 0, weights: open[0]![0]!.weights.map(() => 0) };
  const routes = new Map<string, CountedRoute>();
  const junctions = new Set([entry]);
  for (const from of junctions) {
    for (const way of from === entry ? [start] : open[from]!) {
      const weights = way.weights.slice();
      let { to } = way;
      for (let only = open[to]!; only.length === 1; only = open[to]!) {
        only[0]!.weights.forEach((weight, tally) => (weights[tally]! += weight));
        to = only[0]!.to;
      }
      if (to !== stop) junctions.add(to);
      routes.set(`${from} ${to} ${weights.join(' ')}`, { from, to, weights });
    }
    if (routes.size > routesMax) return undefined;
  }
  return [...routes.values()];
}

/** Every junction that the routes lead to from a junction. */
export function spread(from: number, routes: readonly Pick<CountedRoute, 'from' | 'to'>[]): Set<number> {
  const leaving = Map.groupBy(routes, (route) => route.from);
  const reached = new Set([from]);
  for (const junction of reached) for (const { to } of leaving.get(junction) ?? []) reached.add(to);
  return reached;
}
