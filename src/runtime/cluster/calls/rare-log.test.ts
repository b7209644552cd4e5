import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { troubleEveryMs } from '../limits.ts';
import { RareLog } from './rare-log.ts';

test('RareLog says the same kind of trouble once in a while, and then how often there was more', () => {
  const said: string[] = [];
  let now = 0;
  const clock = { now: () => now, setTimer: () => ({ cancel: () => {} }) };
  const log = new RareLog((message) => said.push(message), clock);
  for (let i = 0; i < 3; i++) log.say('silent', 'host a was silent');
  log.say('broken', 'host b sent nonsense');
  now += troubleEveryMs;
  for (let i = 0; i < 2; i++) log.say('silent', 'host c was silent');
  deepEqual(said, [
    'host a was silent',
    'host b sent nonsense',
    'host c was silent (and 2 times more since it was last said)',
  ]);
});
