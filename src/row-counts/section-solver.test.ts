import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SectionSolver } from './section-solver.ts';
import { talliesFixed, tally } from './tallies.ts';

function weigh(weights: Partial<Record<keyof typeof tally, number>>): Int32Array {
  const array = new Int32Array(talliesFixed);
  for (const [name, weight] of Object.entries(weights)) array[tally[name as keyof typeof tally]] = weight;
  return array;
}

/** A loop at junction 0 with two bodies of different length, and a way out to junction 1. */
function loop(short: Int32Array, long: Int32Array): SectionSolver {
  const routes = [
    { from: 0, to: 1, weights: weigh({ steps: 1 }) },
    { from: 0, to: 0, weights: short },
    { from: 0, to: 0, weights: long },
  ];
  return new SectionSolver({ junctions: 2, entry: 0, exit: 1, start: weigh({ steps: 2 }), routes }, []);
}

const solve = (solver: SectionSolver, steps: number): ReturnType<SectionSolver['solve']> =>
  solver.solve({ tallies: [tally.steps], values: [steps] }, [tally.read], () => undefined, true, {
    cells: 100_000,
  });

test('SectionSolver answers by a formula where the known tallies decide', () => {
  const solver = loop(weigh({ steps: 3, read: 1 }), weigh({ steps: 6, read: 2 }));
  assert.deepEqual(solve(solver, 3 + 30), [{ value: 10, exact: true }]);
});

test('SectionSolver answers exactly where whole numbers leave one possibility', () => {
  // 3a + 5b = 4 · 5 − 12 = 8 has one answer, a = b = 1.
  const solver = loop(weigh({ steps: 3, read: 1 }), weigh({ steps: 5, read: 7 }));
  assert.deepEqual(solve(solver, 3 + 8), [{ value: 8, exact: true }]);
});

test('SectionSolver answers the least surprising of several possibilities', () => {
  // 3a + 5b = 15: five short turns or three long ones.
  const solver = loop(weigh({ steps: 3, read: 1, surprise: 9 }), weigh({ steps: 5, read: 2 }));
  assert.deepEqual(solve(solver, 3 + 15), [{ value: 6, exact: false }]);
});

test('SectionSolver tells what no run can have', () => {
  const solver = loop(weigh({ steps: 3, read: 1 }), weigh({ steps: 5, read: 7 }));
  assert.equal(solve(solver, 3 + 4), 'none');
  assert.equal(solve(solver, 1), 'none');
});

test('SectionSolver does not let a loop turn that nothing leads into', () => {
  const routes = [
    { from: 0, to: 1, weights: weigh({ steps: 1 }) },
    { from: 0, to: 2, weights: weigh({ steps: 4 }) },
    { from: 2, to: 2, weights: weigh({ steps: 2, read: 1 }) },
    { from: 2, to: 1, weights: weigh({ steps: 1 }) },
  ];
  const solver = new SectionSolver({ junctions: 3, entry: 0, exit: 1, start: weigh({}), routes }, []);
  // One step straight out and two turns would make 5 as well, but 4 + 1 without a turn is the only run.
  assert.deepEqual(solve(solver, 5), [{ value: 0, exact: true }]);
});
