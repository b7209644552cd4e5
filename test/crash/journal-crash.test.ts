import { test } from 'node:test';
import { exploreJournal } from './explorations.ts';

for (const seed of [1, 2, 3, 4, 5]) {
  test(`Journal loses nothing acknowledged in any crash of a random run, seed ${seed}`, () =>
    exploreJournal({ seed, states: 500, againShare: 0.1, faults: false }));
  test(`Journal shows nothing refused in any crash of a run with disk faults, seed ${seed}`, () =>
    exploreJournal({ seed, states: 500, againShare: 0.1, faults: true }));
}
