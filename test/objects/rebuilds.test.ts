/**
 * The table rebuild of migration tools, everywhere an object's code can run, while the disk is busy: its result equals
 * that of plain SQLite, turn by turn. The differential suite asks workerd for the same rebuilds.
 */
import { deepEqual } from 'node:assert/strict';
import { setImmediate as macrotask } from 'node:timers/promises';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { realClock } from '#base';
import { type Rebuild, type RebuildStep, makeRebuild } from '../../conformance/modules/rebuilds.js';
import { HeldDisk } from './held-disk.ts';
import { type House, type Probe, type Stub, abort, openHouse, run } from './harness.ts';
import { type RebuildEnd, type StepEnd, endOf, predict } from './rebuild-oracle.ts';

type Turns = ReadonlyArray<readonly RebuildStep[]>;
/** Runs the steps in the object, in whatever turns. */
type Perform = (object: Probe, run: (steps: readonly RebuildStep[]) => void) => unknown;

interface Place {
  /** Where the code runs: a call, the constructor of a new life, or an alarm. */
  readonly as: 'call' | 'constructor' | 'alarm';
  readonly perform: (steps: readonly RebuildStep[]) => Perform;
  /** The resulting turns. */
  readonly turns: (steps: readonly RebuildStep[]) => Turns;
}

const log: readonly RebuildStep[] = [{ sql: 'INSERT INTO log VALUES (0)', writes: true }];

function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

const atOnce: Pick<Place, 'perform' | 'turns'> = {
  perform: (steps) => (_, runSteps) => runSteps(steps),
  turns: (steps) => [steps],
};

const inSectionBehindWrite: Pick<Place, 'perform' | 'turns'> = {
  perform: (steps) => (object, runSteps) => {
    runSteps(log);
    return object.state.blockConcurrencyWhile(async () => runSteps(steps));
  },
  turns: (steps) => [log, steps],
};

const behindTimers: Pick<Place, 'perform' | 'turns'> = {
  perform: (steps) => async (_, runSteps) => {
    runSteps(log);
    await pause();
    runSteps(log);
    await pause();
    runSteps(steps);
  },
  turns: (steps) => [log, log, steps],
};

const places: Readonly<Record<string, Place>> = {
  'the constructor': { as: 'constructor', ...atOnce },
  'a section of the constructor, behind a write': { as: 'constructor', ...inSectionBehindWrite },
  'a call': { as: 'call', ...atOnce },
  'the turn that wrote before': {
    as: 'call',
    perform: (steps) => async (_, runSteps) => {
      runSteps(log);
      await Promise.resolve();
      runSteps(steps);
    },
    turns: (steps) => [[...log, ...steps]],
  },
  'a section behind a write': { as: 'call', ...inSectionBehindWrite },
  'a section written beside': {
    as: 'call',
    perform: (steps) => (object, runSteps) => {
      const section = object.state.blockConcurrencyWhile(async () => runSteps(steps));
      runSteps(log);
      return section;
    },
    turns: (steps) => [log, steps],
  },
  'the turn behind a section': {
    as: 'call',
    perform: (steps) => async (object, runSteps) => {
      await object.state.blockConcurrencyWhile(() => runSteps(log));
      runSteps(steps);
    },
    turns: (steps) => [log, steps],
  },
  'the turn behind a transaction': {
    as: 'call',
    perform: (steps) => async (object, runSteps) => {
      await object.storage.transaction(() => runSteps(log));
      runSteps(steps);
    },
    turns: (steps) => [log, steps],
  },
  'a later turn': { as: 'call', ...behindTimers },
  'a later turn of an alarm': { as: 'alarm', ...behindTimers },
  'a section of an alarm': { as: 'alarm', ...inSectionBehindWrite },
  'a macrotask that the object knows nothing of': {
    as: 'call',
    perform: (steps) => async (_, runSteps) => {
      runSteps(log);
      await macrotask();
      runSteps(steps);
    },
    turns: (steps) => [log, steps],
  },
  'turns of its own for each step': {
    as: 'call',
    perform: (steps) => (object, runSteps) =>
      object.state.blockConcurrencyWhile(async () => {
        for (const step of steps) {
          runSteps([step]);
          await pause();
        }
      }),
    turns: (steps) => steps.map((step) => [step]),
  },
};

