import { deepEqual, equal } from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Probe, kinds, openHouse, run } from './harness.ts';

const limits = { openDatabasesMax: 4 };
const names = Array.from({ length: 20 }, (_, index) => `object ${index}`);

function createAndFill({ storage }: Probe, rows: number): void {
  storage.sql.exec('CREATE TABLE IF NOT EXISTS t (id INTEGER PRIMARY KEY, a INTEGER)');
  for (let row = 0; row < rows; row++) storage.sql.exec('INSERT INTO t (a) VALUES (?)', row);
}

test('more SQL objects than open databases stay right, in their storage and their memory', async (t) => {
  const house = await openHouse(t, { limits });
  await Promise.all(names.map((name) => run(house.stub(name), (object) => createAndFill(object, 3))));
  for (let round = 1; round <= 5; round++) {
    await Promise.all(
      names.map((name) =>
        run(house.stub(name), async (object) => {
          const { storage } = object;
          object.memory = ((object.memory as number | undefined) ?? 0) + 1;
          storage.sql.exec('INSERT INTO t (a) VALUES (?)', round);
          await storage.put('round', round);
        }),
      ),
    );
  }
  const states = await Promise.all(
    names.map((name) =>
      run(house.stub(name), async ({ memory, storage }) => [
        memory,
        storage.sql.exec('SELECT count(*) AS n FROM t').one()['n'],
        await storage.get('round'),
      ]),
    ),
  );
  deepEqual(
    states,
    names.map(() => [5, 8, 5]),
  );
  await house.reopen();
  equal(
    await run(
      house.stub(names[7]!),
      ({ storage }) => storage.sql.exec('SELECT count(*) AS n FROM t').one()['n'],
    ),
    8,
  );
});

/** Uses every other object, so that all objects that can be parked are. */
async function crowd(house: Awaited<ReturnType<typeof openHouse>>): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      names.map((name) => run(house.stub(`crowd ${name}`), ({ storage }) => storage.put('round', round))),
    );
  }
}

test('a cursor in the middle of its rows continues while others fill the pool', async (t) => {
  const house = await openHouse(t, { limits });
  const rows = await run(house.stub('a'), async (object) => {
    createAndFill(object, 50);
    await object.storage.sync();
    const cursor = object.storage.sql.exec('SELECT a FROM t ORDER BY id');
    const seen: unknown[] = [];
    for (const { a } of cursor) {
      seen.push(a);
      if (seen.length === 10) await run(house.stub('b'), () => crowd(house));
    }
    return [seen, cursor.rowsRead];
  });
  deepEqual(rows, [Array.from({ length: 50 }, (_, index) => index), 50]);
});

test('kv.list continues, row by row, while others fill the pool', async (t) => {
  const house = await openHouse(t, { limits });
  const keys = await run(house.stub('a'), async ({ storage }) => {
    for (let key = 0; key < 300; key++) storage.kv.put(`key ${String(key).padStart(3, '0')}`, key);
    await storage.sync();
    const seen: unknown[] = [];
    for (const [, value] of storage.kv.list()) {
      seen.push(value);
      if (seen.length % 100 === 50) await crowd(house);
    }
    return seen;
  });
  deepEqual(
    keys,
    Array.from({ length: 300 }, (_, index) => index),
  );
});

test('kv.list ends when deleteAll empties the object under it', async (t) => {
  const house = await openHouse(t);
  const seen = await run(house.stub('a'), async ({ storage }) => {
    for (let key = 0; key < 200; key++) storage.kv.put(`key ${String(key).padStart(3, '0')}`, key);
    const iterator = storage.kv.list();
    const first = iterator.next().value;
    await storage.deleteAll();
    return [first, iterator.next().done];
  });
  deepEqual(seen, [['key 000', 0], true]);
});

