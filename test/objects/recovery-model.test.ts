import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../faults/random.ts';
import { type House, abort, evictionMs, openHouse, run } from './harness.ts';
import { type Dump, dumpOf, randomChange, tablesOf } from './workload.ts';

interface Moment {
  readonly bookmark: string;
  readonly time: number;
  readonly dump: Dump;
}

/** A fixed seed, so that every run is the same; another seed tries another life. */
const seed = Number(process.env['RECOVERY_SEED'] ?? 4);
const steps = 300;
const restores = 200;

/** Restores from inside the object. Returns the bookmark that undoes it. */
async function restoreFromInside(house: House, bookmark: string): Promise<string> {
  const undo = await run(house.stub('a'), ({ storage }) => storage.onNextSessionRestoreBookmark(bookmark));
  await abort(house.stub('a'));
  return undo;
}

async function restoreFromOutside(house: House, bookmark: string): Promise<string> {
  return await house.runtime.history(house.stub('a')).restore(bookmark);
}

async function observe(house: House): Promise<Moment> {
  const [bookmark, dump] = await run(house.stub('a'), async (object) => [
    await object.storage.getCurrentBookmark(),
    await dumpOf(object),
  ]);
  return { bookmark, dump, time: house.clock.now() };
}

/** Makes the log since the last snapshot weigh more than its limit. */
async function outgrowSnapshot(house: House, step: number): Promise<void> {
  for (let writes = 0; writes < 12; writes++) {
    await run(house.stub('a'), ({ storage }) =>
      storage.put('filler', new Uint8Array(100_000).fill(step + writes)),
    );
  }
  await run(house.stub('a'), ({ storage }) => storage.delete('filler'));
}

async function live(house: House, random: Random): Promise<Moment[]> {
  const moments = [await observe(house)];
  for (let step = 1; step <= steps; step++) {
    if (step % 100 === 50) await outgrowSnapshot(house, step);
    await run(house.stub('a'), randomChange(random, step));
    moments.push(await observe(house));
    const event = random.below(32);
    if (event === 0) await house.reopen();
    else if (event === 1) await abort(house.stub('a'));
    else if (event === 2) await house.clock.advance(evictionMs);
    else await house.clock.advance(random.below(3) * 500);
    if (random.chance(0.02)) {
      const { bookmark, dump } = random.pick(moments);
      await (random.chance(0.5) ? restoreFromInside : restoreFromOutside)(house, bookmark);
      moments.push(await observe(house));
      deepEqual(moments.at(-1)!.dump, dump);
    }
  }
  return moments;
}

test('recovery restores exactly the state of any of 200 bookmarks, and undo the state before', async (t) => {
  t.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const house = await openHouse(t);
  const moments = await live(house, random);
  const bookmarks = moments.map(({ bookmark }) => bookmark);
  deepEqual(bookmarks, bookmarks.toSorted(), 'bookmarks sort as history went');
  ok((await house.countSnapshots()) > 1, 'the history has snapshots in it');

  for (let count = 0; count < restores; count++) {
    const before = await observe(house);
    const { bookmark, dump } = random.pick(moments);
    {
      using past = await house.runtime.history(house.stub('a')).readAt(bookmark);
      deepEqual(past.list(), dump.entries);
      deepEqual(tablesOf(past), dump.tables);
    }
    const undo = await (random.chance(0.5) ? restoreFromInside : restoreFromOutside)(house, bookmark);
    deepEqual((await observe(house)).dump, dump, `restore ${count} to ${bookmark}`);
    if (random.chance(0.2)) await house.reopen();
    if (random.chance(0.5)) continue;
    await (random.chance(0.5) ? restoreFromInside : restoreFromOutside)(house, undo);
    deepEqual((await observe(house)).dump, before.dump, `undo of restore ${count}`);
  }
  await house.checkDisk();
});

test('getBookmarkForTime names the last state at or before that time', async (t) => {
  const random = new Random(seed + 1);
  const house = await openHouse(t);
  const start = house.clock.now();
  await house.clock.advance(10_000);
  const moments = await live(house, random);
  const history = house.runtime.history(house.stub('a'));
  const end = house.clock.now();
  for (let count = 0; count < 100; count++) {
    const time = start + random.below(end - start + 1);
    const expected = moments.findLast((moment) => moment.time <= time)?.bookmark ?? moments[0]!.bookmark;
    equal(await history.bookmarkForTime(time), expected);
    const asked = random.chance(0.5) ? time : new Date(time);
    equal(await run(house.stub('a'), ({ storage }) => storage.getBookmarkForTime(asked)), expected);
  }
});
