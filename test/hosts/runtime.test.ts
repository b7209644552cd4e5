/**
 * `ObjectRuntime`, implemented by a runtime in this process, by two hosts, or by a host of a cluster: the same calls
 * give the same results.
 */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createLog } from '#base';
import type { Cluster } from '#cluster';
import { createHosts, openRecorded } from '#hosts';
import { ObjectChangedError, type ObjectRuntime, RpcTarget, VirtualClock, createRuntime } from '#objects';
import { encodeValue } from '#values';
import { findTestCluster } from '../cluster/test-cluster.ts';
import { classes } from './objects.ts';
import './quick-start.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- any method of Probe
type Stub = any;

class Diary extends RpcTarget {
  readonly notes: string[] = [];
  note(text: string): number {
    return this.notes.push(text);
  }
}

interface Opened {
  readonly runtime: ObjectRuntime;
  readonly directory: string;
  readonly clock: VirtualClock;
  readonly diary: Diary;
}

const log = createLog({ level: 'error', format: 'text', write: (line) => process.stderr.write(line) });
const module = new URL('./objects.ts', import.meta.url);

type Open = (parts: Omit<Opened, 'runtime'>) => Promise<ObjectRuntime>;

async function openRuntime(
  { directory, clock, diary }: Omit<Opened, 'runtime'>,
  joined?: { readonly cluster: Cluster },
): Promise<ObjectRuntime> {
  const env: Record<string, unknown> = { diary };
  const runtime = await createRuntime({ ...joined, directory, clock, classes, env });
  for (const name of Object.keys(classes)) env[name] = runtime.namespace(name);
  return runtime;
}

const cluster = await findTestCluster();
const ways: Readonly<Record<string, Open>> =
  cluster === undefined
    ? {
        'in this process': (parts) => openRuntime(parts),
        'in two hosts': ({ directory, clock, diary }) =>
          createHosts({ directory, clock, hosts: 2, module, services: { diary }, log }),
      }
    : { 'in a cluster': async (parts) => openRuntime(parts, await cluster.join()) };

