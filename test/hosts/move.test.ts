/** Another number of hosts: the objects move, with all their data and history, and survive a crash at any point. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createLog } from '#base';
import { arrangeDirectory, arrangeForOneProcess, createHosts, openRecorded } from '#hosts';
import { type ObjectRuntime, type Runtime, VirtualClock, createRuntime } from '#objects';
import { decodeValue } from '#values';
import { exploreMoves, refuseMoves } from '../crash/moves.ts';
import { classes } from './objects.ts';
import './quick-start.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- any method of Probe
type Stub = any;

const log = createLog({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
const module = new URL('./objects.ts', import.meta.url);
const segmentBytes = 64 * 1024;
const names = Array.from({ length: 6 }, (_, i) => `object ${i}`);

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-move-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

/** Objects of both kinds with a history: many writes, restores, an alarm, deleted values, deleted history. */
async function fill(directory: string): Promise<void> {
  const clock = new VirtualClock();
  const parts = { directory, clock, segmentBytes, retentionMs: 60_000, log: () => {} };
  await using runtime = await createRuntime({ ...parts, classes });
  const stub = (name: string, className = 'Probe'): Stub => runtime.namespace(className).getByName(name);
  for (let round = 0; round < 30; round++) {
    for (const [i, name] of names.entries()) {
      await stub(name).put(`key ${round % 4}`, `${round} ${'x'.repeat(600 * i)}`);
      await stub(name, 'Store').put(`key ${round % 4}`, `${round}`);
    }
    await clock.advance(5_000);
    if (round === 18) await runtime.giveBackHistory();
  }
  const history = runtime.history(stub(names[1]!));
  await history.restore((await history.points())[3]!.bookmark);
  await history.restore((await history.points())[6]!.bookmark);
  await stub(names[2]!).ringAt(clock.now() + 1e9);
  await stub(names[3]!, 'Store').ringAt(clock.now() + 2e9);
  await stub(names[1]!).put('after', 'the restore');
  // A restore that is requested and not done before the directory is closed.
  await stub(names[4]!).restoreLater((await runtime.history(stub(names[4]!)).points())[5]!.bookmark);
}

interface Described {
  readonly bookmarks: ReadonlyMap<string, readonly string[]>;
  readonly content: unknown;
}

/** All readable data, with the bookmarks separate: a moved object has other bookmarks. */
async function describeAll(runtime: ObjectRuntime, before?: Described): Promise<Described> {
  const bookmarks = new Map<string, string[]>();
  const content: Record<string, unknown> = {};
  for (const { id, name } of await Array.fromAsync(runtime.objects('Probe'))) {
    const history = runtime.history(id);
    const points = await history.points();
    bookmarks.set(
      name!,
      points.map(({ bookmark }) => bookmark),
    );
    const states: unknown[] = [];
    for (const bookmark of before?.bookmarks.get(name!) ?? bookmarks.get(name!)!) {
      using past = await history.readAt(bookmark);
      states.push([...past.list()]);
    }
    content[name!] = {
      id: String(id),
      points: points.map(({ time, kind }) => ({ time, kind })),
      states,
      alarm: await runtime.alarmTime(id),
    };
  }
  for (const { id, name } of await Array.fromAsync(runtime.objects('Store'))) {
    const values = await Array.fromAsync(runtime.storedValues(id));
    content[`store ${name}`] = values.map(([key, value]) => [key, decodeValue(value)]);
  }
  const alarms = await Array.fromAsync(runtime.alarms());
  content['alarms'] = alarms.map(({ id, time }) => `${id.toString()} ${time}`).toSorted();
  assert.deepEqual(await Array.fromAsync(runtime.scrub()), []);
  assert.deepEqual(await Array.fromAsync(runtime.repair({ dryRun: true })), []);
  return { bookmarks, content: Object.fromEntries(Object.entries(content).toSorted()) };
}

async function describeDirectory(directory: string, before?: Described): Promise<Described> {
  await using runtime = await openRecorded({ directory });
  return await describeAll(runtime, before);
}

test('createHosts moves objects to another number of hosts with their history and their bookmarks', async (t) => {
  const directory = temporary(t);
  await fill(directory);
  const original = await describeDirectory(directory);
  const expectSame = async (): Promise<void> =>
    assert.deepEqual((await describeDirectory(directory, original)).content, original.content);
  {
    await using hosts = await createHosts({
      directory,
      hosts: 2,
      module,
      log: quiet,
      clock: new VirtualClock(),
      segmentBytes,
    });
    assert.deepEqual((await describeAll(hosts, original)).content, original.content);
  }
  await expectSame();
  await assert.rejects(createRuntime({ directory, classes }), { code: 'HOSTS_MISMATCH' });
  for (const hosts of [3, 1]) {
    assert.equal((await arrangeDirectory({ directory, hosts, segmentBytes }))?.hosts, hosts);
    await expectSame();
  }
  await arrangeForOneProcess({ directory, log: quiet });
  await expectSame();
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.startsWith('host')),
    [],
  );
  await continueIn(directory, original);
});

/** A requested restore is done, and old bookmarks restore the old states and undo later changes. */
async function continueIn(directory: string, original: Described): Promise<void> {
  await using runtime: Runtime = await createRuntime({ directory, classes, log: () => {} });
  const stub = (name: string): Stub => runtime.namespace('Probe').getByName(name);
  const wanted = new Map(
    (original.content as Record<string, { states: [string, unknown][][] }>)[names[4]!]!.states[6],
  );
  assert.equal(await stub(names[4]!).get('key 1'), wanted.get('key 1'));
  const history = runtime.history(stub(names[2]!));
  const [newest] = original.bookmarks.get(names[2]!)!;
  await stub(names[2]!).put('key 1', 'changed');
  await history.restore(newest!);
  assert.notEqual(await stub(names[2]!).get('key 1'), 'changed');
}

const quiet = createLog({ level: 'error', format: 'text', write: () => {} });

test('createHosts moves the objects of a directory whose hosts were never started', async (t) => {
  const directory = temporary(t);
  const broken = { directory, hosts: 1, module: import.meta.resolve('#base'), log: quiet };
  await assert.rejects(createHosts(broken), /must export classes/);
  await using hosts = await createHosts({ directory, hosts: 2, module, log });
  assert.equal(await hosts.namespace('Probe').getByName('a').increment(), 1);
});

test('arrangeDirectory loses nothing and doubles nothing in a crash at any step of a move', async () => {
  await exploreMoves({ seed: 1, states: 40 });
});

test('arrangeDirectory leaves everything as it was if the disk refuses a write', async () => {
  await refuseMoves({ seed: 1, moves: 12 });
});

test('createHosts says which file is wrong if it does not say where the objects are', async (t) => {
  const directory = temporary(t);
  for (const content of ['', '{"hosts": 0}', '{"hosts": "2"}', 'null']) {
    writeFileSync(join(directory, 'hosts.json'), content);
    await assert.rejects(createHosts({ directory, hosts: 1, module, log }), {
      code: 'HOSTS_FILE_DAMAGED',
      message: new RegExp(`the folders of its objects are unknown .*: ${directory}/hosts.json is damaged`),
    });
  }
});
