import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { test } from 'node:test';
import { keepTables } from '#objects';
import { type House, abort, errorOf, evictionMs, openHouse, run } from './harness.ts';
import { dumpOf } from './workload.ts';

const dayMs = 24 * 60 * 60_000;

function bookmarkOf(house: House, name = 'a'): Promise<string> {
  return run(house.stub(name), ({ storage }) => storage.getCurrentBookmark());
}

function put(house: House, key: string, value: unknown, name = 'a'): Promise<void> {
  return run(house.stub(name), ({ storage }) => storage.put(key, value));
}

function entriesOf(house: House, name = 'a'): Promise<Map<string, unknown>> {
  return run(house.stub(name), ({ storage }) => storage.list());
}

/** Writes until the object's log is large enough for a snapshot, and waits for it. */
async function forceSnapshot(house: House, name = 'a'): Promise<void> {
  const before = await house.countSnapshots();
  for (let writes = 0; (await house.countSnapshots()) === before; writes++) {
    ok(writes < 100, 'a snapshot was taken');
    await run(house.stub(name), ({ storage }) => storage.put('filler', randomBytes(100_000)));
    await house.clock.untilIdle();
  }
}

test('getCurrentBookmark includes the writes of the turn, and does not change by being asked', async (t) => {
  const house = await openHouse(t);
  const [first, second] = await run(house.stub('a'), async ({ storage }) => {
    void storage.put('key', 1);
    const asked = storage.getCurrentBookmark();
    void storage.put('key', 2);
    return [await asked, await storage.getCurrentBookmark()];
  });
  equal(first, second);
  await put(house, 'key', 3);
  ok((await bookmarkOf(house)) > first);
  await house.runtime.history(house.stub('a')).restore(first);
  deepEqual(await entriesOf(house), new Map([['key', 2]]));
});

test('getCurrentBookmark inside a transaction names the state before it', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const before = await bookmarkOf(house);
  const inside = await run(house.stub('a'), ({ storage }) =>
    storage.transaction(async (txn) => {
      await txn.put('key', 2);
      return await storage.getCurrentBookmark();
    }),
  );
  equal(inside, before);
});

test('a bookmark before the first write is the empty object', async (t) => {
  const house = await openHouse(t);
  const empty = await bookmarkOf(house);
  await put(house, 'key', 1);
  await run(house.stub('a'), ({ storage }) => storage.setAlarm(house.clock.now() + dayMs));
  const undo = await house.runtime.history(house.stub('a')).restore(empty);
  deepEqual(await run(house.stub('a'), (object) => dumpOf(object)), {
    alarm: null,
    entries: new Map(),
    tables: {},
  });
  await house.runtime.history(house.stub('a')).restore(undo);
  deepEqual(await entriesOf(house), new Map([['key', 1]]));
});

test('onNextSessionRestoreBookmark waits for the next start, and undo knows what was written until then', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const first = await bookmarkOf(house);
  await put(house, 'key', 2);
  const undo = await run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(first));
  equal((await entriesOf(house)).get('key'), 2);
  await put(house, 'key', 3);
  await house.reopen();
  equal((await entriesOf(house)).get('key'), 1);
  await run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(undo));
  await house.clock.advance(evictionMs);
  equal((await entriesOf(house)).get('key'), 3);
});

test('onNextSessionRestoreBookmark called twice restores to the later wish', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const first = await bookmarkOf(house);
  await put(house, 'key', 2);
  const second = await bookmarkOf(house);
  await put(house, 'key', 3);
  await run(house.stub('a'), async ({ storage }) => {
    await storage.onNextSessionRestoreBookmark(first);
    await storage.onNextSessionRestoreBookmark(second);
  });
  await abort(house.stub('a'));
  equal((await entriesOf(house)).get('key'), 2);
});

test('recovery brings back the alarm, which then fires', async (t) => {
  const house = await openHouse(t);
  const ran: number[] = [];
  house.onAlarm('a', () => void ran.push(house.clock.now()));
  const at = house.clock.now() + 60_000;
  await run(house.stub('a'), ({ storage }) => storage.setAlarm(at));
  const withAlarm = await bookmarkOf(house);
  await run(house.stub('a'), ({ storage }) => storage.deleteAlarm());
  await house.runtime.history(house.stub('a')).restore(withAlarm);
  await house.clock.advance(120_000);
  deepEqual(ran, [at]);
});

test('recovery reaches behind deleteAll', async (t) => {
  const house = await openHouse(t);
  await run(house.stub('a'), async ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    await storage.put('key', 1);
  });
  const full = await run(house.stub('a'), (object) => dumpOf(object));
  const bookmark = await bookmarkOf(house);
  await run(house.stub('a'), ({ storage }) => storage.deleteAll());
  deepEqual(await run(house.stub('a'), (object) => dumpOf(object)), {
    alarm: null,
    entries: new Map(),
    tables: {},
  });
  await house.reopen();
  await house.runtime.history(house.stub('a')).restore(bookmark);
  deepEqual(await run(house.stub('a'), (object) => dumpOf(object)), full);
});

