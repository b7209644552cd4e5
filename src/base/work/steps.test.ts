import { equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfSteps, spendSteps, StepBudget, suspectSteps } from './steps.ts';

test('StepBudget ends the work that uses it up, and charges nobody else', () => {
  const budget = new StepBudget(100);
  budget.run(() => spendSteps(60));
  equal(budget.spent, 60);
  spendSteps(1e12);
  equal(budget.spent, 60);
  let stepsDone = 0;
  throws(
    () =>
      budget.run(() => {
        for (;;) {
          spendSteps(10);
          stepsDone++;
        }
      }),
    OutOfSteps,
  );
  equal(stepsDone, 4);
  equal(budget.isUsedUp, true);
  equal(budget.spent, 100);
  throws(() => budget.run(() => 'more'), OutOfSteps);
});

test('StepBudget charges the budget of the innermost run', () => {
  const [outer, inner] = [new StepBudget(10), new StepBudget(10)];
  outer.run(() => {
    spendSteps(1);
    throws(() => inner.run(() => spendSteps(11)), OutOfSteps);
    spendSteps(1);
  });
  equal(outer.spent, 2);
});

test('StepBudget charges suspected work, never more than is suspected, until it is used up', () => {
  const budget = new StepBudget(1_000_000_000);
  budget.run(() => {
    for (let i = 0; i < 10; i++) suspectSteps(3_000_000);
  });
  ok(budget.spent <= 30_000_000);
  const busy = new StepBudget(10_000_000);
  throws(
    () =>
      busy.run(() => {
        // Ends once the clock has gone on for long enough, however fast the machine is.
        for (;;) suspectSteps(3_000_000);
      }),
    OutOfSteps,
  );
});
