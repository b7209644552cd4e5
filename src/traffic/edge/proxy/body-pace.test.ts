import { equal } from 'node:assert/strict';
import { test } from 'node:test';
import { BodyPace } from './body-pace.ts';

/** A pace whose deadline is a number, on a clock the test controls. */
function createPace(bytesPerSecondMin: number) {
  const state = { nowMs: 0, deadlineMs: Infinity };
  const pace = new BodyPace({
    watch: {
      within: (ms) => (state.deadlineMs = state.nowMs + ms),
      pause: () => (state.deadlineMs = Infinity),
      end: () => {},
    },
    idleMs: 10_000,
    bytesPerSecondMin,
    now: () => state.nowMs,
  });
  return { pace, state };
}

test('BodyPace takes the time that bytes need at the minimum rate', () => {
  const { pace, state } = createPace(100);
  pace.start();
  equal(state.deadlineMs, 10_000);
  state.nowMs = 8_000;
  // Ten seconds, minus eight that have passed, plus three for the bytes.
  pace.note(300);
  equal(state.deadlineMs, 13_000);
  // Never more than a whole pause.
  pace.note(1_000_000);
  equal(state.deadlineMs, 18_000);
});

test('BodyPace counts small pieces together', () => {
  const { pace, state } = createPace(100);
  pace.start();
  state.nowMs = 9_000;
  for (let index = 0; index < 255; index++) pace.note(1);
  equal(state.deadlineMs, 10_000);
  pace.note(1);
  equal(state.deadlineMs, 12_560);
});

test('BodyPace does not count time during which nobody reads', () => {
  const { pace, state } = createPace(100);
  pace.start();
  state.nowMs = 4_000;
  pace.pause();
  equal(state.deadlineMs, Infinity);
  state.nowMs = 100_000;
  pace.start();
  equal(state.deadlineMs, 106_000);
});

test('BodyPace without a minimum gives the whole pause for every progress', () => {
  const { pace, state } = createPace(0);
  pace.start();
  state.nowMs = 9_000;
  pace.note(256);
  equal(state.deadlineMs, 19_000);
});
