import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from '#work';
import { Housekeeping } from './housekeeping.ts';

test('Housekeeping does nothing while it is held, by however many', async () => {
  const housekeeping = new Housekeeping();
  const told: string[] = [];
  const running = Promise.withResolvers<void>();
  const first = housekeeping.run(() => running.promise.then(() => void told.push('first')));
  const holds = Promise.all([housekeeping.hold(), housekeeping.hold()]).then((both) => {
    told.push('held');
    return both;
  });
  const second = housekeeping.run(async () => void told.push('second'));
  await nextTurn();
  deepEqual(told, []);
  running.resolve();
  const [one, other] = await holds;
  await first;
  one[Symbol.dispose]();
  await nextTurn();
  deepEqual(told, ['first', 'held']);
  other[Symbol.dispose]();
  await second;
  deepEqual(told, ['first', 'held', 'second']);
});
