import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { RelayTurns } from './relay-turns.ts';

const turnBytesMax = 1024 * 1024;

/** A turn ends when the test says so. */
function createTurns(): { readonly turns: RelayTurns; readonly end: () => boolean } {
  let ending: (() => void) | undefined;
  const turns = new RelayTurns((callback) => (ending = callback));
  const end = (): boolean => {
    const callback = ending;
    ending = undefined;
    callback?.();
    return callback !== undefined;
  };
  return { turns, end };
}

test('RelayTurns has room for a megabyte in a turn, and for as much in the next', () => {
  const { turns, end } = createTurns();
  equal(turns.spend(turnBytesMax - 1), true);
  equal(turns.spend(1), false);
  end();
  equal(turns.spend(1), true);
});

test('RelayTurns lets those that stopped go on in their order, as many in a turn as have room, and each once', () => {
  const { turns, end } = createTurns();
  const proceeded: number[] = [];
  const waiters = Array.from({ length: 40 }, (_, index) => () => void proceeded.push(index));
  for (const waiter of waiters) turns.await(waiter);
  turns.forget(waiters[1]!);
  const counts: number[] = [];
  while (end()) counts.push(proceeded.length);
  deepEqual(counts, [16, 32, 39]);
  deepEqual(
    proceeded,
    waiters
      .keys()
      .toArray()
      .filter((index) => index !== 1),
  );
});
