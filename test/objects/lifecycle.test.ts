import { deepEqual, equal, notEqual, ok } from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { test } from 'node:test';
import { createRuntime } from '#objects';
import {
  Probe,
  type Stub,
  abort,
  errorOf,
  evictionMs,
  kinds,
  openHouse,
  run,
  temporaryDirectory,
  turn,
} from './harness.ts';

for (const kind of kinds) {
  test(`abort, ${kind}, ends everything at once: callers get the reason, what was not committed is gone`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('a', kind);
    let wentOn = false;
    const hanging = errorOf(run(stub, () => new Promise(() => {})));
    const aborting = errorOf(
      run(stub, async ({ state, storage }) => {
        await storage.put('saved', 1);
        await storage.sync();
        await storage.put('lost', 1);
        try {
          state.abort('enough');
        } finally {
          await Promise.resolve();
          wentOn = await storage.get('saved').then(
            () => true,
            () => false,
          );
        }
      }),
    );
    for (const error of await Promise.all([hanging, aborting])) {
      deepEqual([error.message, error['durableObjectReset'], error['remote']], ['enough', true, undefined]);
    }
    notEqual(await hanging, await aborting);
    equal(wentOn, false);
    deepEqual([...(await run(house.stub('a', kind), ({ storage }) => storage.list())).keys()], ['saved']);
  });

  test(`an object that is put away, ${kind}, loses its memory, not its storage`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('a', kind);
    await run(stub, async (object) => {
      object.memory = 1;
      await object.storage.put('key', 2);
    });
    await house.clock.advance(9_000);
    equal(await run(stub, (object) => object.memory), 1);
    await house.clock.advance(9_000);
    equal(await run(stub, (object) => object.memory), 1);
    await house.clock.advance(evictionMs);
    deepEqual(await run(stub, async (object) => [object.memory, await object.storage.get('key')]), [
      undefined,
      2,
    ]);
  });

  test(`code that runs after its object was reset, ${kind}, can neither read nor write its storage`, async (t) => {
    const house = await openHouse(t);
    const gate = Promise.withResolvers<void>();
    let late: Promise<unknown[]> | undefined;
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('key', 'first');
      late = gate.promise.then(async () => [
        (await errorOf(storage.put('key', 'late'))).message,
        (await errorOf(storage.get('key'))).message,
        (await errorOf(() => storage.deleteAll())).message,
      ]);
    });
    await house.clock.advance(evictionMs);
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get('key')), 'first');
    gate.resolve();
    const text = 'Durable Object storage is no longer accessible.';
    deepEqual(await late, [text, text, text]);
    await house.reopen();
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get('key')), 'first');
  });
}

test('abort without a reason says so; a reason is made text', async (t) => {
  const house = await openHouse(t);
  const abortWith = async (reason?: unknown): Promise<string> =>
    (await errorOf(run(house.stub('a'), ({ state }) => state.abort(reason as string)))).message;
  equal(await abortWith(), 'Application called abort() to reset Durable Object.');
  equal(await abortWith(new TypeError('x')), 'TypeError: x');
});

test('a stub that saw its object break stays broken, a new one works', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await abort(stub, 'first');
  for (let calls = 0; calls < 2; calls++) {
    const error = await errorOf(run(stub, () => {}));
    deepEqual([error.message, error['durableObjectReset']], ['first', true]);
  }
  equal(await run(house.stub('a'), () => 'new'), 'new');
  equal((await errorOf(run(stub, () => {}))).message, 'first');
});

test('a constructor that throws fails its callers; the next stub constructs anew', async (t) => {
  const house = await openHouse(t);
  let lives = 0;
  house.onConstruct('a', () => {
    lives++;
    if (lives === 1) throw new RangeError('not yet');
  });
  const stub = house.stub('a');
  for (const error of await Promise.all([errorOf(run(stub, () => {})), errorOf(run(stub, () => {}))])) {
    deepEqual(
      [error instanceof RangeError, error.message, error['durableObjectReset']],
      [true, 'not yet', true],
    );
  }
  equal(await run(house.stub('a'), () => lives), 2);
});

test('what a constructor or a section throws need not be an ordinary error', async (t) => {
  const house = await openHouse(t);
  const thrown: ReadonlyArray<[unknown, string]> = [
    [Object.freeze(new TypeError('frozen')), 'frozen'],
    ['text', 'text'],
    [Object.create(null), '#<Object>'],
    [undefined, 'undefined'],
  ];
  for (const [index, [value, message]] of thrown.entries()) {
    house.onConstruct(`constructor ${index}`, () => {
      throw value;
    });
    const calls = [
      run(house.stub(`constructor ${index}`), () => {}),
      run(house.stub(`section ${index}`), ({ state }) =>
        state.blockConcurrencyWhile(() => {
          throw value;
        }),
      ),
    ];
    for (const error of await Promise.all(calls.map(errorOf))) {
      deepEqual([error.message, error['durableObjectReset']], [message, true]);
    }
  }
});