test('bookmarks that are malformed, of another object, or in the future are refused clearly', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  await put(house, 'key', 1, 'b');
  const own = await bookmarkOf(house);
  const foreign = await bookmarkOf(house, 'b');
  const mistyped = own.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const history = house.runtime.history(house.stub('a'));
  for (const [bookmark, name, text] of [
    ['nonsense', 'TypeError', /^Invalid bookmark: it must look like .* but was "nonsense"\.$/],
    ['', 'TypeError', /^Invalid bookmark: it must look like /],
    ['x'.repeat(100_000), 'TypeError', /^Invalid bookmark: .{0,300}$/],
    [own.toUpperCase(), 'TypeError', /^Invalid bookmark: /],
    [mistyped, 'TypeError', /does not belong to this Durable Object/],
    [foreign, 'TypeError', /does not belong to this Durable Object/],
  ] as const) {
    const inside = await errorOf(
      run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(bookmark)),
    );
    for (const error of [
      inside,
      await errorOf(history.restore(bookmark)),
      await errorOf(history.readAt(bookmark)),
    ]) {
      equal(error.name, name);
      ok(text.test(error.message), error.message);
    }
  }
  deepEqual(await entriesOf(house), new Map([['key', 1]]));
});

test('a bookmark whose record was lost is in the future', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const other = await openHouse(t);
  await put(other, 'key', 1);
  await put(other, 'key', 2);
  await put(other, 'key', 3);
  // The same class and id in another directory: a well-formed bookmark of this very object, ahead of it.
  const ahead = await bookmarkOf(other);
  const error = await errorOf(house.runtime.history(house.stub('a')).restore(ahead));
  ok(/in the future of this Durable Object/.test(error.message), error.message);
});

test('getBookmarkForTime refuses the future, times before the retention, and invalid times', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  await house.clock.advance(40 * dayMs);
  const ask = (time: unknown): Promise<Error> =>
    errorOf(run(house.stub('a'), ({ storage }) => storage.getBookmarkForTime(time as number)));
  const now = house.clock.now();
  ok(/in the future/.test((await ask(now + 1)).message));
  ok(/older than the 30 days that history is kept/.test((await ask(now - 30 * dayMs - 1)).message));
  ok(/not a valid Date/.test((await ask(Number.NaN)).message));
  ok(/parameter 1 is not of type 'date'/.test((await ask('2026-01-01')).message));
  equal(
    await run(house.stub('a'), ({ storage }) => storage.getBookmarkForTime(now - 30 * dayMs)),
    await bookmarkOf(house),
  );
});

test('recovery is not there on the key-value backend, and says so', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a', 'kv');
  for (const ask of [
    () => run(stub, ({ storage }) => storage.getCurrentBookmark()),
    () => run(stub, ({ storage }) => storage.getBookmarkForTime(house.clock.now())),
    () => run(stub, ({ storage }) => storage.onNextSessionRestoreBookmark('x')),
  ]) {
    ok(/does not implement point-in-time recovery/.test((await errorOf(ask)).message));
  }
  ok(/keeps no history/.test((await errorOf(() => house.runtime.history(stub))).message));
});

test('a snapshot that could not be written is tried again while the object stays awake', async (t) => {
  const log: string[] = [];
  const house = await openHouse(t, { log: (message) => log.push(message) });
  const inTheWay = `${house.directory}/images/${house.stub('a').id.toString().slice(0, 2)}`;
  writeFileSync(inTheWay, '');
  for (let writes = 0; log.length === 0; writes++) {
    ok(writes < 100, 'a snapshot was tried');
    await put(house, 'filler', randomBytes(100_000));
    await house.clock.untilIdle();
  }
  rmSync(inTheWay);
  await forceSnapshot(house);
  deepEqual(log, ['a snapshot could not be written']);
});

test('pages that were free when a snapshot was taken come back when they are used again', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(stub, ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a)');
    storage.sql.exec('INSERT INTO t VALUES (?)', 'x'.repeat(200_000));
    storage.sql.exec('CREATE TABLE u (a)');
    storage.sql.exec('DELETE FROM t');
  });
  await forceSnapshot(house);
  const bodies = ['1', '2', '3', '4'].map((digit) => digit.repeat(50_000));
  for (const body of bodies)
    await run(stub, ({ storage }) => void storage.sql.exec('INSERT INTO t VALUES (?)', body));
  await house.clock.advance(evictionMs);
  const found = await run(stub, ({ storage }) => [
    storage.sql.exec('SELECT a FROM t').toArray(),
    storage.sql.exec('PRAGMA quick_check').toArray(),
  ]);
  deepEqual(found, [bodies.map((a) => ({ a })), [{ quick_check: 'ok' }]]);
});

