import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type House,
  type Kind,
  type Probe,
  errorOf,
  evictionMs,
  kinds,
  openHouse,
  run,
  turn,
  turnsUntil,
} from './harness.ts';
import { HeldDisk } from './held-disk.ts';

function keysOf(house: House, kind: Kind): Promise<string[]> {
  return run(house.stub('a', kind), async ({ storage }) => [...(await storage.list()).keys()]);
}

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await turn();
}

/**
 * Three turns while the disk is busy with the first: each has its own writes, and `last` decides the outcome of the
 * third. Returns the final contents.
 */
async function threeTurns(
  t: Parameters<typeof openHouse>[0],
  kind: Kind,
  { last, disk: outcome }: { last: (object: Probe) => unknown; disk: 'releases' | 'fails' },
): Promise<string[]> {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  await run(house.stub('a', kind), async (object) => {
    await object.storage.put('before', 0);
    if (kind !== 'sql') return;
    object.storage.sql.exec('CREATE TABLE p (id INTEGER PRIMARY KEY)');
    object.storage.sql.exec('CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)');
  });
  const stub = house.stub('a', kind);
  disk.hold('syncs');
  const calls = [run(stub, ({ storage }) => storage.put('first', 1))];
  await turnsUntil(() => disk.held > 0);
  calls.push(run(stub, ({ storage }) => storage.put('second', 2)));
  await someTurns();
  calls.push(
    run(stub, async (object) => {
      await object.storage.put('third', 3);
      await last(object);
    }),
  );
  const told = calls.map(
    async (call, index) => await call.then(() => [['first', 'second', 'third'][index]!]),
  );
  const settled = Promise.allSettled(told);
  await someTurns();
  if (outcome === 'fails') disk.fail();
  else disk.release();
  const acknowledged = (await settled).flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  const keys = await keysOf(house, kind);
  if (last !== deleteEverything) {
    deepEqual(
      acknowledged.filter((key) => !keys.includes(key)),
      [],
      'what was acknowledged is there',
    );
  }
  await house.reopen();
  deepEqual(await keysOf(house, kind), keys);
  return keys;
}

function deleteEverything({ storage }: Probe): Promise<void> {
  return storage.deleteAll();
}

for (const kind of kinds) {
  test(`turns, ${kind}, that end while the disk is busy are all kept`, async (t) => {
    deepEqual(await threeTurns(t, kind, { last: () => {}, disk: 'releases' }), [
      'before',
      'first',
      'second',
      'third',
    ]);
  });

  test(`turns, ${kind}, that ended survive a reset in a later one, which is lost`, async (t) => {
    const abort = (object: Probe): never => object.state.abort('third');
    deepEqual(await threeTurns(t, kind, { last: abort, disk: 'releases' }), ['before', 'first', 'second']);
  });

  test(`turns, ${kind}, that ended survive a section that throws in a later one`, async (t) => {
    const block = ({ state, storage }: Probe): Promise<never> =>
      state.blockConcurrencyWhile(async () => {
        await storage.put('fourth', 4);
        throw new Error('fourth');
      });
    const keys = await threeTurns(t, kind, { last: block, disk: 'releases' });
    deepEqual(keys, ['before', 'first', 'second', 'third']);
  });

  test(`turns, ${kind}, that were not durable are all gone when the disk fails`, async (t) => {
    deepEqual(await threeTurns(t, kind, { last: () => {}, disk: 'fails' }), ['before']);
  });

  test(`turns, ${kind}, before a transaction that is rolled back are kept, its own writes are not`, async (t) => {
    const rolledBack = ({ storage }: Probe): Promise<void> =>
      storage.transaction(async (txn) => {
        await txn.put('fourth', 4);
        txn.rollback();
      });
    const keys = await threeTurns(t, kind, { last: rolledBack, disk: 'releases' });
    deepEqual(keys, ['before', 'first', 'second', 'third']);
  });

  test(`turns, ${kind}, before deleteAll go with everything else`, async (t) => {
    deepEqual(await threeTurns(t, kind, { last: deleteEverything, disk: 'releases' }), []);
  });
}

test('turns, sql, go back to a good state when a later one violates a constraint', async (t) => {
  const violate = ({ storage }: Probe): void => void storage.sql.exec('INSERT INTO c VALUES (7)');
  const keys = await threeTurns(t, 'sql', { last: violate, disk: 'releases' });
  deepEqual(keys, ['before', 'first', 'second']);
});

