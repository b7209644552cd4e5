import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadinessCheck } from './readiness.ts';

test('ReadinessCheck is ready only while running, and only if the store answers', async () => {
  let probes = 0;
  const failures: unknown[] = [];
  const check = new ReadinessCheck({
    probe: async () => {
      probes++;
      throw new Error('gone');
    },
    onFailure: (_problem, error) => failures.push(error),
  });
  assert.deepEqual(await check.check(), { ready: false, reason: 'starting' });
  assert.equal(probes, 0);
  check.phase = 'running';
  assert.deepEqual(await check.check(), { ready: false, reason: 'the store does not answer' });
  // A second check immediately afterwards does not probe the store again.
  await check.check();
  assert.deepEqual([probes, failures.length], [1, 1]);
  check.phase = 'stopping';
  assert.deepEqual(await check.check(), { ready: false, reason: 'stopping' });
});

test('ReadinessCheck does not wait for a store that hangs', async () => {
  const failures: unknown[] = [];
  const check = new ReadinessCheck({
    probe: () => new Promise(() => {}),
    onFailure: (_problem, error) => failures.push(error),
    timeoutMs: 5,
  });
  check.phase = 'running';
  assert.equal((await check.check()).ready, false);
  assert.match(String(failures), /does not answer in time/);
});
