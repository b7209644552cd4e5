/**
 * The map with everything unbranched drawn together: what is left are junctions and the routes between
 * them, each with the sum of what lies on it. A run is a flow on it: one unit goes in at the entry and out at
 * the stop, and at every junction as much comes in as goes out. How often it took each route is all there
 * is to find out.
 */
import { routesMax } from './limits.ts';

/** A way between places, or a route between junctions, with what it adds to each tally. */
export interface Route {
  readonly from: number;
  readonly to: number;
  readonly weights: Float64Array;
}

/** A place before the first, so that what lies before the first junction is a route as well. */
export const entry = -1;

/** Draws the routes from place 0 to `stop`, given the ways out of each place; undefined if none or too many. */
export function drawRoutes(ways: readonly (readonly Route[])[], stop: number): Route[] | undefined {
  const backwards = ways.flat().map(({ from, to }) => ({ from: to, to: from }));
  const useful = spread(stop, backwards);
  if (!useful.has(0)) return undefined;
  const open = ways.map((list) => list.filter(({ to }) => useful.has(to)));
  const start: Route = { from: entry, to: 0, weights: open[0]![0]!.weights.map(() => 0) };
  const routes = new Map<string, Route>();
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

/** Everywhere the routes lead to from a junction. */
export function spread(from: number, routes: readonly Pick<Route, 'from' | 'to'>[]): Set<number> {
  const leaving = Map.groupBy(routes, (route) => route.from);
  const reached = new Set([from]);
  for (const junction of reached) for (const { to } of leaving.get(junction) ?? []) reached.add(to);
  return reached;
}
