import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { type House, abort, errorOf, evictionMs, openHouse, run } from './harness.ts';
import { dumpOf } from './workload.ts';

/** How long history is kept here. A cluster deletes only whole days. */
const keptMs = (process.env['GATEHOUSE_TEST_DATABASE'] === undefined ? 1 : 24) * 60 * 60_000;
const options = { retentionMs: keptMs, segmentBytes: 64 * 1024 };

function put(house: House, name: string, value: unknown): Promise<void> {
  return run(house.stub(name), ({ storage }) => storage.put('key', value));
}

function valueOf(house: House, name: string): Promise<unknown> {
  return run(house.stub(name), ({ storage }) => storage.get('key'));
}

function bookmarkOf(house: House, name: string): Promise<string> {
  return run(house.stub(name), ({ storage }) => storage.getCurrentBookmark());
}

/** Writes of another object that fill several segments of the journal. */
async function fillJournal(house: House): Promise<void> {
  for (let writes = 0; writes < 5; writes++) await put(house, 'busy', randomBytes(50_000));
}

test('giveBackHistory gives space back, and objects idle for longer keep their state', async (t) => {
  const house = await openHouse(t, options);
  await run(house.stub('idle'), async ({ storage }) => {
    storage.sql.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
    await storage.put('key', 'kept');
    await storage.setAlarm(house.clock.now() + 1_000 * keptMs);
  });
  await run(house.stub('idle', 'kv'), ({ storage }) => storage.put('key', 'kept, too'));
  const idle = await run(house.stub('idle'), (object) => dumpOf(object));
  await run(house.stub('empty'), async ({ storage }) => {
    await storage.put('key', 1);
    await storage.deleteAll();
  });
  await fillJournal(house);
  const before = await house.measureLog();
  equal(await house.runtime.giveBackHistory(), 0);
  await house.clock.advance(2 * keptMs);
  await fillJournal(house);
  await house.clock.advance(2 * keptMs);
  // The hourly runs of the clock have already done it.
  ok((await house.measureLog()) < before);
  await house.reopen();
  deepEqual(await run(house.stub('idle'), (object) => dumpOf(object)), idle);
  equal(await run(house.stub('idle', 'kv'), ({ storage }) => storage.get('key')), 'kept, too');
  equal(await valueOf(house, 'empty'), undefined);
  await put(house, 'idle', 'changed');
  await abort(house.stub('idle'));
  equal(await valueOf(house, 'idle'), 'changed');
  await house.checkDisk();
});

test('giveBackHistory leaves one snapshot of an object and none of its old images', async (t) => {
  const house = await openHouse(t, options);
  await put(house, 'a', 1);
  const first = await bookmarkOf(house, 'a');
  for (let round = 0; round < 3; round++) {
    await put(house, 'a', randomBytes(20_000));
    await house.runtime.history(house.stub('a')).restore(first);
  }
  await fillJournal(house);
  await house.clock.advance(2 * keptMs);
  await fillJournal(house);
  await house.runtime.giveBackHistory();
  deepEqual(await house.listImages(house.stub('a')), ['snapshot']);
  await house.clock.advance(evictionMs);
  equal(await valueOf(house, 'a'), 1);
});

test('a bookmark beyond the retention is refused, one within it works', async (t) => {
  const house = await openHouse(t, options);
  await put(house, 'a', 'old');
  const old = await bookmarkOf(house, 'a');
  await put(house, 'a', 'older than the horizon, but the last of its time');
  await fillJournal(house);
  await house.clock.advance(2 * keptMs);
  await put(house, 'a', 'recent');
  const recent = await bookmarkOf(house, 'a');
  await put(house, 'a', 'newest');
  await fillJournal(house);
  await house.runtime.giveBackHistory();
  const history = house.runtime.history(house.stub('a'));
  const refused = [
    await errorOf(history.restore(old)),
    await errorOf(history.readAt(old)),
    await errorOf(run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(old))),
  ];
  for (const error of refused) {
    deepEqual([error.name, /older than the history that is kept/.test(error.message)], ['RangeError', true]);
  }
  const undo = await history.restore(recent);
  equal(await valueOf(house, 'a'), 'recent');
  await history.restore(undo);
  equal(await valueOf(house, 'a'), 'newest');
});

test('a requested restore survives the removal of its target', async (t) => {
  const house = await openHouse(t, options);
  await put(house, 'a', 'wanted');
  const wanted = await bookmarkOf(house, 'a');
  await put(house, 'a', 'unwanted');
  await run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(wanted));
  await house.runtime.close();
  await house.reopen();
  await fillJournal(house);
  await house.clock.advance(2 * keptMs);
  await fillJournal(house);
  await house.runtime.giveBackHistory();
  equal(await valueOf(house, 'a'), 'wanted');
  await put(house, 'a', 'and it lives');
  await house.clock.advance(evictionMs);
  equal(await valueOf(house, 'a'), 'and it lives');
});

test('a restore that is requested while its target is removed is refused, and the object keeps working', async (t) => {
  const house = await openHouse(t, options);
  const none = await bookmarkOf(house, 'a');
  // The runs of the clock are hourly: this is due just after the first.
  await house.clock.advance(0.1 * keptMs);
  await put(house, 'a', 'old');
  const old = await bookmarkOf(house, 'a');
  await put(house, 'a', 'last');
  const last = await bookmarkOf(house, 'a');
  await fillJournal(house);
  await house.clock.advance(0.9 * keptMs);
  await fillJournal(house);
  await put(house, 'a', 'newest');
  await house.clock.advance(0.15 * keptMs);
  const ask = (bookmark: string): Promise<string> =>
    run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(bookmark));
  const giving = house.runtime.giveBackHistory();
  const error = await errorOf(ask(old));
  deepEqual([error.name, /older than the history that is kept/.test(error.message)], ['RangeError', true]);
  await ask(last);
  ok((await giving) > 0);
  await abort(house.stub('a'));
  equal(await valueOf(house, 'a'), 'last');
  await ask(none);
  await abort(house.stub('a'));
  equal(await valueOf(house, 'a'), undefined);
});

test('giveBackHistory while objects write loses nothing', async (t) => {
  const house = await openHouse(t, options);
  for (let round = 0; round < 10; round++) {
    await fillJournal(house);
    await house.clock.advance(0.6 * keptMs);
    const giving = house.runtime.giveBackHistory();
    const values = [0, 1, 2].map((index) => put(house, `object ${index}`, `${round}.${index}`));
    await Promise.all([giving, ...values]);
    if (round % 3 === 2) await house.reopen();
    for (const index of [0, 1, 2]) equal(await valueOf(house, `object ${index}`), `${round}.${index}`);
  }
});

test('a bookmark whose base image is gone is refused', async (t) => {
  const house = await openHouse(t, options);
  await put(house, 'a', 'old');
  const history = house.runtime.history(house.stub('a'));
  await history.restore(await history.current());
  const restored = await history.current();
  await put(house, 'a', 'new');
  const images = `${house.directory}/images`;
  const base = readdirSync(images, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('.base'),
  );
  rmSync(`${images}/${base}`);
  const error = await errorOf(history.restore(restored));
  deepEqual([error.name, /older than the history that is kept/.test(error.message)], ['RangeError', true]);
  equal(await valueOf(house, 'a'), 'new');
});