test('turns, sql, that ended survive a later one that is undone inside, statement or transactionSync', async (t) => {
  const undo = async ({ storage }: Probe): Promise<void> => {
    await errorOf(() =>
      storage.transactionSync(() => {
        storage.kv.put('fourth', 4);
        throw new Error('undone');
      }),
    );
    await errorOf(() => storage.sql.exec('INSERT INTO p VALUES (1), (1)'));
  };
  deepEqual(await threeTurns(t, 'sql', { last: undo, disk: 'releases' }), [
    'before',
    'first',
    'second',
    'third',
  ]);
});

test('turns, sql, have different bookmarks while the disk is busy', async (t) => {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  const stub = house.stub('a');
  await run(stub, ({ storage }) => storage.put('key', 0));
  disk.hold('syncs');
  const write = (value: number): Promise<string> =>
    run(stub, async ({ storage }) => {
      await storage.put('key', value);
      return await storage.getCurrentBookmark();
    });
  const first = write(1);
  await turnsUntil(() => disk.held > 0);
  const second = write(2);
  await someTurns();
  const third = write(3);
  await someTurns();
  disk.release();
  const bookmarks = await Promise.all([first, second, third]);
  deepEqual(bookmarks, bookmarks.toSorted());
  const values: unknown[] = [];
  for (const bookmark of bookmarks) {
    using past = await house.runtime.history(stub).readAt(bookmark);
    values.push(past.get('key'));
  }
  deepEqual(values, [1, 2, 3]);
});

/**
 * Everything through which SQL could observe the transaction of an earlier turn, queried in turns that write and turns
 * that do not.
 */
async function observeTurns({ storage }: Probe): Promise<unknown[]> {
  const { sql, kv } = storage;
  const seen: unknown[] = [];
  const flagOf = (name: string): unknown => Object.values(sql.exec(`PRAGMA ${name}`).one())[0];
  for (let turns = 0; turns < 12; turns++) {
    seen.push([
      flagOf('defer_foreign_keys'),
      sql.exec('SELECT changes() c, last_insert_rowid() r, total_changes() t').one(),
    ]);
    sql.exec('PRAGMA foreign_keys = OFF');
    seen.push(flagOf('foreign_keys'));
    sql.exec('PRAGMA foreign_keys = ON');
    if (turns % 3 === 0) kv.put('key', turns);
    if (turns % 3 === 1) {
      sql.exec('INSERT INTO p (id) VALUES (?), (?)', 2 * turns, 2 * turns + 1);
      sql.exec('PRAGMA defer_foreign_keys = ON');
    }
    sql.exec('PRAGMA foreign_keys = OFF');
    seen.push(flagOf('foreign_keys'));
    sql.exec('PRAGMA foreign_keys = ON');
    await turn();
    // Switching it on again in a turn that had written had no effect.
    sql.exec('PRAGMA foreign_keys = ON');
  }
  return seen;
}

test('turns, sql, see the same settings and counters whether the disk is busy or not', async (t) => {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  const answers: unknown[] = [];
  for (const name of ['idle', 'busy']) {
    const stub = house.stub(name);
    await run(stub, ({ storage }) => void storage.sql.exec('CREATE TABLE p (id INTEGER PRIMARY KEY)'));
    if (name === 'busy') {
      disk.hold('syncs');
      void run(house.stub('other'), ({ storage }) => storage.put('key', 1));
      await turnsUntil(() => disk.held > 0);
    }
    let done = false;
    const call = run(stub, async (object) => {
      answers.push(await observeTurns(object));
      done = true;
    });
    await turnsUntil(() => done);
    disk.release();
    await call;
  }
  deepEqual(answers[1], answers[0]);
});

test('turns, sql, more than may share a record are all kept', async (t) => {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  const stub = house.stub('a');
  await run(stub, ({ storage }) => void storage.sql.exec('CREATE TABLE t (a)'));
  disk.hold('syncs');
  void run(house.stub('other'), ({ storage }) => storage.put('key', 1));
  await turnsUntil(() => disk.held > 0);
  const count = 200;
  const calls = Array.from({ length: count }, (_, index) =>
    run(stub, ({ storage }) => void storage.sql.exec('INSERT INTO t VALUES (?)', index)),
  );
  await someTurns();
  disk.release();
  await Promise.all(calls);
  const points = await house.runtime.history(stub).points({ limit: 1000 });
  equal(points.length < 10, true, `${points.length} records`);
  await house.reopen();
  const rows = await run(house.stub('a'), ({ storage }) =>
    storage.sql.exec('SELECT a FROM t ORDER BY rowid').toArray(),
  );
  deepEqual(
    rows,
    Array.from({ length: count }, (_, a) => ({ a })),
  );
});

