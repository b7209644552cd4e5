/**
 * A run seen as flow: one unit goes in at the entry and out at the exit, and at every junction as
 * much comes in as goes out. A spanning tree takes that in once and for all: the routes off the tree
 * can be taken any number of times, and the counts on the tree follow from them. In these free counts
 * every tally is a constant plus a sum, in whole numbers.
 */
import type { Route, RouteMap } from './route-map.ts';

export interface Flow {
  /** Routes off the tree: the unknowns. */
  readonly free: readonly Route[];
  /** Routes of the tree. */
  readonly tree: readonly Route[];
  /** Flow on a tree route when every unknown is 0 … */
  readonly treeBase: Int8Array;
  /** … and what each unknown adds to it, -1, 0 or 1: a row for each tree route. */
  readonly treeEffects: readonly Int8Array[];
  /** The value of a tally when every unknown is 0 … */
  readonly tallyBase: Float64Array;
  /** … and what each unknown adds to it: a row for each tally. */
  readonly tallyEffects: readonly Float64Array[];
}

export function solveFlow(map: RouteMap): Flow {
  const { tree, parents, free } = growTree(map);
  const treeBase = new Int8Array(tree.length);
  const treeEffects = tree.map(() => new Int8Array(free.length));
  const climb = (junction: number, visit: (treeRoute: number) => void): void => {
    for (let at = junction; parents[at]! >= 0; at = tree[parents[at]!]!.from) visit(parents[at]!);
  };
  climb(map.exit, (index) => (treeBase[index] = 1));
  free.forEach((route, unknown) => {
    climb(route.from, (index) => (treeEffects[index]![unknown]! += 1));
    climb(route.to, (index) => (treeEffects[index]![unknown]! -= 1));
  });

  const tallies = map.start.length;
  const tallyBase = Float64Array.from(map.start);
  const tallyEffects = Array.from({ length: tallies }, () => new Float64Array(free.length));
  for (let tally = 0; tally < tallies; tally++) {
    const effects = tallyEffects[tally]!;
    free.forEach((route, unknown) => (effects[unknown] = route.weights[tally]!));
    tree.forEach((route, index) => {
      const weight = route.weights[tally]!;
      if (weight === 0) return;
      tallyBase[tally]! += weight * treeBase[index]!;
      treeEffects[index]!.forEach((effect, unknown) => (effects[unknown]! += weight * effect));
    });
  }
  return { free, tree, treeBase, treeEffects, tallyBase, tallyEffects };
}

interface Tree {
  readonly tree: Route[];
  readonly free: Route[];
  /** For each junction the tree route that leads to it, -1 for the entry. */
  readonly parents: Int32Array;
}

function growTree({ junctions, entry, routes }: RouteMap): Tree {
  const leaving: Route[][] = Array.from({ length: junctions }, () => []);
  for (const route of routes) leaving[route.from]!.push(route);
  const parents = new Int32Array(junctions).fill(-1);
  const reached = new Uint8Array(junctions);
  reached[entry] = 1;
  const tree: Route[] = [];
  const free: Route[] = [];
  const queue = [entry];
  for (let index = 0; index < queue.length; index++) {
    for (const route of leaving[queue[index]!]!) {
      if (reached[route.to] === 1) {
        free.push(route);
        continue;
      }
      reached[route.to] = 1;
      parents[route.to] = tree.push(route) - 1;
      queue.push(route.to);
    }
  }
  return { tree, free, parents };
}
