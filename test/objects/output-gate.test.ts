import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import {
  type House,
  type Kind,
  errorOf,
  kinds,
  openHouse,
  run,
  runByFetch,
  turn,
  turnsUntil,
} from './harness.ts';
import { HeldDisk } from './held-disk.ts';

async function openHeld(t: Parameters<typeof openHouse>[0]): Promise<{ house: House; disk: HeldDisk }> {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  return { house, disk };
}

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await turn();
}

/** Awake and with stored data, so that only the work of the test follows. */
async function awake(house: House, kind: Kind, name = 'a') {
  const stub = house.stub(name, kind);
  await run(stub, ({ storage }) => storage.put('durable', 1));
  return stub;
}

for (const kind of kinds) {
  test(`OutputGate, ${kind}, holds results of RPC and fetch until the writes before them are durable`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    const said: string[] = [];
    const rpc = run(stub, ({ storage }) => storage.put('a', 1)).then(() => said.push('rpc'));
    const response = runByFetch(stub, async ({ storage }) => await storage.put('b', 1)).then(() =>
      said.push('fetch'),
    );
    const failed = run(stub, async ({ storage }) => {
      await storage.put('c', 1);
      throw new Error('an error is an answer, too');
    }).catch(() => said.push('error'));
    await turnsUntil(() => disk.held > 0);
    await someTurns();
    deepEqual(said, []);
    disk.release();
    await Promise.all([rpc, response, failed]);
    deepEqual(said.toSorted(), ['error', 'fetch', 'rpc']);
  });

  test(`OutputGate, ${kind}, holds calls to other objects, but not what was sent before the write`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    const other = house.stub('other', kind);
    await run(other, () => {});
    disk.hold('syncs');
    const heard: string[] = [];
    const done = run(stub, async ({ storage }) => {
      const before = run(house.stub('other', kind), () => void heard.push('before'));
      void storage.put('a', 1);
      const call = run(house.stub('other', kind), () => void heard.push('call'));
      const request = runByFetch(house.stub('other', kind), () => void heard.push('request'));
      await Promise.all([before, call, request]);
    });
    await turnsUntil(() => disk.held > 0);
    await someTurns();
    deepEqual(heard, ['before']);
    disk.release();
    await done;
    deepEqual(heard, ['before', 'call', 'request']);
  });

  test(`OutputGate, ${kind}, is not held by allowUnconfirmed; sync() waits all the same`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    let synced = false;
    await run(stub, ({ state, storage }) => {
      void storage.put('a', 1, { allowUnconfirmed: true });
      state.waitUntil(storage.sync().then(() => (synced = true)));
    });
    await turnsUntil(() => disk.held > 0);
    await someTurns();
    equal(synced, false);
    disk.release();
    await turnsUntil(() => synced);
  });

  test(`OutputGate, ${kind}, is held by deleteAll whatever its options say`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    let said = false;
    const call = run(stub, ({ storage }) => storage.deleteAll({ allowUnconfirmed: true })).then(
      () => (said = true),
    );
    await turnsUntil(() => disk.held > 0);
    await someTurns();
    equal(said, false);
    disk.release();
    await call;
  });

  test(`a read, ${kind}, does not wait for the disk of later writes`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    const reading = run(stub, async ({ storage }) => await storage.get('durable'));
    equal(await reading, 1);
    const writing = run(stub, ({ storage }) => storage.put('later', 1));
    await turnsUntil(() => disk.held > 0);
    disk.release();
    await writing;
  });

  test(`a write that cannot be made durable, ${kind}, resets the object and drops its output`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    const heard: string[] = [];
    await run(house.stub('other', kind), () => {});
    disk.hold('syncs');
    let wentOn = false;
    const calls = [
      run(stub, async ({ storage }) => {
        await storage.put('lost', 1);
        await storage.setAlarm(house.clock.now() + 1_000);
        await run(house.stub('other', kind), () => void heard.push('word'));
      }),
      run(stub, async ({ storage }) => {
        await storage.put('lost too', 1);
        await storage.sync();
        wentOn = true;
      }),
    ].map(errorOf);
    await turnsUntil(() => disk.held > 0);
    disk.fail();
    for (const error of await Promise.all(calls)) {
      deepEqual([error['durableObjectReset'], error['remote']], [true, undefined]);
      equal(/could not be made durable/.test(error.message), true);
    }
    const fresh = house.stub('a', kind);
    const state = await run(fresh, async ({ storage }) => {
      await storage.put('after', 1);
      return [[...(await storage.list()).keys()], await storage.getAlarm()];
    });
    deepEqual(state, [['after', 'durable'], null]);
    deepEqual([heard, wentOn], [[], false]);
    equal((await errorOf(run(stub, () => {})))['durableObjectReset'], true);
    await house.reopen();
    deepEqual(
      [...(await run(house.stub('a', kind), ({ storage }) => storage.list())).keys()],
      ['after', 'durable'],
    );
  });

  test(`a new life, ${kind}, waits for what the one before left on its way to disk`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    const first = errorOf(run(stub, ({ storage }) => storage.put('in flight', 1)));
    await turnsUntil(() => disk.held > 0);
    const reset = errorOf(run(stub, ({ state }) => state.abort('reset')));
    await Promise.all([first, reset]);
    const next = run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('next', 1);
      return [...(await storage.list()).keys()];
    });
    await someTurns();
    disk.release();
    deepEqual(await next, ['durable', 'in flight', 'next']);
    await house.reopen();
    deepEqual(
      [...(await run(house.stub('a', kind), ({ storage }) => storage.list())).keys()],
      ['durable', 'in flight', 'next'],
    );
  });

  test(`a new life, ${kind}, starts from what is durable if what the one before left fails`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    const first = errorOf(run(stub, ({ storage }) => storage.put('in flight', 1)));
    await turnsUntil(() => disk.held > 0);
    const reset = errorOf(run(stub, ({ state }) => state.abort('reset')));
    await Promise.all([first, reset]);
    const next = run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('next', 1);
      return [...(await storage.list()).keys()];
    });
    await someTurns();
    disk.fail();
    deepEqual(await next, ['durable', 'next']);
  });

  test(`transaction, ${kind}, is heard of only when it is durable`, async (t) => {
    const { house, disk } = await openHeld(t);
    const stub = await awake(house, kind);
    disk.hold('syncs');
    let said = false;
    const call = run(stub, ({ storage }) => storage.transaction(async (txn) => await txn.put('a', 1))).then(
      () => (said = true),
    );
    await turnsUntil(() => disk.held > 0);
    await someTurns();
    equal(said, false);
    disk.release();
    await call;
  });
}

test('a constraint that fails at the commit resets the object, and nothing it said since is heard', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(stub, ({ storage }) => {
    storage.sql.exec('CREATE TABLE p (id INTEGER PRIMARY KEY)');
    storage.sql.exec('CREATE TABLE c (p REFERENCES p DEFERRABLE INITIALLY DEFERRED)');
  });
  let heard = false;
  const error = await errorOf(
    run(stub, async ({ storage }) => {
      storage.kv.put('lost', 1);
      storage.sql.exec('INSERT INTO c VALUES (5)');
      await run(house.stub('b'), () => void (heard = true));
    }),
  );
  equal(
    error.message,
    'Durable Object was reset and rolled back to its last known good state because the application left the database in a state where constraints were violated: FOREIGN KEY constraint failed: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_FOREIGNKEY)',
  );
  equal(heard, false);
  const rows = await run(house.stub('a'), ({ storage }) => [
    storage.sql.exec('SELECT count(*) AS n FROM c').one()['n'],
    storage.kv.get('lost'),
  ]);
  deepEqual(rows, [0, undefined]);
});