/** Makes the journal busy: until the disk is released, no record can become durable. */
async function makeBusy(house: House, disk: HeldDisk): Promise<{ kept: Promise<void> }> {
  disk.hold('syncs');
  const kept = run(house.stub('busy', 'kv'), ({ storage }) => storage.put('k', Math.random()));
  while (disk.held === 0) await macrotask();
  return { kept };
}

function askAll(stub: Stub, queries: readonly string[]): Promise<StepEnd[]> {
  return run(stub, ({ storage }) => queries.map((sql) => endOf(() => storage.sql.exec(sql).toArray())));
}

async function perform(
  { house, disk }: { house: House; disk: HeldDisk },
  name: string,
  place: Place,
  rebuild: Rebuild,
): Promise<RebuildEnd> {
  const stub = (): Stub => house.stub(name);
  await run(stub(), ({ storage }) => {
    for (const sql of rebuild.setup) storage.sql.exec(sql);
  });
  const ends: StepEnd[] = [];
  const done = Promise.withResolvers<void>();
  const stepCount = place.turns(rebuild.steps).flat().length;
  let started = false;
  const body = async (object: Probe): Promise<void> => {
    // After a reset in here, the next life must not do it again.
    if (started) return;
    started = true;
    await place.perform(rebuild.steps)(object, (steps) => {
      for (const { sql } of steps) ends.push(endOf(() => object.storage.sql.exec(sql).toArray()));
      if (ends.length === stepCount) done.resolve();
    });
  };
  if (place.as === 'constructor') {
    await abort(stub());
    house.onConstruct(name, (object) => void body(object));
  } else if (place.as === 'alarm') {
    house.onAlarm(name, body);
    await run(stub(), ({ storage }) => storage.setAlarm(Date.now() + 5));
  }
  const { kept } = await makeBusy(house, disk);
  const call = place.as === 'call' ? run(stub(), body) : run(stub(), () => {});
  const callEnd = call.then(
    () => false,
    () => true,
  );
  // A turn in the middle that cannot be committed ends the call.
  await Promise.race(place.as === 'call' ? [done.promise, callEnd] : [done.promise]);
  for (let turns = 0; turns < 5; turns++) await macrotask();
  disk.release();
  await kept;
  const called = await callEnd;
  const left = await askAll(stub(), rebuild.check);
  return { ends, reset: place.as === 'alarm' ? false : called, left };
}

for (const [title, place] of Object.entries(places)) {
  test(`a table rebuild in ${title} leaves what SQLite leaves`, async (t) => {
    const disk = new HeldDisk();
    const house = await openHouse(t, { fs: disk, clock: realClock });
    const all = new Map<string, { rebuild: Rebuild; left: readonly StepEnd[] }>();
    const numbers = fc.array(fc.nat({ max: 1000 }), { minLength: 10, maxLength: 80, size: 'max' });
    await fc.assert(
      fc.asyncProperty(numbers, async (chosen) => {
        const rebuild = makeRebuild(chosen);
        const name = `${title} ${all.size}`;
        const expected = predict(rebuild, place.turns(rebuild.steps));
        const end = await perform({ house, disk }, name, place, rebuild);
        all.set(name, { rebuild, left: end.left });
        deepEqual(end, place.as === 'alarm' ? { ...expected, reset: false } : expected);
      }),
      { numRuns: 20 },
    );
    await house.reopen();
    // Settings last for one life; rows and tables are permanent.
    for (const [name, { rebuild, left }] of all) {
      const isStored = (_: unknown, index: number): boolean => rebuild.check[index]!.startsWith('SELECT');
      const found = await askAll(house.stub(name), rebuild.check.filter(isStored));
      deepEqual(found, left.filter(isStored), `${name}, read from the journal`);
    }
  });
}
