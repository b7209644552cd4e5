import { test } from 'node:test';
import { exploreRuntime } from './explorations.ts';

for (const seed of [1, 2]) {
  test(`Runtime loses nothing acknowledged and shows nothing half in any crash of a random run, seed ${seed}`, () =>
    exploreRuntime({ seed, states: 80, againShare: 0, faults: false }));
}

test('Runtime shows nothing refused in any crash of a run with disk faults', () =>
  exploreRuntime({ seed: 3, states: 80, againShare: 0, faults: true }));

test('Runtime loses nothing acknowledged in any crash of a run on two hosts', () =>
  exploreRuntime({ seed: 4, states: 20, againShare: 0, faults: false, hosts: 2 }));
