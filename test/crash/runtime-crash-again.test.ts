import { test } from 'node:test';
import { exploreRuntime } from './explorations.ts';

for (const seed of [4, 5]) {
  test(`Runtime survives a crash while it recovers from a crash, or soon after, seed ${seed}`, () =>
    exploreRuntime({ seed, states: 8, againShare: 1, faults: false }));
}
