import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { type Storage, evictionMs, kinds, openHouse, run, turn, turnsUntil } from './harness.ts';
import { HeldDisk } from './held-disk.ts';

const many = Array.from({ length: 50 }, (_, index) => index);

for (const kind of kinds) {
  test(`InputGate, ${kind}, loses none of 50 concurrent read-modify-writes`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('counter', kind);
    const answers = await Promise.all(
      many.map(() =>
        run(stub, async ({ storage }) => {
          const value = (await storage.get<number>('value')) ?? 0;
          await storage.put('value', value + 1);
          return value + 1;
        }),
      ),
    );
    deepEqual(
      answers,
      many.map((index) => index + 1),
    );
  });

  test(`InputGate, ${kind}, loses none when every read must ask the disk`, async (t) => {
    const house = await openHouse(t, { limits: { cacheBytesMax: 0 } });
    await run(house.stub('counter', kind), ({ storage }) => storage.put('value', 0));
    await house.reopen();
    const stub = house.stub('counter', kind);
    await Promise.all(
      many.map(() =>
        run(stub, async ({ storage }) => {
          const listed = (await storage.list()) as Map<string, number>;
          const value = (await storage.get('value')) as number;
          await storage.delete('value');
          await storage.put('value', value + 1);
          equal(listed.get('value'), value);
        }),
      ),
    );
    equal(await run(stub, ({ storage }) => storage.get('value')), many.length);
  });

  test(`InputGate, ${kind}, lets events in while an object waits for a timer or for sync()`, async (t) => {
    const house = await openHouse(t);
    for (const wait of ['timer', 'sync'] as const) {
      const stub = house.stub(wait, kind);
      const calls = many.map(() =>
        run(stub, async ({ storage }) => {
          const value = (await storage.get<number>('value')) ?? 0;
          await storage.put('touched', true);
          if (wait === 'sync') await storage.sync();
          else await new Promise((resolve) => setTimeout(resolve, 1));
          await storage.put('value', value + 1);
        }),
      );
      await house.clock.advance(1);
      await Promise.all(calls);
      ok(((await run(stub, ({ storage }) => storage.get('value'))) as number) < many.length);
    }
  });
}

/** The sequence of events when another event arrives while a read waits for the disk. */
async function eventsDuringRead(
  t: Parameters<typeof openHouse>[0],
  read: (storage: Storage) => Promise<unknown>,
): Promise<string[]> {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  // Large, so that it has its own block, which waking the object does not read.
  await run(house.stub('cold', 'kv'), ({ storage }) => storage.put('key', 'x'.repeat(100_000)));
  await house.reopen();
  const stub = house.stub('cold', 'kv');
  await run(stub, () => {});
  disk.hold('reads');
  const events: string[] = [];
  const reader = run(stub, async ({ storage }) => {
    const answer = read(storage);
    events.push('asked');
    await answer;
    events.push('answered');
  });
  const other = run(stub, () => void events.push('other'));
  await turnsUntil(() => disk.held > 0);
  for (let turns = 0; turns < 10; turns++) await turn();
  disk.release();
  await Promise.all([reader, other]);
  return events;
}

for (const [name, read] of Object.entries({
  get: (storage: Storage, options?: object) => storage.get('key', options),
  list: (storage: Storage, options?: object) => storage.list(options),
  delete: (storage: Storage, options?: object) => storage.delete('key', options),
})) {
  test(`${name} keeps other events out while it waits for the disk`, async (t) => {
    deepEqual(await eventsDuringRead(t, (storage) => read(storage)), ['asked', 'answered', 'other']);
  });

  test(`${name} with allowConcurrency lets other events in while it waits for the disk`, async (t) => {
    const events = await eventsDuringRead(t, (storage) => read(storage, { allowConcurrency: true }));
    deepEqual(events, ['asked', 'other', 'answered']);
  });
}

test('get copies the value each time, put copies it at once', async (t) => {
  const house = await openHouse(t);
  for (const kind of kinds) {
    await run(house.stub('copies', kind), async ({ storage }) => {
      const value = { list: [1] };
      const written = storage.put('key', value);
      value.list.push(2);
      await written;
      const first = (await storage.get('key')) as typeof value;
      first.list.push(3);
      deepEqual(await storage.get('key'), { list: [1] });
    });
  }
});

test('events of one stub enter in the order they were sent', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('order');
  const seen: number[] = [];
  await Promise.all(many.map((index) => run(stub, () => void seen.push(index))));
  deepEqual(seen, many);
});

test('an evicted object reads its storage from cold', async (t) => {
  const house = await openHouse(t);
  for (const kind of kinds) {
    const stub = house.stub('evicted', kind);
    await run(stub, async (object) => {
      object.memory = 'lost';
      await object.storage.put('key', 'kept');
    });
    await house.clock.advance(evictionMs);
    deepEqual(await run(stub, async (object) => [object.memory, await object.storage.get('key')]), [
      undefined,
      'kept',
    ]);
  }
});
