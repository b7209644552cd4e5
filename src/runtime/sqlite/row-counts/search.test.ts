import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinearProgram, shift, type Sum } from './linear-program.ts';
import { entry, type CountedRoute } from './routes.ts';
import { type Problem, search } from './search.ts';

/** A route with the steps on it, and its cost. */
type Spec = readonly [from: number, to: number, steps: number, price: number];

const stop = 9;

/** How often the likeliest run with this many steps, from the entry to the stop, took each route. */
function find(
  specs: readonly Spec[],
  steps: number,
  alternatives: Problem['alternatives'] = [],
): number[] | undefined {
  const routes = specs.map(([from, to]): CountedRoute => ({ from, to, weights: new Float64Array(0) }));
  const sumUp = (amount: (spec: Spec) => number): Sum => Float64Array.from(specs, amount);
  const program = LinearProgram.start(sumUp(([, , , price]) => price)).copy({ cells: 100_000 });
  for (const junction of new Set(specs.map(([from]) => from).filter((from) => from !== entry)))
    program.equate(sumUp(([from, to]) => Number(to === junction) - Number(from === junction)));
  const equations = [
    shift(
      sumUp(([, , length]) => length),
      -steps,
    ),
  ];
  if (program.equate(equations[0]!) !== 'optimal') return undefined;
  const found = search({ routes, equations, alternatives }, program, 'best');
  assert.notEqual(found?.isRun, false, 'it must not give up');
  return found === undefined ? undefined : [...found.counts];
}

/** A loop with two bodies of different length. */
const loop = (shortPrice: number, longPrice: number): Spec[] => [
  [entry, 0, 2, 0],
  [0, stop, 1, 0],
  [0, 0, 3, shortPrice],
  [0, 0, 5, longPrice],
];

test('search finds the one run that whole numbers leave', () => {
  // 3a + 5b = 8 has one answer, a = b = 1.
  assert.deepEqual(find(loop(1, 9), 3 + 8), [1, 1, 1, 1]);
});

test('search finds the cheapest of several runs', () => {
  // 3a + 5b = 15: five short turns or three long ones.
  assert.deepEqual(find(loop(9, 2), 3 + 15), [1, 1, 0, 3]);
  assert.deepEqual(find(loop(1, 2), 3 + 15), [1, 1, 5, 0]);
});

test('search keeps to one of the alternatives', () => {
  const atLeastOneLong = [[Float64Array.from([-1, 0, 0, 1])]];
  assert.deepEqual(find(loop(1, 2), 3 + 15, [atLeastOneLong]), [1, 1, 0, 3]);
});

test('search tells what no run can have', () => {
  assert.equal(find(loop(1, 1), 3 + 4), undefined);
  assert.equal(find(loop(1, 1), 1), undefined);
});

test('search does not let a loop turn that nothing leads into', () => {
  // One step straight out and two turns would make 5 as well, but 4 + 1 without a turn is the only run.
  const specs: Spec[] = [
    [entry, 0, 0, 0],
    [0, stop, 1, 0],
    [0, 2, 4, 9],
    [2, 2, 2, 1],
    [2, stop, 1, 0],
  ];
  assert.deepEqual(find(specs, 5), [1, 0, 1, 0, 1]);
});
