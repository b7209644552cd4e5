import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { AlarmInfo } from '#objects';
import {
  type House,
  Probe,
  abort,
  errorOf,
  evictionMs,
  kinds,
  openHouse,
  run,
  turn,
  turnsUntil,
} from './harness.ts';
import { HeldDisk } from './held-disk.ts';

interface Run extends AlarmInfo {
  /** Milliseconds since the alarm was set up. */
  readonly at: number;
}

/** Records every run of the object's alarm, then calls `then`. */
function record(house: House, name: string, then: (run: Run) => unknown = () => {}): Run[] {
  const start = house.clock.now();
  const runs: Run[] = [];
  house.onAlarm(name, async (_object, info) => {
    const one = { at: house.clock.now() - start, ...info };
    runs.push(one);
    await then(one);
  });
  return runs;
}

function setAlarm(house: House, delay: number, kind = 'sql', name = 'a'): Promise<void> {
  return run(house.stub(name, kind), ({ storage }) => storage.setAlarm(house.clock.now() + delay));
}

function alarmOf(house: House, kind = 'sql', name = 'a'): Promise<number | null> {
  return run(house.stub(name, kind), ({ storage }) => storage.getAlarm());
}

for (const kind of kinds) {
  test(`alarm, ${kind}, runs once, at its time and never before, and is gone then`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a');
    const start = house.clock.now();
    await setAlarm(house, 60_000, kind);
    equal(await alarmOf(house, kind), start + 60_000);
    await house.clock.advance(59_999);
    deepEqual(runs, []);
    await house.clock.advance(1);
    deepEqual(runs, [{ at: 60_000, scheduledTime: start + 60_000, retryCount: 0, isRetry: false }]);
    equal(await alarmOf(house, kind), null);
    await house.clock.advance(24 * 60 * 60_000);
    equal(runs.length, 1);
  });

  test(`alarm, ${kind}, set again is moved, deleted is gone, and follows a rollback`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a');
    await setAlarm(house, 5_000, kind);
    await setAlarm(house, 20_000, kind);
    await house.clock.advance(10_000);
    equal(runs.length, 0);
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.transaction(async (txn) => {
        await txn.deleteAlarm();
        txn.rollback();
      });
    });
    await house.clock.advance(10_000);
    equal(runs.length, 1);
    await setAlarm(house, 5_000, kind);
    await run(house.stub('a', kind), ({ storage }) => storage.deleteAlarm());
    await house.clock.advance(10_000);
    equal(runs.length, 1);
  });

  test(`alarm, ${kind}, of the past runs at once, clamped to now`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a');
    const now = house.clock.now();
    const stored = await run(house.stub('a', kind), async ({ storage }) => {
      await storage.setAlarm(now - 5_000.7);
      return await storage.getAlarm();
    });
    equal(stored, now);
    await house.clock.untilIdle();
    deepEqual(
      runs.map(({ at, scheduledTime }) => [at, scheduledTime]),
      [[0, now]],
    );
  });

  test(`alarm, ${kind}, that keeps failing is retried 6 times, 2 to 64 s apart, then dropped`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a', () => {
      throw new Error('again');
    });
    const start = house.clock.now();
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(10 * 60_000);
    deepEqual(
      runs.map(({ retryCount, isRetry, scheduledTime }) => [retryCount, isRetry, scheduledTime - start]),
      [0, 1, 2, 3, 4, 5, 6].map((count) => [count, count > 0, 1_000]),
    );
    for (let count = 1; count < runs.length; count++) {
      const delay = runs[count]!.at - runs[count - 1]!.at;
      const least = 2_000 * 2 ** (count - 1);
      ok(delay >= least && delay <= least * 1.25, `retry ${count} came after ${delay} ms`);
    }
    equal(await alarmOf(house, kind), null);
    await house.reopen();
    await house.clock.advance(60 * 60_000);
    equal(runs.length, 7);
  });

  test(`alarm, ${kind}, survives a restart, and an overdue one runs at start, without any request, by its name`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a');
    await setAlarm(house, 60_000, kind);
    await house.runtime.close();
    await house.clock.advance(120_000);
    deepEqual(runs, []);
    await house.reopen();
    await house.clock.untilIdle();
    // `record` is bound to the name: had the object not known it, nothing would have been recorded.
    deepEqual(
      runs.map(({ at }) => at),
      [120_000],
    );
    await house.reopen();
    await house.clock.advance(120_000);
    equal(runs.length, 1);
  });

  test(`alarm, ${kind}, survives deleteAll and eviction`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a');
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('key', 1);
      await storage.setAlarm(house.clock.now() + 60_000);
    });
    const at = await alarmOf(house, kind);
    await run(house.stub('a', kind), ({ storage }) => storage.deleteAll());
    equal(await alarmOf(house, kind), at);
    await house.clock.advance(evictionMs);
    equal(await alarmOf(house, kind), at);
    await house.reopen();
    equal(await alarmOf(house, kind), at);
    await house.clock.advance(60_000);
    equal(runs.length, 1);
  });

  test(`alarm, ${kind}, goes with deleteAll if the class wants that`, async (t) => {
    const house = await openHouse(t, {
      classes: { [kind]: { class: Probe, storage: kind, deleteAllDeletesAlarm: true } },
    });
    const runs = record(house, 'a');
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.put('key', 1);
      await storage.setAlarm(house.clock.now() + 60_000);
    });
    await run(house.stub('a', kind), async ({ storage }) => {
      await storage.deleteAll();
      equal(await storage.getAlarm(), null);
    });
    equal(await alarmOf(house, kind), null);
    await house.reopen();
    equal(await alarmOf(house, kind), null);
    await house.clock.advance(120_000);
    equal(runs.length, 0);
    // An alarm that is set afterwards, in the same turn, is not affected.
    await run(house.stub('a', kind), ({ storage }) => {
      void storage.deleteAll();
      void storage.setAlarm(house.clock.now() + 1_000);
    });
    await house.reopen();
    await house.clock.advance(1_000);
    equal(runs.length, 1);
  });

  test(`alarm, ${kind}, is not tried again after deleteAll in its handler if the class wants that`, async (t) => {
    const house = await openHouse(t, {
      classes: { [kind]: { class: Probe, storage: kind, deleteAllDeletesAlarm: true } },
    });
    let runs = 0;
    house.onAlarm('a', async ({ storage }) => {
      runs++;
      await storage.deleteAll();
      throw new Error('after deleteAll');
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(600_000);
    equal(runs, 1);
  });

  test(`alarm, ${kind}, is null inside its handler until the handler sets one`, async (t) => {
    const house = await openHouse(t);
    const seen: unknown[] = [];
    house.onAlarm('a', async ({ storage }) => {
      seen.push(await storage.getAlarm());
      if (seen.length > 3) return;
      await storage.setAlarm(house.clock.now() + 1_000);
      seen.push((await storage.getAlarm())! - house.clock.now());
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(60_000);
    deepEqual(seen, [null, 1_000, null, 1_000, null]);
    equal(await alarmOf(house, kind), null);
  });

  test(`alarm, ${kind}, set by its own handler to now runs again, one run after the other`, async (t) => {
    const house = await openHouse(t);
    let running = 0;
    let most = 0;
    let runs = 0;
    house.onAlarm('a', async ({ storage }) => {
      most = Math.max(most, ++running);
      if (++runs < 4) await storage.setAlarm(house.clock.now());
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(5_000);
    deepEqual([runs, most], [4, 1]);
  });

  test(`alarm, ${kind}, whose handler set another and then failed is not retried; the other runs afresh`, async (t) => {
    const house = await openHouse(t);
    const runs: Array<[number, number]> = [];
    const start = house.clock.now();
    house.onAlarm('a', async ({ storage }, { retryCount }) => {
      runs.push([house.clock.now() - start, retryCount]);
      if (runs.length > 1) return;
      await storage.put('kept', 1);
      await storage.setAlarm(house.clock.now() + 30_000);
      throw new Error('after setting');
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(10 * 60_000);
    deepEqual(runs, [
      [1_000, 0],
      [31_000, 0],
    ]);
    equal(await run(house.stub('a', kind), ({ storage }) => storage.get('kept')), 1);
  });

  test(`alarm, ${kind}, whose handler deleted it and then failed is not retried`, async (t) => {
    const house = await openHouse(t);
    let runs = 0;
    house.onAlarm('a', async ({ storage }) => {
      runs++;
      await storage.deleteAlarm();
      throw new Error('after deleting');
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(10 * 60_000);
    equal(runs, 1);
  });

  test(`alarm, ${kind}, whose handler rolled its own setAlarm back is done when the handler is`, async (t) => {
    const house = await openHouse(t);
    let runs = 0;
    house.onAlarm('a', async ({ storage }) => {
      // Even if it runs repeatedly, it must end.
      if (++runs > 3) return;
      await storage.transaction(async (txn) => {
        await txn.setAlarm(house.clock.now() + 1_000);
        txn.rollback();
      });
      await storage
        .transaction(async (txn) => {
          await txn.deleteAlarm();
          throw new Error('no');
        })
        .catch(() => {});
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(60_000);
    equal(runs, 1);
    equal(await alarmOf(house, kind), null);
  });

  test(`alarm, ${kind}, whose handler aborts is retried by a fresh object, or not if it says so`, async (t) => {
    const house = await openHouse(t);
    const seen: unknown[] = [];
    house.onAlarm('a', (object, { retryCount }) => {
      seen.push([retryCount, object.memory]);
      object.memory = 'used';
      if (retryCount < 2) object.state.abort('again');
      object.state.abort('never again', { retryAlarm: false });
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(10 * 60_000);
    deepEqual(seen, [
      [0, undefined],
      [1, undefined],
      [2, undefined],
    ]);
    equal(await alarmOf(house, kind), null);
  });

  test(`alarm, ${kind}, moved while a retry waits takes the retry's place`, async (t) => {
    const house = await openHouse(t);
    const runs = record(house, 'a', ({ retryCount, at }) => {
      if (at < 2_000) throw new Error(`run ${retryCount}`);
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(1_500);
    await setAlarm(house, 60_000, kind);
    await house.clock.advance(120_000);
    deepEqual(
      runs.map(({ at, retryCount }) => [at, retryCount]),
      [
        [1_000, 0],
        [61_500, 0],
      ],
    );
  });

  test(`alarm, ${kind}, that takes too long counts as failed, and goes no further`, async (t) => {
    const house = await openHouse(t);
    const events: string[] = [];
    house.onAlarm('a', async (_object, { retryCount }) => {
      events.push(`run ${retryCount}`);
      if (retryCount > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20 * 60_000));
      events.push('goes on beside its retry');
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(15 * 60_000);
    deepEqual(events, ['run 0']);
    await house.clock.advance(60 * 60_000);
    deepEqual(events, ['run 0', 'run 1']);
  });

  test(`alarm, ${kind}, set again right after the last retry failed is not dropped with it`, async (t) => {
    const disk = new HeldDisk();
    const house = await openHouse(t, { fs: disk, limits: { alarmRetriesMax: 0 } });
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    house.onAlarm('a', async () => {
      if (++runs > 1) return;
      await gate.promise;
      throw new Error('the last time');
    });
    await setAlarm(house, 1_000, kind);
    await house.clock.advance(1_000);
    equal(runs, 1);
    disk.hold('syncs');
    gate.resolve();
    const later = setAlarm(house, 60_000, kind);
    await turnsUntil(() => disk.held > 0);
    for (let turns = 0; turns < 20; turns++) await turn();
    disk.release();
    await later;
    ok((await alarmOf(house, kind)) !== null);
    await house.clock.advance(120_000);
    equal(runs, 2);
  });
}

test('setAlarm refuses invalid times with the message of workerd', async (t) => {
  const house = await openHouse(t);
  const messageFor = async (time: unknown): Promise<string> => {
    const error = await errorOf(run(house.stub('a'), ({ storage }) => storage.setAlarm(time as number)));
    return `${error.name}: ${error.message}`;
  };
  for (const time of [0, -1, 0.5, new Date(0)]) {
    equal(await messageFor(time), 'TypeError: setAlarm() cannot be called with an alarm time <= 0');
  }
  for (const time of [Number.NaN, Infinity, -Infinity, new Date(Number.NaN)]) {
    equal(await messageFor(time), 'TypeError: The value cannot be converted because it is not a valid Date.');
  }
  equal(await messageFor(Date.UTC(2300, 0)), "TypeError: This API doesn't support dates after 2189.");
  for (const time of ['1', true, null, undefined, {}, 5n]) {
    equal(
      await messageFor(time),
      "TypeError: Failed to execute 'setAlarm' on 'DurableObjectStorage': parameter 1 is not of type 'date'.",
    );
  }
  const silent = await errorOf(
    run(house.stub('a', 'silent'), ({ storage }) => storage.setAlarm(house.clock.now() + 1)),
  );
  equal(silent.message, 'Your Durable Object class must have an alarm() handler in order to call setAlarm()');
  equal(await alarmOf(house), null);
});

test('setAlarm takes a Date and drops fractions', async (t) => {
  const house = await openHouse(t);
  const at = house.clock.now() + 1_000;
  const stored = await run(house.stub('a'), async ({ storage }) => {
    await storage.setAlarm(new Date(at));
    const first = await storage.getAlarm();
    await storage.setAlarm(at + 5.9);
    return [first, await storage.getAlarm()];
  });
  deepEqual(stored, [at, at + 5]);
});

test('setAlarm of the time that is already set is not a write', async (t) => {
  const house = await openHouse(t);
  await setAlarm(house, 60_000);
  const before = await run(house.stub('a'), ({ storage }) => storage.getCurrentBookmark());
  await setAlarm(house, 60_000);
  equal(await run(house.stub('a'), ({ storage }) => storage.getCurrentBookmark()), before);
});

test('requests interleave with a running alarm', async (t) => {
  const house = await openHouse(t);
  const events: string[] = [];
  house.onAlarm('a', async () => {
    events.push('alarm in');
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    events.push('alarm out');
  });
  await setAlarm(house, 1_000);
  await house.clock.advance(2_000);
  await run(house.stub('a'), () => void events.push('request'));
  await house.clock.advance(5_000);
  deepEqual(events, ['alarm in', 'request', 'alarm out']);
});

test('a handler that writes before it fails keeps what it wrote', async (t) => {
  const house = await openHouse(t);
  house.onAlarm('a', async ({ storage }, { retryCount }) => {
    await storage.put(`run ${retryCount}`, 1);
    if (retryCount === 0) throw new Error('once');
  });
  await setAlarm(house, 1_000);
  await house.clock.advance(60_000);
  deepEqual([...(await run(house.stub('a'), ({ storage }) => storage.list())).keys()], ['run 0', 'run 1']);
});

test('an alarm waits for a constructor that fails, and is retried', async (t) => {
  const house = await openHouse(t);
  const runs = record(house, 'a');
  await setAlarm(house, 60_000);
  await house.clock.advance(evictionMs);
  let lives = 0;
  house.onConstruct('a', () => {
    if (++lives === 1) throw new Error('not yet');
  });
  await house.clock.advance(10 * 60_000);
  deepEqual(
    runs.map(({ retryCount }) => retryCount),
    [1],
  );
});

test('VirtualClock.runNextAlarm jumps to the next alarm and answers whether there was one', async (t) => {
  const house = await openHouse(t);
  const first = record(house, 'a');
  const second = record(house, 'b');
  await setAlarm(house, 60 * 60_000, 'sql', 'a');
  await setAlarm(house, 30 * 60_000, 'kv', 'b');
  equal(await house.clock.runNextAlarm(), true);
  deepEqual([first.length, second.length], [0, 1]);
  equal(await house.clock.runNextAlarm(), true);
  deepEqual([first.length, second.length], [1, 1]);
  deepEqual([first[0]!.at, second[0]!.at], [60 * 60_000, 30 * 60_000]);
  equal(await house.clock.runNextAlarm(), false);
});

test('VirtualClock.advance waits for a disk that is slow to read', async (t) => {
  const disk = new HeldDisk();
  const house = await openHouse(t, { fs: disk });
  let found: unknown;
  house.onAlarm('a', async ({ storage }) => void (found = await storage.get('large')));
  await run(house.stub('a', 'kv'), async ({ storage }) => {
    await storage.put('large', 'x'.repeat(100_000));
    await storage.setAlarm(house.clock.now() + 60_000);
  });
  await house.reopen();
  disk.hold('reads');
  let done = false;
  const advanced = house.clock.advance(60_000).then(() => (done = true));
  await turnsUntil(() => disk.held > 0);
  for (let turns = 0; turns < 50; turns++) await turn();
  equal(done, false);
  disk.release();
  await advanced;
  equal(found, 'x'.repeat(100_000));
});

test('many alarms at the same time all run', async (t) => {
  const house = await openHouse(t);
  const names = Array.from({ length: 40 }, (_, index) => `object ${index}`);
  const runs = names.map((name) => record(house, name));
  await Promise.all(names.map((name, index) => setAlarm(house, 5_000, index % 2 === 0 ? 'kv' : 'sql', name)));
  await house.clock.advance(5_000);
  deepEqual(
    runs.map((one) => one.map(({ at }) => at)),
    names.map(() => [5_000]),
  );
});

test('an alarm whose object was reset before it was durable does not fire', async (t) => {
  const house = await openHouse(t);
  const runs = record(house, 'a');
  await errorOf(
    run(house.stub('a'), async ({ state, storage }) => {
      await storage.setAlarm(house.clock.now() + 1_000);
      state.abort();
    }),
  );
  await house.clock.advance(5_000);
  deepEqual(runs, []);
  await abort(house.stub('a'));
});
