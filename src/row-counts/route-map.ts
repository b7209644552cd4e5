/**
 * The map of `walk.ts` with everything unbranched drawn together: what is left are junctions and the
 * routes between them, each with the sum of what lies on it. How often a run took each route is all
 * there is to find out.
 */
import { routesMax } from './limits.ts';
import { end } from './walk.ts';

export interface Route {
  readonly from: number;
  readonly to: number;
  /** How much the route adds to each tally. */
  readonly weights: Int32Array;
}

export interface RouteMap {
  readonly junctions: number;
  readonly entry: number;
  readonly exit: number;
  /** What lies before the first junction. */
  readonly start: Int32Array;
  readonly routes: readonly Route[];
}

/**
 * The part of a run to look at. A whole run stops at the `end` or stands on a `row`. With `between`, it
 * goes from one row (or the entry) to the very next (or the end), both given by their places.
 */
export type Section =
  | { readonly kind: 'whole'; readonly to: 'end' | 'row' }
  | { readonly kind: 'between'; readonly from: number | 'entry'; readonly to: number | 'end' };

/** A way with what it adds to each tally. */
interface WeightedWay {
  readonly to: number;
  readonly weights: Int32Array;
}

/** A place as the map sees it. */
export interface WeightedPlace {
  readonly answersRow: boolean;
  readonly ways: readonly WeightedWay[];
}

/** `none` if no way leads through, `tangled` if the routes are too many. */
export function drawRoutes(
  places: readonly WeightedPlace[],
  section: Section,
): RouteMap | 'none' | 'tangled' {
  const stop = places.length;
  const ways = places.map((place, index) => openWays(place, index, section, stop));
  ways.push([]);
  const useful = findUseful(ways, stop);
  const open = ways.map((list) => list.filter(({ to }) => useful[to] === 1));
  const from =
    section.kind === 'whole' || section.from === 'entry' ? 0 : (places[section.from]?.ways[0]?.to ?? stop);
  return useful[from] === 1 && from !== stop ? contract(open, from, stop) : 'none';
}

function openWays(
  place: WeightedPlace,
  index: number,
  section: Section,
  stop: number,
): readonly WeightedWay[] {
  if (place.answersRow) {
    const stopping = place.ways.slice(0, 1).map((way) => ({ ...way, to: stop }));
    if (section.kind === 'between') return section.to === index ? stopping : [];
    return section.to === 'row' ? [...place.ways, ...stopping] : place.ways;
  }
  if (!place.ways.some(({ to }) => to === end)) return place.ways;
  if (section.to !== 'end') return place.ways.filter(({ to }) => to !== end);
  return place.ways.map((way) => (way.to === end ? { ...way, to: stop } : way));
}

/** Flags the places from which the stop can be reached. */
function findUseful(ways: readonly (readonly WeightedWay[])[], stop: number): Uint8Array {
  const predecessors: number[][] = ways.map(() => []);
  ways.forEach((list, from) => list.forEach(({ to }) => predecessors[to]!.push(from)));
  const useful = new Uint8Array(ways.length);
  useful[stop] = 1;
  const pending = [stop];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    for (const predecessor of predecessors[place]!) {
      if (useful[predecessor] === 1) continue;
      useful[predecessor] = 1;
      pending.push(predecessor);
    }
  }
  return useful;
}

function contract(
  ways: readonly (readonly WeightedWay[])[],
  from: number,
  stop: number,
): RouteMap | 'tangled' {
  const noWeights = ways[from]![0]!.weights.map(() => 0);
  const junctions = new Map<number, number>();
  const pending: number[] = [];
  const junctionAt = (place: number): number => {
    const known = junctions.get(place);
    if (known !== undefined) return known;
    junctions.set(place, junctions.size);
    if (place !== stop) pending.push(place);
    return junctions.size - 1;
  };
  /** Where each unbranched place leads in the end, and what lies on the way there. */
  const ends = new Map<number, WeightedWay>();
  const follow = (place: number): WeightedWay => {
    const passed: number[] = [];
    let at = place;
    while (ways[at]!.length === 1 && !ends.has(at)) {
      passed.push(at);
      at = ways[at]![0]!.to;
    }
    let onward = ends.get(at) ?? { to: at, weights: noWeights };
    for (const before of passed.toReversed()) {
      onward = { to: onward.to, weights: add(ways[before]![0]!.weights, onward.weights) };
      ends.set(before, onward);
    }
    return { to: junctionAt(onward.to), weights: onward.weights };
  };

  const start = follow(from);
  const routes = new Map<string, Route>();
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const junction = junctionAt(place);
    for (const way of ways[place]!) {
      const { to, weights: onward } = follow(way.to);
      const weights = add(way.weights, onward);
      routes.set(`${junction} ${to} ${weights.join(' ')}`, { from: junction, to, weights });
    }
    if (routes.size > routesMax) return 'tangled';
  }
  return {
    junctions: junctions.size,
    entry: start.to,
    exit: junctionAt(stop),
    start: start.weights,
    routes: [...routes.values()],
  };
}

function add(a: Int32Array, b: Int32Array): Int32Array {
  return a.map((weight, index) => weight + b[index]!);
}
