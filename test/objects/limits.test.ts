import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { relaxedLimits } from '#objects';
import { type Storage, errorOf, kinds, openHouse, run } from './harness.ts';

const longKey = 'k'.repeat(2_049);
const manyKeys = Array.from({ length: 129 }, (_, index) => `key ${index}`);
const manyEntries = Object.fromEntries(manyKeys.map((key) => [key, 1]));

const keyText = 'Keys cannot be larger than 2048 bytes. A key of size 2049 was provided.';
const pairsText = 'Maximum number of key value pairs is 128. 129 pairs were provided.';

for (const kind of kinds) {
  test(`limits, ${kind}, are enforced with a RangeError on get, put and delete`, async (t) => {
    const house = await openHouse(t);
    const texts = async (operation: (storage: Storage) => unknown): Promise<string> => {
      const error = await errorOf(
        run(house.stub('a', kind), async ({ storage }) => await operation(storage)),
      );
      equal(error instanceof RangeError, true);
      return error.message;
    };
    for (const operation of [
      (storage: Storage) => storage.get(longKey),
      (storage: Storage) => storage.get(['short', longKey]),
      (storage: Storage) => storage.put(longKey, 1),
      (storage: Storage) => storage.put({ short: 1, [longKey]: 1 }),
      (storage: Storage) => storage.delete(longKey),
      (storage: Storage) => storage.delete(['short', longKey]),
      (storage: Storage) => storage.transaction(async (txn) => await txn.put(longKey, 1)),
    ]) {
      equal(await texts(operation), keyText);
    }
    for (const operation of [
      (storage: Storage) => storage.get(manyKeys),
      (storage: Storage) => storage.put(manyEntries),
      (storage: Storage) => storage.delete(manyKeys),
    ]) {
      equal(await texts(operation), pairsText);
    }
    const value = 'v'.repeat(131_072 + 34);
    for (const operation of [
      (storage: Storage) => storage.put('key', value),
      (storage: Storage) => storage.put({ short: 1, key: value }),
    ]) {
      ok(
        /^Values cannot be larger than 131072 bytes\. A value of size 1311\d\d was provided\.$/.test(
          await texts(operation),
        ),
      );
    }
    deepEqual(await run(house.stub('a', kind), ({ storage }) => storage.list()), new Map());
  });

  test(`limits, ${kind}, let exactly the documented sizes pass`, async (t) => {
    const house = await openHouse(t);
    const keys = manyKeys.slice(0, 128);
    const value = new Uint8Array(131_072);
    const counts = await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('k'.repeat(2_048), value);
      // 682 characters of three bytes each, and two more bytes.
      await storage.put(`${'\u20ac'.repeat(682)}ab`, 1);
      await storage.put(Object.fromEntries(keys.map((key) => [key, 1])));
      const got = await storage.get(keys);
      return [
        got.size,
        await storage.delete(keys),
        ((await storage.get('k'.repeat(2_048))) as Uint8Array).length,
      ];
    });
    deepEqual(counts, [128, 128, 131_072]);
    const error = await errorOf(
      run(house.stub('a', kind), ({ storage }) => storage.put(`${'\u20ac'.repeat(682)}abc`, 1)),
    );
    equal(error.message, keyText);
  });

  test(`relaxedLimits, ${kind}, let through what a lax local runtime did`, async (t) => {
    const house = await openHouse(t, { limits: relaxedLimits, segmentBytes: 16 * 1024 * 1024 });
    const key = 'k'.repeat(20_000);
    const value = 'v'.repeat(1_000_000);
    const found = await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put({ ...manyEntries, [key]: value });
      return [(await storage.get(manyKeys)).size, await storage.get(key)];
    });
    deepEqual(found, [129, value]);
    await house.reopen({ limits: relaxedLimits });
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get(key)), value);
  });
}

test('limits of storage.kv are the same', async (t) => {
  const house = await openHouse(t);
  for (const operation of [
    (storage: Storage) => storage.kv.get(longKey),
    (storage: Storage) => storage.kv.put(longKey, 1),
    (storage: Storage) => storage.kv.delete(longKey),
  ]) {
    equal((await errorOf(run(house.stub('a'), ({ storage }) => operation(storage)))).message, keyText);
  }
  const error = await errorOf(
    run(house.stub('a'), ({ storage }) => storage.kv.put('key', 'v'.repeat(140_000))),
  );
  ok(error instanceof RangeError && error.message.startsWith('Values cannot be larger than 131072 bytes.'));
});

test('createRuntime refuses limits that cannot be kept', async (t) => {
  const house = await openHouse(t);
  await house.runtime.close();
  for (const limits of [{ keyBytesMax: -1 }, { pairsMax: Number.NaN }, { keyBytesMax: 1e9 }]) {
    equal((await errorOf(house.reopen({ limits }))).name, 'RangeError');
  }
  await house.reopen();
});