test('a constructor may write; what it blocks for and throws is an error of its callers', async (t) => {
  const house = await openHouse(t);
  house.onConstruct('a', ({ storage }) => void storage.put('constructed', true));
  equal(await run(house.stub('a'), ({ storage }) => storage.get('constructed')), true);
  house.onConstruct('b', ({ state }) => {
    void state.blockConcurrencyWhile(async () => {
      await turn();
      throw new TypeError('in the section');
    });
  });
  const error = await errorOf(run(house.stub('b'), () => {}));
  deepEqual([error.message, error['durableObjectReset']], ['in the section', true]);
});

test('waitUntil keeps the object awake until the promise settles; a rejection is only logged', async (t) => {
  const log: string[] = [];
  const house = await openHouse(t, { log: (message) => log.push(message) });
  const gate = Promise.withResolvers<void>();
  const stub = house.stub('a');
  equal(
    await run(stub, (object) => {
      object.memory = 1;
      return object.state.waitUntil(gate.promise);
    }),
    undefined,
  );
  await house.clock.advance(10 * evictionMs);
  equal(await run(stub, (object) => object.memory), 1);
  gate.reject(new Error('logged'));
  await house.clock.advance(evictionMs);
  equal(await run(stub, (object) => object.memory), undefined);
  deepEqual(log, ['a promise given to waitUntil() was rejected']);
});

test('timers and Date of an object obey the virtual clock', async (t) => {
  const house = await openHouse(t);
  const start = house.clock.now();
  const fired: number[] = [];
  await run(house.stub('a'), () => {
    setTimeout((value: number) => fired.push(value, Date.now() - start), 5_000, 7);
    clearTimeout(setTimeout(() => fired.push(-1), 1_000));
    const interval = setInterval(() => {
      fired.push(new Date().getTime() - start);
      if (fired.length >= 3) clearInterval(interval);
    }, 2_000);
  });
  await house.clock.advance(1_999);
  deepEqual(fired, []);
  await house.clock.advance(60_000);
  deepEqual(fired, [2_000, 4_000, 7, 5_000, 6_000]);
});

test('a timer of an object is a Timeout as in workerd with Node compatibility, and its number clears it', async (t) => {
  const house = await openHouse(t);
  const fired: string[] = [];
  const shown = await run(house.stub('a'), () => {
    const timer = setTimeout(() => fired.push('refreshed'), 1_000);
    const shown = [
      timer.constructor.name,
      typeof +timer,
      timer.unref() === timer,
      timer.hasRef(),
      timer.ref().hasRef(),
    ];
    clearTimeout(+setTimeout(() => fired.push('cleared by its number'), 1_000));
    clearTimeout(String(+setTimeout(() => fired.push('not cleared by a text'), 1_000)));
    setTimeout(() => fired.push('closed'), 1_000).close();
    setTimeout(() => fired.push('disposed'), 1_000)[Symbol.dispose]();
    const interval = setInterval(() => {
      fired.push('interval');
      clearTimeout(interval);
    }, 2_000).unref();
    setTimeout(() => timer.refresh(), 500);
    setTimeout(() => timer.refresh(), 5_000);
    return shown;
  });
  deepEqual(shown, ['Timeout', 'number', true, false, true]);
  await house.clock.advance(60_000);
  deepEqual(fired, ['not cleared by a text', 'refreshed', 'interval', 'refreshed']);
});

test('a timer keeps its object awake; it is gone when the object is reset', async (t) => {
  const house = await openHouse(t);
  let fired = 0;
  const arm = (object: Probe): void => {
    object.memory = 1;
    setTimeout(() => fired++, 60_000);
  };
  await run(house.stub('a'), arm);
  await house.clock.advance(30_000);
  equal(await run(house.stub('a'), (object) => object.memory), 1);
  await abort(house.stub('a'));
  await house.clock.advance(60_000);
  equal(fired, 0);
});

test('a timer that throws is logged; one that aborts resets its object; neither ends the process', async (t) => {
  const log: string[] = [];
  const house = await openHouse(t, { log: (message) => log.push(message) });
  await run(house.stub('a'), (object) => {
    object.memory = 1;
    setTimeout(() => {
      throw new Error('nobody waits for this');
    }, 1_000);
    setTimeout(() => object.state.abort(), 2_000);
  });
  await house.clock.advance(1_000);
  deepEqual(
    [await run(house.stub('a'), (object) => object.memory), log],
    [1, ['a timer of an object threw an error']],
  );
  await house.clock.advance(1_000);
  equal(await run(house.stub('a'), (object) => object.memory), undefined);
  equal(log.length, 1);
});

