import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { instancesPerRound } from './workflows-ledger.ts';
import { killWorkflows } from './workflows-kill-loop.ts';

test('Workflow runs no step again whose result was used, and loses none, when its process is killed again and again', async () => {
  const rounds = 2;
  const { instances, attempts, problems } = await killWorkflows({ seed: 3, rounds });
  deepEqual(problems, []);
  equal(instances, rounds * instancesPerRound);
  ok(attempts >= 7 * instances, `only ${attempts} attempts were noted`);
});
