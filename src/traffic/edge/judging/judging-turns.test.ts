import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { JudgingTurns } from './judging-turns.ts';
import { secondStepsMax, turnStepsMax } from './limits.ts';

/** Turns that the test controls. */
function createTurns(): {
  turns: JudgingTurns;
  clock: VirtualClock;
  judged: string[];
  send: (zone: string, steps: number) => boolean;
  takeTurn: () => boolean;
} {
  const clock = new VirtualClock({ start: 0 });
  const callbacks: (() => void)[] = [];
  const turns = new JudgingTurns({ clock, onNextTurn: (callback) => void callbacks.push(callback) });
  const judged: string[] = [];
  return {
    turns,
    clock,
    judged,
    /** True if the request was judged at once. */
    send: (zone, steps) => {
      const judge = (): void => {
        judged.push(zone);
        turns.charge(zone, steps);
      };
      return !(turns.run(zone, judge) instanceof Promise);
    },
    takeTurn: () => {
      const callback = callbacks.shift();
      callback?.();
      return callback !== undefined;
    },
  };
}

test('JudgingTurns judges cheap requests at once', () => {
  const { send, takeTurn } = createTurns();
  for (let i = 0; i < 100; i++) ok(send(`zone ${i % 3}`, turnStepsMax / 200));
  equal(takeTurn(), false);
});

test('JudgingTurns judges one costly request in a turn, and each zone in its turn', () => {
  const { send, takeTurn, judged, turns } = createTurns();
  equal(send('noisy', turnStepsMax), true);
  for (let i = 0; i < 3; i++) equal(send('noisy', turnStepsMax), false);
  equal(send('quiet', 10), false);
  deepEqual(judged, ['noisy']);
  // The request that was judged at once used this turn.
  takeTurn();
  deepEqual(judged, ['noisy']);
  takeTurn();
  deepEqual(judged, ['noisy', 'noisy']);
  // Among requests that arrive in between, only those of costly zones wait.
  equal(send('third', 10), true);
  equal(send('noisy', turnStepsMax), false);
  takeTurn();
  deepEqual(judged, ['noisy', 'noisy', 'third', 'quiet', 'noisy']);
  takeTurn();
  takeTurn();
  deepEqual(judged.slice(5), ['noisy', 'noisy']);
  takeTurn();
  equal(takeTurn(), false);
  equal(turns.counts.delayed, 5);
  ok(send('noisy', 1));
});

test('JudgingTurns leaves no two turns in a row to requests that have just arrived', () => {
  const { send, takeTurn, judged } = createTurns();
  const names = Array.from({ length: 6 }, (_, index) => `zone ${index}`);
  ok(send('first', turnStepsMax));
  equal(send('waiting', turnStepsMax), false);
  for (const name of names) {
    takeTurn();
    if (judged.includes('waiting')) break;
    // A zone that is not known to be costly yet.
    ok(send(name, turnStepsMax));
  }
  deepEqual(judged, ['first', 'zone 0', 'waiting']);
});

test('JudgingTurns holds a zone back that has more than its share of a second, and no other', async () => {
  const { send, takeTurn, judged, clock, turns } = createTurns();
  ok(send('quiet', 10));
  ok(send('noisy', secondStepsMax));
  takeTurn();
  equal(send('noisy', 1), false);
  equal(turns.counts.heldBack, 1);
  for (let i = 0; i < 5; i++) ok(send('quiet', 10));
  // No work is left until the second is over.
  while (takeTurn());
  equal(judged.filter((zone) => zone === 'noisy').length, 1);
  await clock.advance(1_000);
  takeTurn();
  equal(judged.filter((zone) => zone === 'noisy').length, 2);
  ok(send('noisy', 1));
});

test('JudgingTurns lets a zone have all steps while it is alone', () => {
  const { send, takeTurn, turns } = createTurns();
  for (let i = 0; i < 5; i++) {
    ok(send('only', secondStepsMax));
    takeTurn();
  }
  equal(turns.counts.heldBack, 0);
});

test('JudgingTurns passes on what judging throws', async () => {
  const { send, takeTurn, turns } = createTurns();
  send('zone', turnStepsMax);
  const failed = turns.run('zone', () => {
    throw new Error('a bug');
  });
  takeTurn();
  takeTurn();
  await rejects(async () => failed, /a bug/);
});