test('a constructor that aborts and catches it has ended its life all the same', async (t) => {
  const house = await openHouse(t);
  house.onConstruct('a', ({ state }) => {
    house.onConstruct('a', () => {});
    try {
      state.abort('not like this');
    } catch {
      // As if nothing had happened.
    }
  });
  equal((await errorOf(run(house.stub('a'), () => 1))).message, 'not like this');
  await run(house.stub('a'), ({ storage }) => storage.put('key', 1));
  // If the first life were evicted when idle, it would remove the ledger of the second.
  await house.clock.advance(evictionMs / 2);
  await run(house.stub('a'), ({ storage }) => storage.put('key', 2));
  await house.clock.advance(evictionMs / 2);
  const history = house.runtime.history(house.stub('a').id);
  await run(house.stub('a'), ({ storage }) => storage.put('key', 3));
  equal((await history.points()).length, 3);
});

test('an object that is reset while it wakes leaves the next life alone', async (t) => {
  const house = await openHouse(t);
  await run(house.stub('a'), ({ storage }) => storage.put('key', 1));
  const classes = { sql: { class: Probe, storage: 'sql' as const } };
  for (let round = 0; round < 20; round++) {
    await house.clock.advance(evictionMs);
    const replaced = house.runtime.replaceClasses(classes);
    for (let turns = 0; turns < round; turns++) await Promise.resolve();
    const waking = run(house.stub('a'), ({ storage }) => storage.get('key')).catch(() => {});
    await replaced;
    equal(await run(house.stub('a'), ({ storage }) => storage.get('key')), 1);
    await waking;
  }
});

test('replaceClasses resets every object and says why', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(stub, ({ storage }) => storage.put('key', 1));
  const hanging = errorOf(run(stub, () => new Promise(() => {})));
  await turn();
  await house.runtime.replaceClasses({ sql: { class: Probe, storage: 'sql' } });
  const error = await hanging;
  deepEqual(
    [error.message, error['durableObjectReset']],
    ['Durable Object reset because its code was updated.', true],
  );
  equal(await run(house.stub('a'), ({ storage }) => storage.get('key')), 1);
});

test('close saves what was acknowledged while objects keep writing, and fails calls in progress', async (t) => {
  const directory = temporaryDirectory(t);
  const options = {
    directory,
    classes: { sql: { class: Probe, storage: 'sql' as const }, kv: { class: Probe } },
    log: () => {},
  };
  let runtime = await createRuntime(options);
  const acknowledged = { sql: 0, kv: 0 };
  const writers = kinds.map((kind) =>
    errorOf(
      run(runtime.namespace(kind).getByName('a'), async ({ storage }) => {
        for (;;) {
          await storage.put('count', acknowledged[kind] + 1);
          await storage.sync();
          acknowledged[kind]++;
        }
      }),
    ),
  );
  while (acknowledged.sql < 5 || acknowledged.kv < 5) await turn();
  await runtime.close();
  for (const error of await Promise.all(writers)) {
    equal(error.message, 'cannot reach the object: its runtime was closed');
  }
  const before = { ...acknowledged };
  runtime = await createRuntime(options);
  const counts = await Promise.all(
    kinds.map((kind) =>
      run(runtime.namespace(kind).getByName('a'), ({ storage }) => storage.get<number>('count')),
    ),
  );
  await runtime.close();
  for (const [index, kind] of kinds.entries()) {
    const count = counts[index]!;
    const least = before[kind];
    ok(count >= least && count <= least + 1, `${kind}: ${count} after ${least} were acknowledged`);
  }
});

test('close is final: it can be called twice, and stubs say so', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(stub, ({ storage }) => storage.put('key', 1));
  const unused = house.stub('b');
  await Promise.all([house.runtime.close(), house.runtime.close()]);
  for (const one of [stub, unused]) {
    equal((await errorOf(run(one, () => {}))).message, 'cannot reach the object: its runtime was closed');
  }
  await house.reopen();
});

