import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Constraint, Dictionary } from './simplex.ts';

const atLeastZero = (coefficients: readonly number[], constant: number): Constraint => ({
  coefficients,
  constant,
  kind: 'atLeastZero',
});
const zero = (coefficients: readonly number[], constant: number): Constraint => ({
  coefficients,
  constant,
  kind: 'zero',
});
const plenty = () => ({ cells: 1_000_000 });

function meet(unknowns: number, constraints: readonly Constraint[]): Dictionary {
  const dictionary = Dictionary.meet(unknowns, constraints, plenty());
  assert.ok(dictionary instanceof Dictionary);
  return dictionary;
}

test('Dictionary finds the least value under equations and inequalities', () => {
  // x + y = 10, x ≤ 6: the least of x + 3y has x = 6.
  const dictionary = meet(2, [zero([1, 1], -10), atLeastZero([-1, 0], 6)]);
  assert.equal(dictionary.minimise([1, 3]), 'optimal');
  assert.deepEqual([dictionary.value, ...dictionary.unknowns()], [18, 6, 4]);
});

test('Dictionary.repair meets a constraint added to a copy and leaves the original', () => {
  const dictionary = meet(2, [zero([1, 1], -10)]);
  dictionary.minimise([1, 3]);
  const copy = dictionary.copy();
  copy.add(atLeastZero([0, 1], -7));
  assert.equal(copy.repair(), 'optimal');
  assert.deepEqual([copy.value, dictionary.value], [24, 10]);
});

test('Dictionary tells constraints that contradict each other', () => {
  assert.equal(Dictionary.meet(1, [zero([1], -1), zero([1], -2)], plenty()), 'infeasible');
  assert.equal(Dictionary.meet(1, [atLeastZero([-1], 1), atLeastZero([1], -2)], plenty()), 'infeasible');
});

test('Dictionary gives up when its work is used up', () => {
  assert.equal(Dictionary.meet(2, [zero([1, 1], -10)], { cells: 0 }), 'gaveUp');
});

test('Dictionary never does worse than a solution that is known', () => {
  const small = fc.integer({ min: -4, max: 4 });
  const vector = fc.array(small, { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(fc.nat(9), { minLength: 4, maxLength: 4 }),
      fc.array(vector, { maxLength: 3 }),
      fc.array(vector, { maxLength: 5 }),
      vector.map((objective) => objective.map(Math.abs)),
      (solution, equations, inequalities, objective) => {
        const dot = (row: readonly number[]): number =>
          row.reduce((sum, value, index) => sum + value * solution[index]!, 0);
        const dictionary = meet(4, [
          ...equations.map((row) => zero(row, -dot(row))),
          ...inequalities.map((row) => atLeastZero(row, -dot(row))),
        ]);
        assert.equal(dictionary.minimise(objective), 'optimal');
        assert.ok(dictionary.value <= dot(objective) + 1e-6);
      },
    ),
    { numRuns: 200 },
  );
});
