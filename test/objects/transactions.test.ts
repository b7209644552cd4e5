import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { DurableObjectTransaction } from '#objects';
import { errorOf, kinds, openHouse, run, turn } from './harness.ts';

type Txn = DurableObjectTransaction;

const operations: Record<string, (txn: Txn) => unknown> = {
  'get()': (txn) => txn.get('a'),
  'put()': (txn) => txn.put('a', 1),
  'delete()': (txn) => txn.delete('a'),
  'list()': (txn) => txn.list(),
  'getAlarm()': (txn) => txn.getAlarm(),
  'setAlarm()': (txn) => txn.setAlarm(Date.now() + 1_000),
  'deleteAlarm()': (txn) => txn.deleteAlarm(),
};

async function messagesOf(txn: Txn): Promise<Record<string, string>> {
  const messages: Record<string, string> = {};
  for (const [name, operation] of Object.entries(operations)) {
    messages[name] = (await errorOf(() => operation(txn))).message;
  }
  return messages;
}

function listExpected(text: (operation: string) => string): Record<string, string> {
  return Object.fromEntries(Object.keys(operations).map((name) => [name, text(name)]));
}

for (const kind of kinds) {
  test(`transaction, ${kind}, commits what it wrote and answers what the closure answers`, async (t) => {
    const house = await openHouse(t);
    const answer = await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put({ gone: 1, kept: 2 });
      return await storage.transaction(async (txn) => {
        await txn.put({ a: 1, b: 2 });
        const existed = await txn.delete('gone');
        await txn.setAlarm(house.clock.now() + 5_000);
        await turn();
        return [existed, await txn.get('a'), await txn.list(), await txn.getAlarm()];
      });
    });
    const at = house.clock.now() + 5_000;
    deepEqual(answer, [true, 1, new Map(Object.entries({ a: 1, b: 2, kept: 2 })), at]);
    await house.reopen();
    const stored = await run(house.stub('a', kind), async ({ storage }) => [
      await storage.list(),
      await storage.getAlarm(),
    ]);
    deepEqual(stored, [new Map(Object.entries({ a: 1, b: 2, kept: 2 })), at]);
  });

  test(`transaction, ${kind}, takes a synchronous closure`, async (t) => {
    const house = await openHouse(t);
    const answer = await run(house.stub('a', kind), ({ storage }) =>
      storage.transaction((txn) => {
        void txn.put('a', 1);
        return 'done';
      }),
    );
    equal(answer, 'done');
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get('a')), 1);
  });

  test(`transaction, ${kind}, that throws is rolled back, rejects with the error, and the object keeps working`, async (t) => {
    const house = await openHouse(t);
    const state = await run(house.stub('a', kind), async (object) => {
      const { storage } = object;
      object.memory = 'alive';
      await storage.put('before', 1);
      const failure = new RangeError('no');
      const error = await errorOf(
        storage.transaction(async (txn) => {
          await txn.put('before', 2);
          await txn.put('inside', 1);
          await txn.setAlarm(house.clock.now() + 5_000);
          await turn();
          throw failure;
        }),
      );
      return [error === failure, object.memory, await storage.list(), await storage.getAlarm()];
    });
    deepEqual(state, [true, 'alive', new Map([['before', 1]]), null]);
  });

  test(`transaction, ${kind}, that is rolled back by hand refuses everything after`, async (t) => {
    const house = await openHouse(t);
    let kept: Txn | undefined;
    const answer = await run(house.stub('a', kind), ({ storage }) =>
      storage.transaction(async (txn) => {
        await txn.put('a', 1);
        txn.rollback();
        txn.rollback();
        kept = txn;
        return await messagesOf(txn);
      }),
    );
    const texts = listExpected((operation) => `Cannot ${operation} on rolled back transaction`);
    deepEqual(answer, texts);
    deepEqual(await run(house.stub('a', kind), () => messagesOf(kept!)), texts);
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get('a')), undefined);
  });

  test(`transaction, ${kind}, refuses its handle after the commit, and after a throw`, async (t) => {
    const house = await openHouse(t);
    const [committed, thrown, rollback] = await run(house.stub('a', kind), async ({ storage }) => {
      let handle: Txn | undefined;
      await storage.transaction(async (txn) => void (handle = txn));
      const afterCommit = await messagesOf(handle!);
      const rollbackText = (await errorOf(() => handle!.rollback())).message;
      await errorOf(
        storage.transaction(async (txn) => {
          handle = txn;
          throw new Error('no');
        }),
      );
      return [afterCommit, await messagesOf(handle!), rollbackText] as const;
    });
    const text = (operation: string): string =>
      `Cannot call ${operation} on transaction that has already committed: did you move \`txn\` outside of the closure?`;
    deepEqual(committed, listExpected(text));
    equal(rollback, text('rollback()'));
    deepEqual(
      thrown,
      listExpected((operation) => `Cannot ${operation} on rolled back transaction`),
    );
  });

  test(`transaction, ${kind}, runs one after the other and keeps other events out`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('a', kind);
    const events: string[] = [];
    const transaction = (name: string): Promise<unknown> =>
      run(stub, ({ storage }) =>
        storage.transaction(async (txn) => {
          events.push(`${name} in`);
          const value = (await txn.get<number>('value')) ?? 0;
          await new Promise((resolve) => setTimeout(resolve, 5));
          await txn.put('value', value + 1);
          events.push(`${name} out`);
        }),
      );
    const all = [transaction('first'), transaction('second'), run(stub, () => void events.push('event'))];
    await house.clock.advance(20);
    await Promise.all(all);
    equal(await run(stub, ({ storage }) => storage.get('value')), 2);
    deepEqual(
      events.filter((event) => event !== 'event'),
      ['first in', 'first out', 'second in', 'second out'],
    );
    equal(/in,event/.test(events.join()), false);
  });

  test(`transaction, ${kind}, leaves what was written before it alone`, async (t) => {
    const house = await openHouse(t);
    const list = await run(house.stub('a', kind), async ({ storage }) => {
      void storage.put('pending', 1);
      await errorOf(
        storage.transaction(async (txn) => {
          await txn.put('inside', 1);
          throw new Error('no');
        }),
      );
      return await storage.list();
    });
    deepEqual([...list.keys()], ['pending']);
  });

  test(`transaction, ${kind}, nests; a failing inner one is undone alone`, async (t) => {
    const house = await openHouse(t);
    const list = await run(house.stub('a', kind), async ({ storage }) => {
      await storage.transaction(async (outer) => {
        await outer.put('outer', 1);
        await storage.transaction(async (inner) => await inner.put('inner', 1));
        await errorOf(
          storage.transaction(async (inner) => {
            await inner.put('failed', 1);
            throw new Error('no');
          }),
        );
      });
      return await storage.list();
    });
    deepEqual([...list.keys()], ['inner', 'outer']);
  });

  test(`transaction, ${kind}, has no deleteAll`, async (t) => {
    const house = await openHouse(t);
    const error = await run(house.stub('a', kind), ({ storage }) =>
      storage.transaction(async (txn) => (await errorOf(() => txn.deleteAll())).message),
    );
    equal(error, 'Cannot call deleteAll() within a transaction');
  });

  test(`transaction, ${kind}, refuses values that are no function`, async (t) => {
    const house = await openHouse(t);
    const { message } = await errorOf(
      run(house.stub('a', kind), ({ storage }) => storage.transaction(undefined as never)),
    );
    equal(
      message,
      "Failed to execute 'transaction' on 'DurableObjectStorage': parameter 1 is not of type 'function'.",
    );
  });

  test(`transaction, ${kind}, does not wait for itself when it asks for sync()`, async (t) => {
    const house = await openHouse(t);
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('before', 1);
      await storage.transaction(async (txn) => {
        await txn.put('a', 1);
        await storage.sync();
        await txn.put('b', 1);
      });
    });
    deepEqual(
      [...(await run(house.stub('a', kind), ({ storage }) => storage.list())).keys()],
      ['a', 'b', 'before'],
    );
  });

  test(`a handler that throws, ${kind}, keeps what it wrote`, async (t) => {
    const house = await openHouse(t);
    const stub = house.stub('a', kind);
    const error = await errorOf(
      run(stub, async ({ storage }) => {
        await storage.put('a', 1);
        throw new TypeError('after the write');
      }),
    );
    deepEqual([error instanceof TypeError, error.message, error['remote']], [true, 'after the write', true]);
    equal(await run(stub, ({ storage }) => storage.get('a')), 1);
  });
}

