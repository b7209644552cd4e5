import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import type { TokenUse } from '../objects/token-uses.ts';
import { TokenUseLog } from './token-use-log.ts';

test('TokenUseLog writes all changes of five minutes at once, and forgets deleted tokens', async () => {
  const clock = new VirtualClock({ start: 0 });
  const tokens = new Set(['a', 'b', 'old']);
  const written: [readonly TokenUse[], readonly string[]][] = [];
  const errors: unknown[] = [];
  let isFull = false;
  const log = await TokenUseLog.open({
    clock,
    hasToken: (id) => tokens.has(id),
    onError: (error) => errors.push(error),
    findStore: () => ({
      list: async () => [['old', 1]],
      record: async (uses, deleted) => {
        if (isFull) throw new Error('the disk is full');
        written.push([uses, deleted]);
      },
    }),
  });
  equal(log.find('old'), 1);
  for (let count = 0; count < 1_000; count++) log.note('a', count);
  log.note('b', 5);
  await clock.advance(299_999);
  deepEqual(written, []);
  await clock.advance(1);
  deepEqual(written, [
    [
      [
        ['a', 999],
        ['b', 5],
      ],
      [],
    ],
  ]);
  tokens.delete('old');
  isFull = true;
  log.note('a', 400_000);
  await clock.advance(400_000);
  equal(errors.length, 1);
  isFull = false;
  await log.write();
  deepEqual(written.at(-1), [[['a', 400_000]], []]);
  equal(log.find('old'), undefined);
});