test('history.readAt shows the past without disturbing the object, and cannot be written', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  await run(stub, async (object) => {
    object.memory = 'alive';
    object.storage.sql.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    await object.storage.put('key', 1);
  });
  const bookmark = await bookmarkOf(house);
  await run(stub, async ({ storage }) => {
    storage.sql.exec('UPDATE t SET a = 2');
    await storage.put('key', 2);
  });
  const points = await house.runtime.history(stub).points();
  {
    using past = await house.runtime.history(stub).readAt(bookmark);
    deepEqual([past.get('key'), past.exec('SELECT a FROM t').one()['a']], [1, 1]);
    ok(/cannot write to the past/.test((await errorOf(() => past.exec('DELETE FROM t'))).message));
    ok(/prohibited/.test((await errorOf(() => past.exec('SELECT * FROM _cf_KV'))).message));
  }
  deepEqual(await run(stub, async ({ memory, storage }) => [memory, await storage.get('key')]), ['alive', 2]);
  deepEqual(await house.runtime.history(stub).points(), points);
});

test('history.points tells what happened, newest first', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const first = await bookmarkOf(house);
  await house.clock.advance(1_000);
  await run(house.stub('a'), ({ storage }) => storage.deleteAll());
  await house.runtime.history(house.stub('a')).restore(first);
  const points = await house.runtime.history(house.stub('a')).points();
  deepEqual(
    points.map(({ kind }) => kind),
    ['restore', 'restore-requested', 'delete-all', 'write'],
  );
  deepEqual([points.at(-1)!.bookmark, points[0]!.bookmark], [first, await bookmarkOf(house)]);
  equal(Number(points[0]!.time) - Number(points.at(-1)!.time), 1_000);
  equal((await house.runtime.history(house.stub('a')).points({ limit: 2 })).length, 2);
});

test('history.restore resets an awake object, whose callers get an error, and wakes no object', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 1);
  const bookmark = await bookmarkOf(house);
  await put(house, 'key', 2);
  const hanging = errorOf(run(house.stub('a'), () => new Promise(() => {})));
  await house.clock.untilIdle();
  await house.runtime.history(house.stub('a')).restore(bookmark);
  const error = await hanging;
  deepEqual(
    [error.message, error['durableObjectReset']],
    ['Durable Object was reset because its storage was replaced by an operator.', true],
  );
  // Only an open database has a write-ahead log.
  deepEqual(
    readdirSync(`${house.directory}/live`).filter((name) => name.endsWith('-wal')),
    [],
  );
  equal((await entriesOf(house)).get('key'), 1);
});

test('history.restore and calls at the same time leave one history', async (t) => {
  const house = await openHouse(t);
  await put(house, 'key', 0);
  const bookmark = await bookmarkOf(house);
  for (let round = 0; round < 20; round++) {
    await put(house, 'key', round);
    if (round % 3 === 0) await house.clock.advance(evictionMs);
    const calls = [0, 1, 2].map((call) => put(house, `call ${call}`, round).catch(() => {}));
    const restored = house.runtime.history(house.stub('a')).restore(bookmark);
    const late = [3, 4].map((call) => put(house, `call ${call}`, round).catch(() => {}));
    await Promise.all([...calls, restored, ...late]);
    const dump = await run(house.stub('a'), (object) => dumpOf(object));
    equal(dump.entries.get('key'), 0);
    await abort(house.stub('a'));
    deepEqual(await run(house.stub('a'), (object) => dumpOf(object)), dump);
  }
  const kinds = (await house.runtime.history(house.stub('a')).points({ limit: 1_000 })).map(
    ({ kind }) => kind,
  );
  equal(kinds.filter((kind) => kind === 'restore').length, 20);
});

test('history.exportTo writes a plain database, of now or of a bookmark', async (t) => {
  const house = await openHouse(t);
  const stub = house.stub('a');
  const empty = await bookmarkOf(house);
  await run(stub, ({ storage }) => void storage.sql.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)'));
  const bookmark = await bookmarkOf(house);
  await run(stub, async ({ storage }) => {
    storage.sql.exec('INSERT INTO t VALUES (2)');
    await storage.put('key', 'value');
  });
  const history = house.runtime.history(stub);
  const rowsOf = (path: string, query: string): unknown[] => {
    using file = new DatabaseSync(path, { readOnly: true });
    return file
      .prepare(query)
      .all()
      .map((row) => ({ ...row }));
  };
  await history.exportTo(`${house.directory}/now.sqlite`);
  await history.exportTo(`${house.directory}/then.sqlite`, { at: bookmark });
  await history.exportTo(`${house.directory}/empty.sqlite`, { at: empty });
  deepEqual(rowsOf(`${house.directory}/now.sqlite`, 'SELECT a FROM t'), [{ a: 1 }, { a: 2 }]);
  deepEqual(rowsOf(`${house.directory}/now.sqlite`, 'SELECT key FROM _cf_KV'), [{ key: 'key' }]);
  deepEqual(rowsOf(`${house.directory}/then.sqlite`, 'SELECT a FROM t'), [{ a: 1 }]);
  deepEqual(rowsOf(`${house.directory}/empty.sqlite`, 'SELECT * FROM sqlite_master'), []);
  for (const suffix of ['-wal', '-shm']) equal(existsSync(`${house.directory}/now.sqlite${suffix}`), false);
  ok(/exists already/.test((await errorOf(history.exportTo(`${house.directory}/now.sqlite`))).message));
});

