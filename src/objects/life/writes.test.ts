import { deepEqual, equal, match } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { defaultLimits } from '../limits.ts';
import { Actor } from './actor.ts';

test('Writes that cannot be held, as on a full disk, are committed at once and reset the object if that fails, too', async () => {
  const ended: Actor[] = [];
  const actor = new Actor({
    clock: new VirtualClock(),
    limits: defaultLimits,
    scheduleCommit: () => {},
    onIdle: () => {},
    onEnd: (one) => ended.push(one),
    onEvent: () => {},
    onDisk: () => {},
    log: () => {},
  });
  const refuse = (): never => {
    throw new Error('database or disk is full');
  };
  const store = { commit: refuse, holdTurn: refuse, close: () => {} };
  await actor.start(
    async () => store,
    () => ({}),
  );
  actor.writes.before();
  equal(actor.writes.holdTurn(), false);
  actor.writes.commitTurn();
  match(actor.broken?.message ?? '', /could not be made durable: database or disk is full/);
  deepEqual(ended, [actor]);
});
