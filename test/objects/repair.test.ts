/** Deleted or damaged files: what scrub finds, what export reports, and what repair can and cannot restore. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { type Repair, type Runtime, createRuntime, repairDirectory } from '#objects';
import { type House, openHouse, run, temporaryDirectory } from './harness.ts';

const segmentBytes = 256 * 1024;

function filesOf(directory: string, pattern: RegExp): string[] {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => pattern.test(name)).toSorted();
}

const snapshots = /^images\/.*\.snapshot$/;
const bases = /^images\/.*\.base$/;
const runs = /^tables\/.*\.run$/;
const segments = /^journal\/.*\.log$/;

/** Writes until a snapshot was taken. */
async function forceSnapshot(house: House, name: string): Promise<void> {
  const before = filesOf(house.directory, snapshots).length;
  for (let writes = 0; filesOf(house.directory, snapshots).length === before; writes++) {
    ok(writes < 100, 'a snapshot was taken');
    await run(house.stub(name), ({ storage }) => storage.put('filler', randomBytes(100_000)));
    await house.clock.untilIdle();
  }
}

interface Made {
  readonly directory: string;
  /** The base image of the object with that name. */
  readonly restored: string;
  readonly imported: string;
}

/**
 * `plain` has two snapshots, `restored` a base that a restore made, `imported` one of an import, `kept` is a key-value
 * object. The final contents of each are under `value`.
 */
async function makeDirectory(t: TestContext): Promise<Made> {
  const house = await openHouse(t, { segmentBytes });
  const put = (name: string, value: string, kind = 'sql'): Promise<void> =>
    run(house.stub(name, kind), ({ storage }) => storage.put('value', value));
  await put('plain', 'first');
  await forceSnapshot(house, 'plain');
  await put('plain', 'second');
  await forceSnapshot(house, 'plain');
  await put('plain', 'last');

  await put('restored', 'goal');
  const history = house.runtime.history(house.stub('restored'));
  const goal = await history.current();
  await put('restored', 'mistake');
  await history.restore(goal);

  const file = `${temporaryDirectory(t)}/import.sqlite`;
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE imported (value TEXT); INSERT INTO imported VALUES ('from outside')");
  database.close();
  await house.runtime.history(house.stub('imported')).importFrom(file);
  await put('kept', 'key-value', 'kv');
  // Image files are named after the object's id.
  const baseOf = (name: string): string =>
    filesOf(house.directory, bases).find((each) => each.includes(house.stub(name).id.toString()))!;
  const made = { directory: house.directory, restored: baseOf('restored'), imported: baseOf('imported') };
  await house.reopen();
  await house.runtime.close();
  return made;
}

function copyOf(t: TestContext, directory: string): string {
  const copy = temporaryDirectory(t);
  cpSync(directory, copy, { recursive: true });
  return copy;
}

function open(directory: string, options: { salvage?: boolean } = {}): Promise<Runtime> {
  return createRuntime({ directory, classes: 'recorded', segmentBytes, log: () => {}, ...options });
}

async function scrub(directory: string): Promise<Array<{ file: string; problem: string }>> {
  await using runtime = await open(directory, { salvage: true });
  return await Array.fromAsync(runtime.scrub());
}

function repair(directory: string, { dryRun = false } = {}): Promise<Repair[]> {
  return Array.fromAsync(repairDirectory({ directory, dryRun, segmentBytes, log: () => {} }));
}

/** The contents of an object under `value`. */
async function valueOf(directory: string, name: string): Promise<unknown> {
  await using runtime = await open(directory);
  const history = runtime.history(runtime.namespace('sql').idFromName(name));
  using past = await history.readAt(await history.current());
  return past.get('value');
}

async function exportOf(directory: string, name: string, to: string): Promise<void> {
  await using runtime = await open(directory, { salvage: true });
  await runtime.history(runtime.namespace('sql').idFromName(name)).exportTo(to);
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at < 0 ? bytes.length + at : at]! ^= 0x10;
  writeFileSync(file, bytes);
}