test('history.importFrom takes a plain database in, with key-value data and alarm, and can be undone', async (t) => {
  const house = await openHouse(t);
  const at = house.clock.now() + dayMs;
  await run(house.stub('a'), async ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    await storage.put('key', { deep: [1] });
    await storage.setAlarm(at);
  });
  const whole = await run(house.stub('a'), (object) => dumpOf(object));
  await house.runtime.history(house.stub('a')).exportTo(`${house.directory}/a.sqlite`);
  await put(house, 'own', 1, 'b');
  const undo = await house.runtime.history(house.stub('b')).importFrom(`${house.directory}/a.sqlite`);
  deepEqual(await run(house.stub('b'), (object) => dumpOf(object)), whole);
  await put(house, 'more', 1, 'b');
  await house.reopen();
  equal((await entriesOf(house, 'b')).size, 2);
  await house.runtime.history(house.stub('b')).restore(undo);
  deepEqual([...(await entriesOf(house, 'b')).keys()], ['own']);
});

test('history.importFrom converts other page sizes and refuses files that are no database', async (t) => {
  const house = await openHouse(t);
  const path = `${house.directory}/foreign.sqlite`;
  {
    using file = new DatabaseSync(path);
    file.exec('PRAGMA page_size = 1024; CREATE TABLE t (a); INSERT INTO t VALUES (hex(zeroblob(5000)))');
  }
  const history = house.runtime.history(house.stub('a'));
  await history.importFrom(path);
  const length = await run(
    house.stub('a'),
    ({ storage }) => storage.sql.exec('SELECT length(a) AS n FROM t').one()['n'],
  );
  equal(length, 10_000);
  writeFileSync(`${house.directory}/text.sqlite`, 'this is no database at all, '.repeat(100));
  for (const name of ['text.sqlite', 'missing.sqlite']) {
    await errorOf(history.importFrom(`${house.directory}/${name}`));
  }
  equal(
    await run(house.stub('a'), ({ storage }) => storage.sql.exec('SELECT count(*) AS n FROM t').one()['n']),
    1,
  );
});

test('keepTables keeps tables over a restore, its undo, a restore to the empty object and an import', async (t) => {
  const house = await openHouse(t);
  const add = (text: string): Promise<void> =>
    run(house.stub('a'), async ({ storage }) => {
      storage.sql.exec('CREATE TABLE IF NOT EXISTS log (text TEXT NOT NULL)');
      storage.sql.exec(`CREATE TRIGGER IF NOT EXISTS log_only_grows BEFORE DELETE ON log
        BEGIN SELECT RAISE(ABORT, 'the log only grows'); END`);
      storage.sql.exec('INSERT INTO log VALUES (?)', text);
      keepTables(storage, ['log']);
      await storage.put('value', text);
    });
  const read = (): Promise<[texts: unknown, value: unknown]> =>
    run(house.stub('a'), async ({ storage }) => [
      Array.from(storage.sql.exec('SELECT text FROM log'), ({ text }) => text),
      await storage.get('value'),
    ]);
  const empty = await bookmarkOf(house);
  await add('one');
  const first = await bookmarkOf(house);
  await add('two');
  const history = () => house.runtime.history(house.stub('a'));
  const undo = await history().restore(first);
  deepEqual(await read(), [['one', 'two'], 'one']);
  await add('three');
  await history().restore(undo);
  deepEqual(await read(), [['one', 'two', 'three'], 'two']);
  await history().restore(empty);
  await house.reopen();
  deepEqual(await read(), [['one', 'two', 'three'], undefined]);
  const file = join(house.directory, 'old.sqlite');
  await history().exportTo(file, { at: first });
  await history().importFrom(file);
  deepEqual(await read(), [['one', 'two', 'three'], 'one']);
  const refused = await errorOf(run(house.stub('a'), ({ storage }) => storage.sql.exec('DELETE FROM log')));
  match(refused.message, /^the log only grows/);
});
