import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from './simulate.ts';

/** `npm run simulate` tries more. */
const seeds = 1_000;

test('a simulated cluster loses nothing, does nothing twice and answers nothing stale', async () => {
  let acknowledged = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const run = await simulate(seed);
    deepEqual(run.problems, [], `seed ${seed}`);
    acknowledged += run.acknowledged;
  }
  ok(acknowledged > 50 * seeds, `${acknowledged} answers`);
});

test('a simulated cluster finds a commit that is not fenced', async () => {
  notEqual((await simulate(90, 'no-fence')).problems.length, 0);
});

test('a simulated cluster finds a host that answers after its lease', async () => {
  notEqual((await simulate(8, 'no-deadline')).problems.length, 0);
});

test('a simulated cluster does the same again with the same seed', async () => {
  equal((await simulate(7)).trace, (await simulate(7)).trace);
});
