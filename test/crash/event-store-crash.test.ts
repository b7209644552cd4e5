import { test } from 'node:test';
import { exploreEventStore } from './explorations.ts';

for (const seed of [1, 2, 3]) {
  test(`EventStore loses nothing acknowledged in any crash of a random run, seed ${seed}`, () =>
    exploreEventStore({ seed, states: 100, againShare: 0.05, faults: false }));
  test(`EventStore shows nothing refused or erased in any crash of a run with disk faults, seed ${seed}`, () =>
    exploreEventStore({ seed, states: 100, againShare: 0.05, faults: true }));
}
