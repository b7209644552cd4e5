import { deepEqual, equal, ok, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { OutOfSteps, runUncharged, shareSteps, spendSteps, StepBudget, suspectSteps } from './steps.ts';

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
  equal(budget.exceeded, 'steps');
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
        // Ends once enough time has passed, however fast the machine is.
        for (;;) suspectSteps(3_000_000);
      }),
    OutOfSteps,
  );
});

test('StepBudget ends work whose steps take too long, and reads no clock for work that is small', () => {
  let [cpuMs, looks] = [0, 0];
  const readCpuMs = (): number => {
    looks++;
    return cpuMs;
  };
  const small = new StepBudget(20_000_000, { cpuMsMax: 50, readCpuMs });
  small.run(() => spendSteps(150_000));
  equal(looks, 0);
  const slow = new StepBudget(20_000_000, { cpuMsMax: 50, readCpuMs });
  throws(
    () =>
      slow.run(() => {
        // 10 ms for every 100,000 steps.
        for (;;) {
          spendSteps(100_000);
          cpuMs += 10;
        }
      }),
    OutOfSteps,
  );
  equal(slow.exceeded, 'time');
  // The first reading only sets the starting point.
  equal(slow.spent, 900_000);
  equal(looks, 3);
  throws(() => slow.run(() => 'more'), OutOfSteps);
});

test('StepBudget charges the same steps with and without a limit of CPU time, however they are cut', () => {
  const limits = [{}, { cpuMsMax: 1e9 }];
  for (const sizes of [[1], [199_999, 2], [350_000], [1_000_000, 7]]) {
    const spent = limits.map((options) => {
      const budget = new StepBudget(10_000_000, options);
      budget.run(() => sizes.forEach(spendSteps));
      budget.run(() => sizes.forEach(spendSteps));
      return budget.spent;
    });
    equal(spent[0], 2 * sizes.reduce((sum, size) => sum + size, 0));
    equal(spent[1], spent[0]);
  }
});

test('shareSteps ends the whole run when its work takes more than its share, and says how much that was', () => {
  for (const cpuMsMax of [Infinity, 50]) {
    const budget = new StepBudget(1_000_000, { cpuMsMax, readCpuMs: () => 0 });
    budget.run(() => {
      spendSteps(300_000);
      equal(
        shareSteps(250_000, () => (spendSteps(250_000), 'done')),
        'done',
      );
    });
    deepEqual([budget.spent, budget.exceeded], [550_000, undefined]);
    throws(
      () =>
        budget.run(() => {
          try {
            // A nested share also counts, but grants no more than the outer one has.
            shareSteps(200_000, () => shareSteps(300_000, () => spendSteps(200_001)));
          } finally {
            throws(() => spendSteps(1), OutOfSteps);
          }
        }),
      OutOfSteps,
    );
    deepEqual([budget.exceeded, budget.exceededSteps], ['steps', 200_000]);
  }
});

test('shareSteps gives no more than the budget has, and has no bound outside of one', () => {
  const budget = new StepBudget(1_000);
  throws(() => budget.run(() => shareSteps(5_000, () => spendSteps(1_001))), OutOfSteps);
  deepEqual([budget.exceeded, budget.exceededSteps], ['steps', 1_000]);
  equal(
    shareSteps(1, () => (spendSteps(1e12), 'done')),
    'done',
  );
  const kept = new StepBudget(1_000);
  throws(
    () =>
      kept.run(() =>
        shareSteps(10, () => {
          throw new Error('of its own');
        }),
      ),
    /of its own/,
  );
  kept.run(() => spendSteps(1_000));
  equal(kept.exceeded, undefined);
});

test('runUncharged does work that counts neither as steps nor as CPU time of the budget that runs', () => {
  let cpuMs = 0;
  const budget = new StepBudget(1_000_000, { cpuMsMax: 50, readCpuMs: () => cpuMs });
  budget.run(() => {
    spendSteps(250_000);
    const made = runUncharged(() => {
      spendSteps(1e9);
      cpuMs += 1_000;
      return 'made';
    });
    equal(made, 'made');
    spendSteps(250_000);
  });
  equal(budget.spent, 500_000);
  equal(budget.exceeded, undefined);
});
