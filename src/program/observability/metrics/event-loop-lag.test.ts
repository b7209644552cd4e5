import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { EventLoopLag } from './event-loop-lag.ts';

test('EventLoopLag says the same to everybody who reads it, and goes on after a minute', () => {
  let nowMs = 0;
  let delayMs = 30;
  let resets = 0;
  const histogram = { percentile: () => delayMs * 1e6, reset: () => void resets++ };
  const lag = new EventLoopLag(histogram, () => nowMs);
  const seconds = (): number[] => lag.read().map(([, each]) => Math.round(each * 1_000) / 1_000);
  // Before the first minute is over, it covers the time so far.
  deepEqual(seconds(), [0.01, 0.01, 0.01]);
  deepEqual(seconds(), [0.01, 0.01, 0.01]);
  nowMs = 60_000;
  delayMs = 70;
  deepEqual(seconds(), [0.05, 0.05, 0.05]);
  // A second scraper, and the next scrape of the first, get the completed minute.
  delayMs = 20;
  for (const laterMs of [60_000, 75_000, 119_999]) {
    nowMs = laterMs;
    deepEqual(seconds(), [0.05, 0.05, 0.05]);
  }
  equal(resets, 1);
  nowMs = 120_000;
  deepEqual(seconds(), [0, 0, 0]);
});