const damages = {
  missing: (file: string) => rmSync(file),
  flipped: (file: string) => flip(file, 200),
  'cut short': (file: string) => {
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, bytes.length / 2));
  },
};

test('scrub and repair find nothing in a directory that is whole', async (t) => {
  const { directory } = await makeDirectory(t);
  equal(filesOf(directory, snapshots).length, 2);
  equal(filesOf(directory, bases).length, 2);
  ok(filesOf(directory, segments).length > 2 && filesOf(directory, runs).length > 0);
  deepEqual(await scrub(directory), []);
  deepEqual(await repair(directory), []);
});

test('repair rebuilds snapshots and restored bases from the log, whatever happened to them', async (t) => {
  const { directory, restored } = await makeDirectory(t);
  const [older, newer] = filesOf(directory, snapshots) as [string, string];
  for (const [kind, damage] of Object.entries(damages)) {
    for (const lost of [[newer], [older], [older, newer], [restored]]) {
      const copy = copyOf(t, directory);
      for (const file of lost) damage(`${copy}/${file}`);
      const found = await scrub(copy);
      deepEqual(
        found.map(({ file }) => file).toSorted(),
        lost.map((file) => `${copy}/${file}`),
        kind,
      );
      const name = lost.includes(restored) ? 'restored' : 'plain';
      if (lost.includes(newer) || name === 'restored') {
        const code = kind === 'missing' ? 'IMAGE_MISSING' : 'IMAGE_DAMAGED';
        await rejects(exportOf(copy, name, `${copy}/out.sqlite`), {
          code,
          message: /gatehouse objects repair/,
        });
      }

      const before = filesOf(copy, /^images\//);
      const planned = await repair(copy, { dryRun: true });
      deepEqual(
        planned.map(({ file, outcome }) => [file, outcome]),
        lost.map((file) => [`${copy}/${file}`, 'rebuildable']),
      );
      deepEqual(filesOf(copy, /^images\//), before, 'a dry run changes nothing');

      const done = await repair(copy);
      deepEqual(
        done.map(({ object, file, outcome }) => [object?.className, object?.name, file, outcome]),
        lost.map((file) => ['sql', name, `${copy}/${file}`, 'rebuilt']),
      );
      for (const file of lost) {
        deepEqual(readFileSync(`${copy}/${file}`), readFileSync(`${directory}/${file}`), `${kind} ${file}`);
        equal(filesOf(copy, /\.damaged$/).includes(`${file}.damaged`), kind !== 'missing');
      }
      deepEqual(await scrub(copy), []);
      equal(await valueOf(copy, name), name === 'plain' ? 'last' : 'goal');
    }
  }
});

test('repair says what an import held is lost, and what of the object can still be read', async (t) => {
  const { directory, imported } = await makeDirectory(t);
  rmSync(`${directory}/${imported}`);
  await rejects(exportOf(directory, 'imported', `${directory}/out.sqlite`), { code: 'IMAGE_MISSING' });
  const told = await repair(directory);
  deepEqual(
    told.map(({ object, outcome }) => [object?.name, outcome]),
    [
      ['imported', 'lost'],
      ['imported', 'lost'],
    ],
  );
  match(told[0]!.detail, /it was imported, .* Import the file again/);
  match(told[1]!.detail, /^its present state: no state of it can be read/);
  equal(await valueOf(directory, 'plain'), 'last');
});

test('repair rebuilds the tables while the log reaches back to its start, and keeps the damaged ones', async (t) => {
  const { directory } = await makeDirectory(t);
  const [file] = filesOf(directory, runs) as [string];
  for (const [kind, damage] of Object.entries({ ...damages, flipped: (each: string) => flip(each, 20) })) {
    for (const lost of [file, 'tables/manifest']) {
      const copy = copyOf(t, directory);
      damage(`${copy}/${lost}`);
      const [planned, ...others] = await repair(copy, { dryRun: true });
      deepEqual([planned?.outcome, others], ['rebuildable', []], `${kind} ${lost}`);
      const [done, ...more] = await repair(copy);
      deepEqual([done?.outcome, more], ['rebuilt', []], `${kind} ${lost}`);
      match(done!.detail, /the damaged ones are in .*\/tables\.damaged-1$/);
      ok(filesOf(copy, /^tables\.damaged-1\//).length > 0);
      deepEqual(await scrub(copy), []);
      deepEqual(await repair(copy), []);
      for (const [name, value] of [
        ['plain', 'last'],
        ['restored', 'goal'],
      ] as const)
        equal(await valueOf(copy, name), value);
      await using runtime = await open(copy);
      deepEqual(
        (await Array.fromAsync(runtime.objects('kv'))).map(({ name }) => name),
        ['kept'],
      );
    }
  }
});

test('scrub finds missing files of the log, and repair says object by object what they took', async (t) => {
  const { directory } = await makeDirectory(t);
  const all = filesOf(directory, segments);
  const oldest = copyOf(t, directory);
  rmSync(`${oldest}/${all[0]}`);
  const [found] = await scrub(oldest);
  match(
    found!.problem,
    /its record at position \d+ is missing: .*journal keeps \d+ to \d+; object \d+-[0-9a-f]{64} needs it/,
  );
  const told = await repair(oldest);
  // Its newest snapshot stands in for the records before it.
  deepEqual(
    told.map(({ object, outcome, detail }) => [object?.name, outcome, /present state is whole/.test(detail)]),
    [['plain', 'lost', true]],
  );
  equal(await valueOf(oldest, 'plain'), 'last');

  const middle = copyOf(t, directory);
  rmSync(`${middle}/${all[1]}`);
  await rejects(open(middle), { code: 'JOURNAL_DAMAGED' });
  const [gap] = await scrub(middle);
  equal(gap!.file, `${middle}/${all[0]}`);
  match(gap!.problem, /a segment is truncated, or the one after it is missing/);
  const lost = await repair(middle);
  deepEqual(
    lost.map(({ object, outcome }) => [object?.name, outcome]),
    [['plain', 'lost']],
  );
  await exportOf(middle, 'plain', `${middle}/out.sqlite`);

  const newest = copyOf(t, directory);
  rmSync(`${newest}/${all.at(-1)}`);
  await rejects(scrub(newest), { code: 'JOURNAL_DAMAGED' });
});

test('repair says that tables cannot be rebuilt once the log has dropped its start', async (t) => {
  const { directory } = await makeDirectory(t);
  const [first] = filesOf(directory, segments) as [string];
  rmSync(`${directory}/${first}`);
  for (const file of filesOf(directory, runs)) rmSync(`${directory}/${file}`);
  const told = await repair(directory);
  deepEqual(
    told.map(({ outcome, object }) => [outcome, object]),
    [['lost', undefined]],
  );
  match(
    told[0]!.detail,
    /the tables cannot be rebuilt, the log reaches back to position \d+ only.* Put the directory back from a backup/,
  );
  equal(filesOf(directory, /^tables\.damaged/).length, 0);
});

test('an object whose snapshot is missing fails with a coded error and is back once it is repaired while the runtime is open', async (t) => {
  const house = await openHouse(t, { segmentBytes });
  await run(house.stub('plain'), ({ storage }) => storage.put('value', 1));
  await forceSnapshot(house, 'plain');
  const [file] = filesOf(house.directory, snapshots) as [string];
  await house.reopen();
  rmSync(`${house.directory}/${file}`);
  await rejects(
    run(house.stub('plain'), ({ storage }) => storage.get('value')),
    /the file is missing: .*\.snapshot at byte 0\. gatehouse objects repair rebuilds/,
  );
  const told = await Array.fromAsync(house.runtime.repair());
  deepEqual(
    told.map(({ outcome }) => outcome),
    ['rebuilt'],
  );
  equal(await run(house.stub('plain'), ({ storage }) => storage.get('value')), 1);
});
