import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { PendingCalls } from './pending-calls.ts';

test('PendingCalls gives each call the answer that names it, and ignores others', async () => {
  const calls = new PendingCalls<string>();
  const sent: number[] = [];
  const answers = [calls.call((id) => sent.push(id)), calls.call((id) => sent.push(id))];
  calls.answer(99, 'an answer without a call');
  calls.answer(sent[1]!, 'second');
  calls.answer(sent[0]!, 'first');
  calls.answer(sent[0]!, 'again');
  deepEqual(await Promise.all(answers), ['first', 'second']);
});

test('PendingCalls fails or answers the calls that are left when the other side ends', async () => {
  const calls = new PendingCalls<string>();
  const [one, other] = [calls.call(() => {}), calls.call(() => {})];
  calls.fail(1, new Error('refused'));
  calls.failAll(new Error('ended'));
  await rejects(one, /refused/);
  await rejects(other, /ended/);
  const left = calls.call(() => {});
  calls.answerAll('none');
  deepEqual(await left, 'none');
});
