import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { type Probe, errorOf, kinds, openHouse, run, turn } from './harness.ts';

const timeoutText =
  'A call to blockConcurrencyWhile() in a Durable Object waited for too long. The call was canceled and the Durable Object was reset.';

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

test('blockConcurrencyWhile answers what its callback answers, which may be synchronous', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  equal(await run(stub, ({ state }) => state.blockConcurrencyWhile(() => 1)), 1);
  equal(await run(stub, ({ state }) => state.blockConcurrencyWhile(async () => await Promise.resolve(2))), 2);
});

test('blockConcurrencyWhile keeps other events out, but lets its own timers and results in', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  const events: string[] = [];
  const other = house.stub('b');
  const blocked = run(stub, async ({ state, storage }) => {
    await state.blockConcurrencyWhile(async () => {
      events.push('in');
      await sleep(5);
      await run(other, () => {});
      await storage.put('key', 1);
      await storage.sync();
      events.push('out');
    });
    events.push('behind');
  });
  const second = run(stub, () => void events.push('other'));
  await house.clock.advance(10);
  await Promise.all([blocked, second]);
  deepEqual(events, ['in', 'out', 'behind', 'other']);
});

test('blockConcurrencyWhile runs one section after the other, before events that waited longer', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  const events: string[] = [];
  const section = (object: Probe, name: string): Promise<void> =>
    object.state.blockConcurrencyWhile(async () => {
      events.push(`${name} in`);
      await sleep(5);
      events.push(`${name} out`);
    });
  const both = run(stub, async (object) => {
    await Promise.all([section(object, 'first'), section(object, 'second')]);
  });
  const event = run(stub, () => void events.push('event'));
  await house.clock.advance(20);
  await Promise.all([both, event]);
  deepEqual(events, ['first in', 'first out', 'second in', 'second out', 'event']);
});

for (const kind of kinds) {
  test(`blockConcurrencyWhile, ${kind}, that throws resets the object, without what it wrote in that turn`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('a', kind);
    await run(stub, ({ storage }) => storage.put('earlier', 1));
    let wentOn = false;
    const call = errorOf(
      run(stub, async ({ state, storage }) => {
        await storage.put('before', 1);
        try {
          const section = state.blockConcurrencyWhile(async () => {
            await storage.put('an earlier turn of its own', 1);
            await sleep(1);
            await storage.put('same turn', 1);
            throw new RangeError('no');
          });
          await storage.put('beside', 1);
          await section;
        } finally {
          wentOn = true;
        }
      }),
    );
    await house.clock.advance(1);
    const error = await call;
    equal(error instanceof RangeError, true);
    deepEqual([error.message, error['durableObjectReset'], wentOn], ['no', true, false]);
    const entries = await run(house.stub('a', kind), ({ storage }) => storage.list());
    deepEqual([...entries.keys()], ['an earlier turn of its own', 'before', 'beside', 'earlier']);
  });
}

test('blockConcurrencyWhile that throws synchronously resets, too', async (t) => {
  const house = await openHouse(t);
  const error = await errorOf(
    run(house.stub('a'), ({ state }) =>
      state.blockConcurrencyWhile(() => {
        throw new TypeError('at once');
      }),
    ),
  );
  deepEqual([error.message, error['durableObjectReset']], ['at once', true]);
});

test('blockConcurrencyWhile resets the object after 30 seconds', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  const call = errorOf(run(stub, ({ state }) => state.blockConcurrencyWhile(() => new Promise(() => {}))));
  const waiting = errorOf(run(stub, () => 'never'));
  await house.clock.advance(29_999);
  await turn();
  await house.clock.advance(1);
  for (const error of [await call, await waiting]) {
    deepEqual([error.message, error['overloaded'], error['durableObjectReset']], [timeoutText, true, true]);
  }
  equal(await run(house.stub('a'), () => 'fresh'), 'fresh');
});

test('blockConcurrencyWhile that waits for something started outside hangs until the limit', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  const call = errorOf(
    run(stub, async ({ state }) => {
      const outside = sleep(10);
      await state.blockConcurrencyWhile(() => outside);
    }),
  );
  await house.clock.advance(30_000);
  equal((await call).message, timeoutText);
});

test('blockConcurrencyWhile that calls its own object hangs until the limit', async (t) => {
  const house = await openHouse(t);
  const call = errorOf(
    run(house.stub('a'), ({ state }) => state.blockConcurrencyWhile(() => run(house.stub('a'), () => {}))),
  );
  await house.clock.advance(30_000);
  equal((await call).message, timeoutText);
});

const nestedTooDeeply = 'blockConcurrencyWhile() calls are nested too deeply.';

test('blockConcurrencyWhile nests 64 deep, and one more is an error that the innermost can catch', async (t) => {
  const house = await openHouse(t);
  const nest = (object: Probe, depth: number, last: () => Promise<unknown>): Promise<unknown> =>
    depth === 0 ? last() : object.state.blockConcurrencyWhile(() => nest(object, depth - 1, last));
  const caught = await run(house.stub('a'), (object) => {
    object.memory = 'kept';
    return nest(object, 64, async () => (await errorOf(nest(object, 1, async () => 'too deep'))).message);
  });
  equal(caught, nestedTooDeeply);
  equal(await run(house.stub('a'), ({ memory }) => memory), 'kept');
  // A section that does not catch it fails, which resets the object like any failure of a section.
  const error = await errorOf(run(house.stub('a'), (object) => nest(object, 65, async () => 'too deep')));
  deepEqual([error.message, error['durableObjectReset']], [nestedTooDeeply, true]);
});

for (const kind of kinds) {
  test(`transaction, ${kind}, nested past the limit is an error and no reset`, async (t) => {
    const house = await openHouse(t);
    const nest = ({ storage }: Probe, depth: number): Promise<unknown> =>
      depth === 0
        ? Promise.resolve('bottom')
        : storage.transaction(() => nest({ storage } as Probe, depth - 1));
    const error = await errorOf(
      run(house.stub('a', kind), (object) => {
        object.memory = 'kept';
        return nest(object, 65);
      }),
    );
    deepEqual([error.message, error['durableObjectReset']], [nestedTooDeeply, undefined]);
    equal(await run(house.stub('a', kind), ({ memory }) => memory), 'kept');
  });
}

test('blockConcurrencyWhile of a constructor holds events until it is done', async (t) => {
  const house = await openHouse(t);
  house.onConstruct('a', (object) => {
    void object.state.blockConcurrencyWhile(async () => {
      await sleep(100);
      object.memory = 'ready';
    });
  });
  const answer = run(house.stub('a'), ({ memory }) => memory);
  await house.clock.advance(100);
  equal(await answer, 'ready');
});

test('blockConcurrencyWhile refuses values that are no function', async (t) => {
  const house = await openHouse(t);
  const error = await errorOf(
    run(house.stub('a'), ({ state }) => state.blockConcurrencyWhile(undefined as never)),
  );
  equal(
    error.message,
    "Failed to execute 'blockConcurrencyWhile' on 'DurableObjectState': parameter 1 is not of type 'function'.",
  );
});

test('a cold read inside a critical section keeps the rest of the section waiting, not the world hanging', async (t) => {
  const house = await openHouse(t);
  await run(house.stub('cold', 'kv'), ({ storage }) => storage.put('key', 1));
  await house.reopen();
  const value = await run(house.stub('cold', 'kv'), ({ state, storage }) =>
    state.blockConcurrencyWhile(async () => [await storage.get('key'), await storage.delete('key')]),
  );
  deepEqual(value, [1, true]);
});
