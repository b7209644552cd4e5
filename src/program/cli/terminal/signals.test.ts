import { deepEqual, equal } from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { waitForSignal } from './signals.ts';

test('waitForSignal resolves at the first signal and ends the process at the second', async () => {
  const source = new EventEmitter();
  const codes: number[] = [];
  const signal = waitForSignal({ source, repeatMs: 0, exit: (code) => codes.push(code) });
  source.emit('SIGTERM', 'SIGTERM');
  equal(await signal, 'SIGTERM');
  deepEqual(codes, []);
  source.emit('SIGINT', 'SIGINT');
  deepEqual(codes, [1]);
});

test('waitForSignal takes one key press that arrives twice, from the terminal and from npm, for one signal', async () => {
  const source = new EventEmitter();
  const codes: number[] = [];
  let nowMs = 1_000;
  const signal = waitForSignal({
    source,
    repeatMs: 500,
    now: () => nowMs,
    exit: (code) => codes.push(code),
  });
  source.emit('SIGINT', 'SIGINT');
  nowMs += 499;
  source.emit('SIGINT', 'SIGINT');
  equal(await signal, 'SIGINT');
  deepEqual(codes, []);
  nowMs += 1;
  source.emit('SIGINT', 'SIGINT');
  deepEqual(codes, [1]);
});
