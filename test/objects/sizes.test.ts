import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { openHouse, run } from './harness.ts';

test('Runtime.sizes tells what each object takes in the journal, in images and in the tables', async (t) => {
  const house = await openHouse(t, {});
  const value = randomBytes(10_000);
  await run(house.stub('large', 'sql'), ({ storage }) => storage.put('key', value));
  await run(house.stub('small', 'sql'), ({ storage }) => storage.put('key', 1));
  await run(house.stub('pairs', 'kv'), ({ storage }) => storage.put('key', value));
  const sizes = new Map((await Array.fromAsync(house.runtime.sizes())).map((size) => [size.name, size]));
  deepEqual([...sizes.keys()].toSorted(), ['large', 'pairs', 'small']);
  ok(sizes.get('large')!.journalBytes > 10_000);
  ok(sizes.get('small')!.journalBytes < 10_000);
  ok(sizes.get('pairs')!.tableBytes > 10_000);
  equal(sizes.get('large')!.tableBytes, 0);
});

test('Runtime.giveBackHistory shortens history below the retention when it is asked to', async (t) => {
  const house = await openHouse(t, { segmentBytes: 64 * 1024 });
  const write = async (): Promise<void> => {
    for (let count = 0; count < 5; count++)
      await run(house.stub('busy'), ({ storage }) => storage.put('key', randomBytes(50_000)));
  };
  await write();
  await house.clock.advance(2 * 3_600_000);
  await write();
  equal(await house.runtime.giveBackHistory(), 0);
  ok((await house.runtime.giveBackHistory({ retentionMs: 3_600_000 })) > 0);
  const [size] = await Array.fromAsync(house.runtime.sizes());
  ok(size!.imageBytes > 50_000, 'its history starts with a snapshot');
  equal((await run(house.stub('busy'), ({ storage }) => storage.get<Buffer>('key')))!.length, 50_000);
});