for (const [way, open] of Object.entries(ways)) {
  describe(`ObjectRuntime ${way}`, () => {
    const directory = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
    const clock = new VirtualClock();
    const diary = new Diary();
    let runtime: ObjectRuntime;
    const stub = (name: string, className = 'Probe'): Stub => runtime.namespace(className).getByName(name);
    before(async () => {
      runtime = await open({ directory, clock, diary });
    });
    after(async () => {
      await runtime.close();
      rmSync(directory, { recursive: true });
    });

    test('lists classes, objects, names and values', async () => {
      assert.deepEqual(runtime.classNames, ['Probe', 'Store']);
      assert.deepEqual([runtime.storageOf('Probe'), runtime.storageOf('Store')], ['sql', 'kv']);
      const names = Array.from({ length: 6 }, (_, i) => `listed ${i}`);
      for (const name of names) await stub(name, 'Store').put('key', name);
      const found = await Array.fromAsync(runtime.objects('Store'));
      assert.deepEqual(found.map(({ name }) => name).toSorted(), names);
      const { id } = found.find(({ name }) => name === 'listed 3')!;
      assert.equal(String(id), String(stub('listed 3', 'Store').id));
      assert.equal(await runtime.nameOf(id), 'listed 3');
      const values = await Array.fromAsync(runtime.storedValues(id));
      assert.deepEqual(
        values.map(([key, value]) => [key, Buffer.from(value)]),
        [['key', Buffer.from(encodeValue('listed 3'))]],
      );
      assert.throws(() => runtime.history(id), /Store has key-value storage, which keeps no history/);
    });

    test('looks at the past of an object and goes back to it', async () => {
      const object = stub('past');
      await object.put('key', 'one');
      const history = runtime.history(object);
      const one = await history.current();
      assert.equal(one, await object.bookmark());
      await clock.advance(1_000);
      await object.put('key', 'two');
      assert.equal(await history.bookmarkForTime(clock.now() - 500), one);
      const points = await history.points();
      assert.deepEqual([points.length, points[1]!.bookmark, points[1]!.kind], [2, one, 'write']);
      assert.ok(points[0]!.time instanceof Date);
      {
        using past = await history.readAt(one);
        assert.equal(past.get('key'), 'one');
      }
      const undo = await history.restore(one);
      await assert.rejects(Promise.resolve(object.get('key')), {
        message: 'Durable Object was reset because its storage was replaced by an operator.',
        durableObjectReset: true,
      });
      assert.equal(await stub('past').get('key'), 'one');
      await runtime.history(stub('past').id).restore(undo);
      assert.equal(await stub('past').get('key'), 'two');
      await assert.rejects(history.restore('nonsense'), {
        name: 'TypeError',
        message: /Invalid bookmark/,
      });
    });

    test('takes the database of an object out and puts it in', async () => {
      const [from, to] = [stub('exported'), stub('imported')];
      await from.put('key', 'value '.repeat(20_000));
      const path = join(directory, 'export.sqlite');
      const steps = new Set<string>();
      await runtime.history(from).exportTo(path, { onProgress: ({ step }) => steps.add(step) });
      await assert.rejects(runtime.history(from).exportTo(path), /cannot export, the file exists already/);
      const read = await runtime.history(from).readFile({}, async ({ bytes, pieces }) => {
        const whole = Buffer.alloc(bytes);
        for await (const piece of pieces) whole.set(piece.bytes, piece.offset);
        return whole;
      });
      assert.ok(read.equals(readFileSync(path)));
      const before = await runtime.history(to).current();
      const options = {
        unlessChangedSince: before,
        onProgress: ({ step }: { step: string }) => steps.add(step),
      };
      await runtime.history(to).importFrom(path, options);
      assert.equal(await stub('imported').get('key'), 'value '.repeat(20_000));
      const late = runtime.history(to).importFrom(path, { unlessChangedSince: before });
      await assert.rejects(
        late,
        (error) => error instanceof ObjectChangedError && error.code === 'OBJECT_CHANGED',
      );
      writeFileSync(path, 'not a database at all, whatever its name says');
      await assert.rejects(runtime.history(to).importFrom(path), { name: 'NotADatabaseError' });
      assert.ok(steps.has('writing') && steps.has('checking'), [...steps].join());
      const stop = (): never => {
        throw new Error('enough');
      };
      rmSync(path);
      if (way !== 'in two hosts')
        await assert.rejects(runtime.history(from).exportTo(path, { onProgress: stop }), /enough/);
    });

    test('changes an object as an operator does', async () => {
      const { id } = stub('operated', 'Store');
      await stub('operated', 'Store').put('a', 1);
      await runtime.operate(id, { do: 'put', key: 'b', value: encodeValue(2) });
      assert.deepEqual(await runtime.operate(id, { do: 'delete', key: 'a' }), { existed: true });
      assert.deepEqual(
        [await stub('operated', 'Store').get('a'), await stub('operated', 'Store').get('b')],
        [undefined, 2],
      );
      const { id: other } = stub('queried');
      await stub('queried').put('a', 1);
      const { rows } = await runtime.operate(other, { do: 'sql', sql: 'SELECT 1 + 1', rowsMax: 10 });
      assert.deepEqual(rows, [[2]]);
      const stale = runtime.operate(id, { do: 'put', key: 'b', value: encodeValue(3), version: null });
      await assert.rejects(stale, (error) => error instanceof ObjectChangedError);
    });

    test('fires the alarms of all objects in the order of their times', async () => {
      diary.notes.length = 0;
      const start = clock.now();
      const names = Array.from({ length: 8 }, (_, i) => `alarm ${i}`);
      for (const [i, name] of names.entries()) await stub(name).ringAt(start + 10_000 - i * 1_000);
      const set = await Array.fromAsync(runtime.alarms());
      assert.deepEqual(
        set.map(({ time }) => time - start).toSorted((a, b) => a - b),
        names.map((_, i) => 3_000 + i * 1_000),
      );
      assert.equal(await runtime.alarmTime(stub('alarm 7').id), start + 3_000);
      assert.deepEqual(await runtime.runAlarm(stub('alarm 0').id), { result: 'settled', next: null });
      assert.equal(await runtime.runAlarm(stub('alarm 0').id), 'none');
      assert.equal(await clock.runNextAlarm(), true);
      assert.equal(clock.now(), start + 3_000);
      await clock.advance(5_500);
      assert.equal(await stub('alarm 1').now(), start + 8_500);
      await clock.advance(500);
      const rang = names.slice(1).map((name, i) => `${name} at ${start + 9_000 - i * 1_000}`);
      assert.deepEqual(diary.notes, [`alarm 0 at ${start}`, ...rang.toReversed()]);
      assert.deepEqual(await Array.fromAsync(runtime.alarms()), []);
    });

    test('lets objects call what the program offers', async () => {
      diary.notes.length = 0;
      assert.deepEqual([await stub('a').note('first'), await stub('b').note('second')], [1, 2]);
      assert.deepEqual(diary.notes, ['first', 'second']);
    });

    test('looks after the directory', async () => {
      await stub('kept').put('key', 'value');
      await runtime.checkWritable();
      assert.equal(await runtime.giveBackHistory(), 0);
      assert.deepEqual(await Array.fromAsync(runtime.scrub()), []);
      assert.deepEqual(await Array.fromAsync(runtime.repair({ dryRun: true })), []);
      const sizes = await Array.fromAsync(runtime.sizes());
      assert.ok(
        sizes.find(({ className, name }) => className === 'Probe' && name === 'kept')!.journalBytes > 0,
      );
      const path = runtime.scratchPath('test', 1_000);
      writeFileSync(path, 'scratch');
      assert.ok(path.startsWith(directory));
      const { journal, failedWrites, objectsAwake } = runtime.stats();
      assert.ok(journal.records >= 0 && journal.syncSeconds.counts.length > 0);
      assert.deepEqual(failedWrites, { journal: 0, tables: 0, snapshots: 0 });
      assert.deepEqual([...objectsAwake.keys()], ['Probe', 'Store']);
    });

    test('can be copied while it is in use, and the copy opened without the code', async () => {
      await stub('copied').put('key', 'value');
      await stub('copied', 'Store').put('key', 'value');
      const copy = mkdtempSync(join(tmpdir(), 'gatehouse-hosts-'));
      {
        using held = await runtime.holdForBackup();
        const { files } = await held.list();
        for await (const file of files) {
          const target = join(copy, file.path);
          mkdirSync(dirname(target), { recursive: true });
          if (file.content !== undefined) writeFileSync(target, file.content);
          else cpSync(join(directory, file.source ?? file.path), target);
          assert.ok(held.names.includes(file.path.split('/')[0]!), file.path);
        }
      }
      {
        await using recorded = await openRecorded({ directory: copy });
        const { id } = stub('copied');
        using past = await recorded.history(id).readAt(await recorded.history(id).current());
        assert.equal(past.get('key'), 'value');
        assert.deepEqual(recorded.classNames.toSorted(), ['Probe', 'Store']);
        const values = await Array.fromAsync(recorded.storedValues(stub('copied', 'Store').id));
        assert.equal(values.length, 1);
        await assert.rejects(openRecorded({ directory: copy }), { code: 'DIRECTORY_LOCKED' });
      }
      rmSync(copy, { recursive: true });
      assert.equal(existsSync(copy), false);
    });
  });
}