test('transaction, sql, covers storage.put, kv and sql inside; outer rollback waits for the inner one', async (t) => {
  const house = await openHouse(t);
  const answer = await run(house.stub('a'), async ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a)');
    await errorOf(
      storage.transaction(async () => {
        await storage.put('put', 1);
        storage.kv.put('kv', 1);
        storage.sql.exec('INSERT INTO t VALUES (1)');
        throw new Error('no');
      }),
    );
    const rollback = await storage.transaction(async (outer) => {
      return await storage.transaction(async () => (await errorOf(() => outer.rollback())).message);
    });
    const deleteAll = await storage.transaction(async () => (await errorOf(storage.deleteAll())).message);
    return [await storage.list(), storage.sql.exec('SELECT * FROM t').toArray(), rollback, deleteAll];
  });
  deepEqual(answer, [
    new Map(),
    [],
    'Cannot roll back an outer transaction while a nested transaction is still running.',
    'Cannot call deleteAll() within a transaction',
  ]);
});

test('transaction, kv, does not cover storage.put, and allows storage.deleteAll', async (t) => {
  const house = await openHouse(t);
  const list = await run(house.stub('a', 'kv'), async ({ storage }) => {
    await storage.put('old', 1);
    await errorOf(
      storage.transaction(async (txn) => {
        await storage.deleteAll();
        await storage.put('outside', 1);
        await txn.put('inside', 1);
        throw new Error('no');
      }),
    );
    return await storage.list();
  });
  deepEqual([...list.keys()], ['outside']);
});

