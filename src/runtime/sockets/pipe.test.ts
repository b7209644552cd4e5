import { deepEqual } from 'node:assert/strict';
import { test } from 'node:test';
import { unreadBytesMax } from './limits.ts';
import { PipeEnd } from './pipe.ts';
import type { Receiver } from './transport.ts';

function listenTo(end: PipeEnd): unknown[] {
  const heard: unknown[] = [];
  const receiver: Receiver = {
    message: (data) => heard.push(typeof data === 'string' ? data : data.length),
    closed: (code, reason) => heard.push([code, reason]),
    lost: () => heard.push('lost'),
    failed: (error) => heard.push(error.message),
  };
  end.start(receiver);
  return heard;
}

test('PipeEnd keeps what arrives before somebody listens, in order', () => {
  const [one, two] = PipeEnd.createPair();
  one.send('a');
  one.send('b');
  one.close(1000, 'bye');
  deepEqual(listenTo(two), ['a', 'b', [1000, 'bye']]);
});

test('PipeEnd holds messages back while it is paused, and tells the sender', () => {
  const [one, two] = PipeEnd.createPair();
  const pressure: boolean[] = [];
  one.onPressure = (isFull) => pressure.push(isFull);
  const heard = listenTo(two);
  two.pause();
  one.send('a');
  one.send('b');
  deepEqual(heard, []);
  two.resume();
  deepEqual(heard, ['a', 'b']);
  deepEqual(pressure, [true, false]);
});

test('PipeEnd that is paused while it delivers keeps the rest', () => {
  const [one, two] = PipeEnd.createPair();
  for (const text of ['a', 'b', 'c']) one.send(text);
  const heard: string[] = [];
  two.start({
    message(data) {
      heard.push(data as string);
      two.pause();
    },
    closed() {},
    lost() {},
    failed() {},
  });
  deepEqual(heard, ['a']);
  two.resume();
  deepEqual(heard, ['a', 'b']);
  one.send('d');
  two.resume();
  two.resume();
  deepEqual(heard, ['a', 'b', 'c', 'd']);
});

test('PipeEnd loses both ends when more waits than a slow reader may hold', () => {
  const [one, two] = PipeEnd.createPair();
  const heard = listenTo(one);
  const part = new Uint8Array(unreadBytesMax / 4);
  for (let i = 0; i < 10; i++) one.send(part);
  deepEqual(heard, ['lost']);
  deepEqual(listenTo(two), ['lost']);
});

test('PipeEnd.cut is heard once, after what was sent before', () => {
  const [one, two] = PipeEnd.createPair();
  one.send('last words');
  one.cut();
  one.cut();
  one.send('too late');
  deepEqual(listenTo(two), ['last words', 'lost']);
  two.send('to nobody');
});
