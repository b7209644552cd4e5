import { test } from 'node:test';
import { exploreRuntime } from './explorations.ts';

for (const seed of [1, 2, 3, 4]) {
  test(`Runtime loses nothing acknowledged and shows nothing half in any crash of a random run, seed ${seed}`, () =>
    exploreRuntime({ seed, states: 250 }));
}