test('transaction that never ends resets the object after 30 seconds', async (t) => {
  const house = await openHouse(t);
  for (const kind of kinds) {
    const call = errorOf(
      run(house.stub('a', kind), ({ storage }) => storage.transaction(() => new Promise(() => {}))),
    );
    await house.clock.advance(30_000);
    deepEqual([(await call)['durableObjectReset'], (await call)['overloaded']], [true, true]);
  }
});

test('transactionSync commits and nests; a throw undoes sql, kv, put and setAlarm and is the same value', async (t) => {
  const house = await openHouse(t);
  const answer = await run(house.stub('a'), async ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a)');
    const thrown = { not: 'an error' };
    let caught: unknown;
    const result = storage.transactionSync(() => {
      storage.sql.exec('INSERT INTO t VALUES (1)');
      try {
        storage.transactionSync(() => {
          storage.sql.exec('INSERT INTO t VALUES (2)');
          storage.kv.put('kv', 1);
          void storage.put('put', 1);
          void storage.setAlarm(house.clock.now() + 1_000);
          throw thrown;
        });
      } catch (error) {
        caught = error;
      }
      return 'answer';
    });
    const rows = storage.sql.exec('SELECT a FROM t').toArray();
    return [result, caught === thrown, rows, await storage.list(), await storage.getAlarm()];
  });
  deepEqual(answer, ['answer', true, [{ a: 1 }], new Map(), null]);
});

test('transactionSync refuses deleteAll inside, and is not there on the key-value backend', async (t) => {
  const house = await openHouse(t);
  const inside = await run(house.stub('a'), async ({ storage }) => {
    const refused = storage.transactionSync(() => ({ promise: errorOf(storage.deleteAll()) }));
    return (await refused.promise).message;
  });
  equal(inside, 'Cannot call deleteAll() within a transaction');
  const { message } = await errorOf(
    run(house.stub('a', 'kv'), ({ storage }) => storage.transactionSync(() => 1)),
  );
  equal(message, 'Durable Object is not backed by SQL.');
});

test('sql and kv of a key-value object exist and explain themselves', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a', 'kv');
  const sql = await errorOf(run(stub, ({ storage }) => storage.sql.exec('SELECT 1').toArray()));
  const kv = await errorOf(run(stub, ({ storage }) => storage.kv.get('a')));
  equal(sql.message.startsWith('SQL is not enabled for this Durable Object class. '), true);
  equal(
    kv.message.startsWith(
      "The storage.kv (synchronous KV) API is only available for SQLite-backed Durable Objects, but this object's namespace is not declared to use SQLite. ",
    ),
    true,
  );
});

test('a statement that rolls back everything cannot lose earlier writes of the turn unseen', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(
    stub,
    ({ storage }) => void storage.sql.exec('CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)'),
  );
  const outcome = await run(stub, async ({ storage }) => {
    await storage.put('earlier in the turn', 1);
    const { message } = await errorOf(() => storage.sql.exec('INSERT OR ROLLBACK INTO t VALUES (1)'));
    return message;
  }).then(
    () => 'answered',
    (error: { durableObjectReset?: boolean }) => (error.durableObjectReset === true ? 'reset' : 'failed'),
  );
  const kept = await run(house.stub('a'), ({ storage }) => storage.get('earlier in the turn'));
  // Either the write exists, or its caller got the error that the object was reset.
  equal(kept === 1 ? 'answered' : 'reset', outcome);
});
