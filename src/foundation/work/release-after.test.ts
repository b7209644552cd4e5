import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { releaseAfter } from './release-after.ts';

async function* count(to: number): AsyncGenerator<number, void> {
  for (let item = 1; item <= to; item++) yield item;
}

test('releaseAfter releases once, at the end', async () => {
  let released = 0;
  const items = releaseAfter(count(2), () => released++);
  deepEqual(await Array.fromAsync(items), [1, 2]);
  await items.return?.();
  equal(released, 1);
});

test('releaseAfter releases when its reader gives up, before the first item as well', async () => {
  for (const read of [0, 1]) {
    let released = 0;
    const items = releaseAfter(count(2), () => released++);
    for (let item = 0; item < read; item++) await items.next();
    deepEqual(await items.return?.(), { done: true, value: undefined });
    equal(released, 1);
    deepEqual(await items.next(), { done: true, value: undefined });
  }
});

test('releaseAfter releases when the sequence fails, and rejects with its error', async () => {
  let released = 0;
  const items = releaseAfter(
    (async function* fail() {
      yield 1;
      throw new Error('damaged');
    })(),
    () => released++,
  );
  await items.next();
  await rejects(items.next(), /damaged/);
  equal(released, 1);
});