test('a transaction across turns keeps its database while others crowd the pool', async (t) => {
  const house = await openHouse(t, { limits });
  await run(house.stub('a'), (object) => createAndFill(object, 1));
  await run(house.stub('a'), ({ storage }) =>
    storage.transaction(async (txn) => {
      storage.sql.exec('INSERT INTO t (a) VALUES (7)');
      await crowd(house);
      await txn.put('key', 1);
    }),
  );
  const state = await run(house.stub('a'), async ({ storage }) => [
    storage.sql.exec('SELECT count(*) AS n FROM t').one()['n'],
    await storage.get('key'),
  ]);
  deepEqual(state, [2, 1]);
});

test('settings of a connection survive parking', async (t) => {
  const house = await openHouse(t, { limits });
  await run(house.stub('a'), ({ storage }) => {
    storage.sql.exec('CREATE TABLE p (id INTEGER PRIMARY KEY)');
    storage.sql.exec('CREATE TABLE c (p REFERENCES p)');
  });
  await run(house.stub('a'), ({ storage }) => void storage.sql.exec('PRAGMA foreign_keys = OFF'));
  await crowd(house);
  equal(
    await run(house.stub('a'), ({ storage }) => {
      storage.sql.exec('INSERT INTO c VALUES (99)');
      return storage.sql.exec('SELECT count(*) AS n FROM c').one()['n'];
    }),
    1,
  );
});

test('objects of both kinds work side by side in a crowd', async (t) => {
  const house = await openHouse(t, { limits: { ...limits, cacheBytesMax: 500 } });
  const work = kinds.flatMap((kind) => names.map((name) => ({ kind, name })));
  for (let round = 1; round <= 3; round++) {
    await Promise.all(
      work.map(({ kind, name }) =>
        run(house.stub(name, kind), async ({ storage }) => {
          const value = (await storage.get<number>('value')) ?? 0;
          await storage.put('value', value + 1);
        }),
      ),
    );
  }
  const values = await Promise.all(
    work.map(({ kind, name }) => run(house.stub(name, kind), ({ storage }) => storage.get('value'))),
  );
  deepEqual(
    values,
    work.map(() => 3),
  );
});

test('a parked database whose log could not be folded in, as on a full disk, loses nothing', async (t) => {
  const house = await openHouse(t, { limits: { openDatabasesMax: 1 } });
  await run(house.stub('a'), (object) => createAndFill(object, 3));
  const live = `${house.directory}/live`;
  const path = readdirSync(live, { encoding: 'utf8' }).find((name) => name.endsWith('.sqlite'));
  const files = [path!, `${path}-wal`].map((name) => `${live}/${name}`);
  const saved = files.map((file) => readFileSync(file));
  await crowd(house);
  deepEqual(
    files.map((file) => existsSync(file)),
    [true, false],
  );
  for (const [index, file] of files.entries()) writeFileSync(file, saved[index]!);
  const count = ({ storage }: Probe): unknown => {
    storage.sql.exec('INSERT INTO t (a) VALUES (7)');
    return storage.sql.exec('SELECT count(*) AS n FROM t').one()['n'];
  };
  equal(await run(house.stub('a'), count), 4);
  await house.reopen();
  equal(await run(house.stub('a'), count), 5);
});

test('a transaction that has only put keys keeps them while others use the databases', async (t) => {
  const house = await openHouse(t, { limits });
  await run(house.stub('a'), ({ storage }) => storage.put('before', 0));
  const keys = await run(house.stub('a'), async ({ storage }) => {
    await storage.transaction(async (txn) => {
      await txn.put('during', 1);
      await crowd(house);
      await txn.put('behind', 2);
    });
    return [...(await storage.list()).keys()];
  });
  deepEqual(keys, ['before', 'behind', 'during']);
});

test('an object that asked what its SQL has changed is not parked, which would count from zero', async (t) => {
  const house = await openHouse(t, { limits });
  const ask = ({ storage }: Probe): unknown => storage.sql.exec('SELECT total_changes() AS n').one()['n'];
  await run(house.stub('a'), (object) => createAndFill(object, 3));
  equal(await run(house.stub('a'), ask), 3);
  await crowd(house);
  equal(await run(house.stub('a'), ask), 3);
});
