import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { type Pieces, runAtOnce, WorkTurns } from './work-turns.ts';

/** Turns that run when the test decides. */
function createTurns(): { readonly turns: WorkTurns; readonly take: () => void } {
  let next: (() => void) | undefined;
  const take = (): void => {
    const callback = next;
    next = undefined;
    callback?.();
  };
  return { turns: new WorkTurns({ onNextTurn: (callback) => (next = callback) }), take };
}

function* work(name: string, log: string[], steps: readonly number[]): Pieces<string> {
  for (const [index, each] of steps.entries()) {
    log.push(`${name}${index}`);
    yield each;
  }
  return name;
}

test('WorkTurns does as much in a turn as it may take, all work together, and gives each its turn', async () => {
  const { turns, take } = createTurns();
  const log: string[] = [];
  const large = turns.run(work('a', log, [600_000, 600_000, 5_000_000, 1]));
  const small = turns.run(work('b', log, [1_000, 999_000, 1]));
  const turnsOfLog: string[] = [];
  for (let before = -1; before !== log.length;) {
    before = log.length;
    take();
    turnsOfLog.push(log.slice(before).join(' '));
  }
  deepEqual(turnsOfLog, ['a0 a1', 'b0 b1', 'a2', 'b2 a3', '']);
  deepEqual(await Promise.all([large, small]), ['a', 'b']);
  deepEqual(turns.counts, { turns: 4, turnStepsMax: 5_000_000 });
});

test('WorkTurns rejects with what the work throws, and goes on with other work', async () => {
  const { turns, take } = createTurns();
  const failing = turns.run(
    (function* fail(): Pieces<void> {
      yield 1;
      throw new TypeError('no');
    })(),
  );
  const other = turns.run(work('b', [], [1]));
  take();
  await rejects(failing, { message: 'no' });
  equal(await other, 'b');
});

test('WorkTurns tells of the pieces of a turn, so that a watchdog can allow for them', async () => {
  const { turns, take } = createTurns();
  const log: string[] = [];
  const onTurn = (): Disposable => {
    log.push('begin');
    return { [Symbol.dispose]: () => log.push('end') };
  };
  const done = turns.run(work('a', log, [1_000_000, 1]), { onTurn });
  take();
  take();
  await done;
  deepEqual(log, ['begin', 'a0', 'end', 'begin', 'a1', 'end']);
});

test('runAtOnce returns what the work returns', () => {
  const log: string[] = [];
  equal(runAtOnce(work('a', log, [2_000_000, 2_000_000])), 'a');
  deepEqual(log, ['a0', 'a1']);
});
