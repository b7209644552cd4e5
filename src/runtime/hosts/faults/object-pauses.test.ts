import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import type { EndReason } from '#processes';
import { ObjectPauses } from './object-pauses.ts';

const id = 'ab'.repeat(32);
const minute = 60_000;

function endBy(object: string | undefined): EndReason {
  return {
    kind: 'statement',
    ms: 1_100,
    work: { ...(object === undefined ? {} : { object }), statement: 'SELECT 1' },
  };
}

test('ObjectPauses doubles the pause of an object that does it again, and starts over for one that has not for long', () => {
  const pauses = new ObjectPauses();
  const pause = (nowMs: number): number => pauses.note(endBy(`Room ${id} (the lobby)`), nowMs)!.forMs;
  deepEqual([pause(0), pause(1), pause(2), pause(3)], [10_000, 20_000, 40_000, 80_000]);
  for (let i = 0; i < 20; i++) pause(10);
  equal(pause(11), 10 * minute);
  equal(pause(12 + 30 * minute), 10_000);
});

test('ObjectPauses lists those whose time has not come, with what they did, and forgets all for other code', () => {
  const pauses = new ObjectPauses();
  pauses.note(endBy(`Room ${id}`), 0);
  pauses.note(endBy(`Room ${id}`), 0);
  // The pause begins when a process gets the list.
  const [paused] = pauses.list(5_000);
  deepEqual([paused!.className, paused!.id, paused!.forMs], ['Room', id, 20_000]);
  match(paused!.cause, /^its process had to be ended, for the 2. time in a row: .*statement SELECT 1/);
  equal(pauses.list(24_999)[0]!.forMs, 1);
  deepEqual(pauses.list(25_000), []);
  pauses.clear();
  equal(pauses.note(endBy(`Room ${id}`), 25_000)!.forMs, 10_000);
});

test('ObjectPauses blames nobody for an end that no object is known to have caused', () => {
  const pauses = new ObjectPauses();
  const reasons: EndReason[] = [
    endBy(undefined),
    endBy(`${'A'.repeat(990)} ${id.slice(0, 20)}`),
    { kind: 'signal', signal: 'SIGKILL', said: undefined },
    { kind: 'memory', bytes: 2, bytesMax: 1 },
  ];
  for (const reason of reasons) equal(pauses.note(reason), undefined);
  deepEqual(pauses.list(), []);
});
