import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import type { SteadyClock } from './control-cluster.ts';
import { DirectoryLease } from './directory-lease.ts';
import { directoryUseMs } from './limits.ts';

class Bench {
  nowMs = 0;
  /** The pending answers to calls, in order. */
  readonly questions: PromiseWithResolvers<void>[] = [];
  readonly clock: SteadyClock = {
    now: () => this.nowMs,
    setTimer: () => ({ cancel: () => {} }),
  };
  readonly lease = new DirectoryLease(this.clock, () => {
    const question = Promise.withResolvers<void>();
    this.questions.push(question);
    return question.promise;
  });
}

test('DirectoryLease counts from before it asked, also while the process was stopped', async () => {
  const bench = new Bench();
  equal(bench.lease.holds, false);
  const asked = bench.lease.ensure();
  bench.nowMs = 1_500;
  bench.questions[0]!.resolve();
  await asked;
  equal(bench.lease.holds, true);
  equal(bench.lease.ensure(), undefined);
  bench.nowMs = directoryUseMs;
  equal(bench.lease.holds, false);
});

test('DirectoryLease asks again for whoever comes while a question is under way, once for all of them', async () => {
  const { lease, questions } = new Bench();
  const done: string[] = [];
  const first = lease.renew().then(() => done.push('first'));
  const others = [lease.renew(), lease.renew()].map((each) => each.then(() => done.push('other')));
  equal(questions.length, 1);
  questions[0]!.resolve();
  await first;
  deepEqual(done, ['first']);
  equal(questions.length, 2);
  questions[1]!.resolve();
  await Promise.all(others);
  deepEqual(done, ['first', 'other', 'other']);
});

test('DirectoryLease does not hold after a question that failed, and asks again', async () => {
  const { lease, questions } = new Bench();
  const failing = lease.renew();
  questions[0]!.reject(new Error('away'));
  await rejects(failing, /away/);
  equal(lease.holds, false);
  const again = lease.renew();
  questions[1]!.resolve();
  await again;
  equal(lease.holds, true);
});
