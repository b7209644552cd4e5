import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Latencies } from './latencies.ts';
import { beatShare, commitsOf, hostsWithin, measured } from './model.ts';
import { type ScaleOptions, simulateScale } from './simulate-scale.ts';
import { TypedHeap } from './typed-heap.ts';

const small: ScaleOptions = {
  seed: 1,
  hosts: 50,
  databases: 4,
  objects: 50_000,
  activeShare: 0.1,
  callsPerSecond: 5_000,
  writeShare: 0.5,
  seconds: 60,
  failures: [
    { at: 5, kind: 'hosts', amount: 5 },
    { at: 30, kind: 'database', amount: 4 },
  ],
  placement: 'two-choices',
};

test('simulateScale spreads objects, waits for hosts that ended, and does the same again with the same seed', () => {
  const run = simulateScale(small);
  ok(run.hostBalance < 1.1, `${run.hostBalance}`);
  ok(run.databaseBalance < 1.05, `${run.databaseBalance}`);
  const [quiet, hosts, database] = run.phases;
  ok(quiet!.latencies.quantile(0.99) < 0.01);
  // Waiting calls wait for a lease, a heartbeat, and a retry.
  ok(hosts!.latencies.max > 2 && hosts!.latencies.max < 3.2, `${hosts!.latencies.max}`);
  ok(database!.latencies.max > 3.9 && database!.latencies.max < 5, `${database!.latencies.max}`);
  equal(simulateScale(small).trace, run.trace);
  equal(run.calls > 250_000, true);
});

test('simulateScale shows what happens when everybody chooses the host with the fewest objects', () => {
  const busy: ScaleOptions = {
    ...small,
    hosts: 100,
    objects: 200_000,
    activeShare: 0.2,
    callsPerSecond: 50_000,
    seconds: 20,
    failures: [{ at: 5, kind: 'hosts', amount: 10 }],
  };
  const fewest = simulateScale({ ...busy, placement: 'fewest' });
  const two = simulateScale(busy);
  ok(fewest.hostQueueMax > 2 * two.hostQueueMax, `${fewest.hostQueueMax} and ${two.hostQueueMax}`);
  ok(fewest.hostBalanceAfter > two.hostBalanceAfter);
});

test('the model of leases grows with the square of the hosts, once there are many', () => {
  const share = beatShare(measured, 2_000) / beatShare(measured, 1_000);
  ok(share > 3.5 && share <= 4);
  equal(beatShare(measured, hostsWithin(measured, 0.5)) <= 0.5, true);
  equal(beatShare(measured, hostsWithin(measured, 0.5) + 1) > 0.5, true);
  ok(commitsOf(measured, 100) < commitsOf(measured, 1));
});

test('TypedHeap gives back the earliest first, and Latencies the share that was asked for', () => {
  const heap = new TypedHeap();
  const times = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_003);
  for (const time of times) heap.push(time, time, -time);
  const popped = times.map(() => heap.pop());
  deepEqual(
    popped.map(({ value }) => value),
    times.toSorted((a, b) => a - b),
  );
  equal(popped[7]!.since, -popped[7]!.value);
  const latencies = new Latencies();
  for (let i = 1; i <= 1_000; i++) latencies.add(i / 1_000);
  ok(Math.abs(latencies.quantile(0.99) - 0.99) < 0.06, `${latencies.quantile(0.99)}`);
});