for (const kind of kinds) {
  test(`list, ${kind}, sees keys that come and go, also while an earlier list is on its way`, async (t) => {
    const house = await openHouse(t);
    const seen = await run(house.stub('a', kind), async ({ storage }) => {
      const answers: unknown[] = [];
      const list = async (): Promise<void> => void answers.push(Object.fromEntries(await storage.list()));
      await storage.put('a', 1);
      // The first list has to read the tables; a key that is added meanwhile is for the next one.
      const first = list();
      void storage.put('b', 2);
      await first;
      await list();
      await storage.put('b', 3);
      await list();
      const early = list();
      void storage.put('c', 4);
      await early;
      await list();
      void storage.delete('a');
      await list();
      await storage.transaction(async (txn) => {
        await txn.put('d', 5);
        answers.push(Object.fromEntries(await txn.list()));
        txn.rollback();
      });
      await list();
      await storage.put('c', 6, { noCache: true });
      await storage.sync();
      await list();
      await storage.deleteAll();
      await list();
      return answers;
    });
    deepEqual(seen, [
      { a: 1 },
      { a: 1, b: 2 },
      { a: 1, b: 3 },
      { a: 1, b: 3 },
      { a: 1, b: 3, c: 4 },
      { b: 3, c: 4 },
      { b: 3, c: 4, d: 5 },
      { b: 3, c: 4 },
      { b: 3, c: 6 },
      {},
    ]);
  });
}

test('an object that sleeps leaves its file without a handle, and closing the runtime leaves nothing', async (t) => {
  const house = await openHouse(t);
  const live = (): string[] => readdirSync(`${house.directory}/live`);
  await run(house.stub('a'), ({ storage }) => storage.put('key', 1));
  // Only an open database has a write-ahead log.
  deepEqual(live().map(extname).sort(), ['.sqlite', '.sqlite-wal']);
  await house.clock.advance(evictionMs);
  deepEqual(live().map(extname), ['.sqlite']);
  await house.runtime.close();
  deepEqual(live(), []);
});

test('an SQL object wakes with all its pages, whether it is small, large, or smaller than it was', async (t) => {
  const house = await openHouse(t);
  const stub = (): Stub => house.stub('a');
  const rows = (): Promise<unknown[]> =>
    run(stub(), ({ storage: { sql } }) => sql.exec('SELECT id, t FROM m ORDER BY id').toArray());
  const add = (count: number): Promise<void> =>
    run(stub(), ({ storage: { sql } }) => {
      sql.exec('CREATE TABLE IF NOT EXISTS m (id INTEGER PRIMARY KEY, t TEXT)');
      sql.exec(
        `WITH RECURSIVE s(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM s WHERE i < ${count})
        INSERT INTO m (t) SELECT hex(randomblob(1500)) FROM s`,
      );
    });
  const wakesAsItWas = async (): Promise<void> => {
    const before = await rows();
    await abort(stub());
    deepEqual(await rows(), before);
    // From the journal and its images alone.
    await house.reopen();
    deepEqual(await rows(), before);
  };
  const steps: Array<() => Promise<unknown>> = [
    () => add(10),
    () => add(500),
    () =>
      run(stub(), ({ storage: { sql } }) => sql.exec("UPDATE m SET t = 'short' WHERE id % 7 = 0").toArray()),
    // More than is assembled in one buffer.
    () => add(2_000),
    () => run(stub(), ({ storage: { sql } }) => sql.exec('DELETE FROM m WHERE id > 20').toArray()),
    async () => {
      await run(stub(), ({ storage }) => storage.deleteAll());
      await add(3);
    },
  ];
  for (const step of steps) {
    await step();
    await wakesAsItWas();
  }
});

test('an SQL object that is woken again opens the file it had, unless it is another state than the last one', async (t) => {
  const house = await openHouse(t);
  const live = (): string[] =>
    readdirSync(join(house.directory, 'live')).filter((name) => name.endsWith('.sqlite'));
  const put = (value: unknown): Promise<void> =>
    run(house.stub('a'), ({ storage }) => storage.put('key', value));
  const get = (): Promise<unknown> => run(house.stub('a'), ({ storage }) => storage.get('key'));
  await put(1);
  const first = live();
  equal(first.length, 1);
  await abort(house.stub('a'));
  deepEqual([await get(), live()], [1, first]);
  await house.clock.advance(evictionMs);
  deepEqual([await get(), live()], [1, first]);
  // Writes of the turn that the reset ended are not in the file either.
  await run(house.stub('a'), ({ storage, state }) => {
    void storage.put('key', 'lost');
    storage.sql.exec('CREATE TABLE lost (a)');
    state.abort('never committed');
  }).catch(() => {});
  deepEqual([await get(), live()], [1, first]);
  await run(house.stub('a'), ({ storage, state }) => {
    void storage.deleteAll();
    state.abort('never committed');
  }).catch(() => {});
  equal(await get(), 1);
  // A different state from the file's: the object is rebuilt.
  const bookmark = await run(house.stub('a'), ({ storage }) => storage.getCurrentBookmark());
  await put(2);
  await run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(bookmark));
  const before = live();
  await abort(house.stub('a'));
  equal(await get(), 1);
  notEqual(live()[0], before[0]);
  equal(live().length, 1);
  await house.runtime.close();
  deepEqual(live(), []);
});
