import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LinearProgram } from './linear-program.ts';

/** Sums of the unknowns, the constant first. */
const sum = (...coefficients: readonly number[]): Float64Array => Float64Array.from(coefficients);

test('LinearProgram finds the least value under equations and inequalities', () => {
  // x + y = 10, x ≤ 6: the least of x + 3y has x = 6.
  const program = LinearProgram.start(sum(0, 1, 3));
  assert.equal(program.equate(sum(-10, 1, 1)), 'optimal');
  program.add(sum(6, -1, 0));
  assert.equal(program.solve(), 'optimal');
  assert.deepEqual([program.value, ...program.unknowns()], [18, 1, 6, 4]);
});

test('LinearProgram.solve meets a constraint added to a copy and leaves the original', () => {
  const program = LinearProgram.start(sum(0, 1, 3));
  program.equate(sum(-10, 1, 1));
  program.solve();
  const copy = program.copy();
  copy.add(sum(-7, 0, 1));
  assert.equal(copy.solve(), 'optimal');
  assert.deepEqual([copy.value, program.value], [24, 10]);
});

test('LinearProgram tells constraints that contradict each other', () => {
  const program = LinearProgram.start(sum(0, 1));
  assert.deepEqual([program.equate(sum(-1, 1)), program.equate(sum(-2, 1))], ['optimal', 'infeasible']);
  const bounded = LinearProgram.start(sum(0, 1));
  bounded.add(sum(1, -1));
  bounded.add(sum(-2, 1));
  assert.equal(bounded.solve(), 'infeasible');
});

test('LinearProgram.findFixed tells what the equations leave no choice about', () => {
  const program = LinearProgram.start(sum(0, 1, 1, 1));
  program.equate(sum(-10, 1, 1, 0));
  assert.equal(program.findFixed(sum(1, 2, 2, 0)), 21);
  assert.equal(program.findFixed(sum(0, 1, 0, 0)), undefined);
});

test('LinearProgram gives up when its work is used up', () => {
  assert.equal(
    LinearProgram.start(sum(0, 1, 1))
      .copy({ cells: 0 })
      .equate(sum(-10, 1, 1)),
    'gaveUp',
  );
});

test('LinearProgram never does worse than a solution that is known', () => {
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
          row.reduce((total, value, index) => total + value * solution[index]!, 0);
        const program = LinearProgram.start(sum(0, ...objective));
        for (const row of equations) assert.equal(program.equate(sum(-dot(row), ...row)), 'optimal');
        for (const row of inequalities) program.add(sum(-dot(row), ...row));
        assert.equal(program.solve(), 'optimal');
        assert.ok(program.value <= dot(objective) + 1e-6);
        const found = [...program.unknowns()].slice(1);
        const valueOf = (row: readonly number[]): number =>
          row.reduce((total, value, index) => total + value * found[index]!, -dot(row));
        assert.ok(equations.every((row) => Math.abs(valueOf(row)) < 1e-6));
        assert.ok(inequalities.every((row) => valueOf(row) > -1e-6));
      },
    ),
    { numRuns: 200 },
  );
});