test('turns, sql, that fill the log while the disk is busy fold it and are all kept', async (t) => {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  const stub = house.stub('a');
  await run(stub, ({ storage }) => storage.put('key 0', 0));
  disk.hold('syncs');
  void run(house.stub('other'), ({ storage }) => storage.put('key', 1));
  await turnsUntil(() => disk.held > 0);
  const body = new Uint8Array(120_000).fill(7);
  // Some thirty pages a turn: the log outgrows what it may hold several times over.
  const calls = Array.from({ length: 200 }, (_, index) =>
    run(stub, ({ storage }) => storage.put(`key ${index % 5}`, { index, body })),
  );
  for (let turns = 0; turns < calls.length; turns++) await turn();
  disk.release();
  await Promise.all(calls);
  await house.reopen();
  const indexes = await run(house.stub('a'), async ({ storage }) =>
    [...(await storage.list<{ index: number }>()).values()].map(({ index }) => index),
  );
  deepEqual(
    indexes.toSorted((a, b) => a - b),
    Array.from({ length: 5 }, (_, index) => calls.length - 5 + index),
  );
});

test('one turn is one record, however many writes and awaits it has, and turns that nobody waits for share one', async (t) => {
  const house = await openHouse(t);
  const commits = async (body: (object: Probe) => unknown): Promise<number> => {
    const history = house.runtime.history(house.stub('a'));
    const before = (await history.points({ limit: 10_000 })).length;
    const done = run(house.stub('a'), body);
    await house.clock.advance(100);
    await done;
    return (await history.points({ limit: 10_000 })).length - before;
  };
  const times = async (count: number, body: (index: number) => unknown): Promise<void> => {
    for (let index = 0; index < count; index++) await body(index);
  };
  await run(house.stub('a'), ({ storage }) => void storage.sql.exec('CREATE TABLE t (a)'));
  equal(await commits(({ storage }) => times(100, (index) => void storage.put('a', index))), 1);
  equal(await commits(({ storage }) => times(100, (index) => storage.put('b', index))), 1);
  equal(
    await commits(({ storage }) =>
      times(100, async (index) => {
        await storage.put('c', index);
        await storage.get('c');
      }),
    ),
    1,
  );
  equal(
    await commits(({ storage }) =>
      times(100, (index) => void storage.sql.exec('INSERT INTO t VALUES (?)', index)),
    ),
    1,
  );
  equal(
    await commits(({ storage }) =>
      times(10, (index) => storage.transactionSync(() => storage.kv.put('d', index))),
    ),
    1,
  );
  equal(
    await commits(({ storage }) =>
      times(10, async (index) => {
        await storage.put('e', index);
        await storage.sync();
      }),
    ),
    10,
  );
  // No caller waits for one of them before the next.
  equal(
    await commits(({ storage }) => times(10, (index) => storage.transaction((txn) => txn.put('f', index)))),
    1,
  );
  equal(
    await commits(({ storage }) =>
      times(10, async (index) => {
        await storage.transaction((txn) => txn.put('f', index));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }),
    ),
    10,
  );
  equal(await commits(({ storage }) => times(10, () => storage.get('f'))), 0);
  equal(await commits(({ storage }) => storage.delete('nothing')), 0);
  equal(await commits(({ storage }) => storage.put('g', 1, { allowUnconfirmed: true })), 1);
});

test('a handle that lives through many turns, restarts of its log and evictions keeps every write', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  // More than the write-ahead log may grow before it is folded.
  for (let index = 0; index < 60; index++) {
    await run(stub, ({ storage }) =>
      storage.put(`key ${index % 7}`, { index, body: new Uint8Array(100_000) }),
    );
    if (index % 25 === 24) await house.clock.advance(evictionMs);
  }
  const indexes = await run(stub, async ({ storage }) =>
    [...(await storage.list<{ index: number }>()).values()].map(({ index }) => index),
  );
  deepEqual(indexes.toSorted(), [53, 54, 55, 56, 57, 58, 59]);
});
