import { test } from 'node:test';
import { exploreEventStore } from './explorations.ts';

test('EventStore loses nothing acknowledged in any crash of a random run', () =>
  exploreEventStore({ seed: 1, states: 40, againShare: 0.05, faults: false }));

test('EventStore shows nothing refused or erased in any crash of a run with disk faults', () =>
  exploreEventStore({ seed: 2, states: 40, againShare: 0.05, faults: true }));
