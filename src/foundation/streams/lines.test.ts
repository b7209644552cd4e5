import { deepEqual, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { Lines, readLines } from './lines.ts';

async function* cut(text: string, size: number): AsyncGenerator<string, void> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

test('readLines reads complete lines, however the text is cut', async () => {
  for (let size = 1; size < 12; size++)
    deepEqual(await Array.fromAsync(readLines(cut('one\n\ntwo\r\nthree', size))), ['one', '', 'two\r']);
});

test('readLines refuses a line that never ends', async () => {
  deepEqual(await Array.fromAsync(readLines(cut('abcd\nabcd\n', 3), 4)), ['abcd', 'abcd']);
  await rejects(Array.fromAsync(readLines(cut('abcdef', 3), 4)), /more than 4 characters/);
});

test('Lines cuts a long line into several, and keeps the rest', () => {
  const lines = new Lines(3);
  lines.add('abcdefgh\nxy\n');
  lines.add('z');
  const read = Array.from({ length: 5 }, () => lines.next());
  deepEqual([read, lines.rest()], [['abc', 'def', 'gh', 'xy', undefined], 'z']);
});
