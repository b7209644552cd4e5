import { deepEqual, equal, ok } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createRuntime } from '#objects';
import { Probe, errorOf, openHouse, run, temporaryDirectory } from './harness.ts';

test('createRuntime refuses a directory that another runtime of this process owns', async (t) => {
  const house = await openHouse(t);
  const options = { directory: house.directory, classes: { sql: { class: Probe, storage: 'sql' as const } } };
  const error = await errorOf(createRuntime(options));
  deepEqual([error.name, error['code']], ['DirectoryLockedError', 'DIRECTORY_LOCKED']);
  ok(
    error.message.includes(house.directory) && error.message.includes(`process ${process.pid}`),
    error.message,
  );
  await run(house.stub('a'), ({ storage }) => storage.put('key', 'still there'));
  await house.runtime.close();
  const second = await createRuntime(options);
  const value = await run(second.namespace('sql').getByName('a'), ({ storage }) => storage.get('key'));
  await second.close();
  equal(value, 'still there');
  await house.reopen();
});

test('createRuntime refuses a directory that another process owns', async (t) => {
  const house = await openHouse(t);
  const script = `
    import { createRuntime } from '#objects';
    try {
      await createRuntime({ directory: ${JSON.stringify(house.directory)}, classes: {} });
      console.log('opened');
    } catch (error) {
      console.log(error.name, error.code);
    }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: new URL('../..', import.meta.url),
  });
  equal(stdout.trim(), 'DirectoryLockedError DIRECTORY_LOCKED');
});

test('createRuntime that fails lets the directory go', async (t) => {
  const directory = temporaryDirectory(t);
  const wrong = errorOf(createRuntime({ directory, classes: { A: { class: undefined as never } } }));
  ok(/classes\.A\.class must be a class/.test((await wrong).message));
  await (await createRuntime({ directory, classes: { A: { class: Probe } } })).close();
});

test('createRuntime refuses to open a class with the other kind of storage', async (t) => {
  const directory = temporaryDirectory(t);
  const runtime = await createRuntime({ directory, classes: { A: { class: Probe, storage: 'kv' } } });
  await run(runtime.namespace('A').getByName('a'), ({ storage }) => storage.put('key', 1));
  await runtime.close();
  const error = await errorOf(createRuntime({ directory, classes: { A: { class: Probe, storage: 'sql' } } }));
  equal(
    error.message,
    "cannot open the class A with storage 'sql': its objects in this directory were written with 'kv'",
  );
  const again = await createRuntime({ directory, classes: { A: { class: Probe } } });
  const value = await run(again.namespace('A').getByName('a'), ({ storage }) => storage.get('key'));
  await again.close();
  equal(value, 1);
});

test('namespace of a class that is not there names those that are', async (t) => {
  const house = await openHouse(t);
  const error = await errorOf(() => house.runtime.namespace('Nobody'));
  equal(error.message, 'there is no class Nobody in this runtime: it has kv, sql, silent');
});

test('a class that is gone keeps its data, and its alarms wait for it to come back', async (t) => {
  const house = await openHouse(t);
  let runs = 0;
  house.onAlarm('a', () => runs++);
  await run(house.stub('a'), ({ storage }) => storage.setAlarm(house.clock.now() + 1_000));
  await house.reopen({ classes: { kv: { class: Probe } } });
  await house.clock.advance(60_000);
  equal(runs, 0);
  await house.reopen();
  await house.clock.untilIdle();
  equal(runs, 1);
});

test('two classes of one runtime have objects of their own', async (t) => {
  const house = await openHouse(t);
  await run(house.stub('a', 'kv'), ({ storage }) => storage.put('key', 'kv'));
  await run(house.stub('a', 'sql'), ({ storage }) => storage.put('key', 'sql'));
  equal(await run(house.stub('a', 'kv'), ({ storage }) => storage.get('key')), 'kv');
  equal(await run(house.stub('a', 'sql'), ({ storage }) => storage.get('key')), 'sql');
  const foreign = house.stub('a', 'kv').id.toString();
  const error = await errorOf(() => house.runtime.namespace('sql').idFromString(foreign));
  equal(error.message, 'Durable Object ID is not valid for this namespace.');
});

test('objects lists every object that has stored something, by name and id', async (t) => {
  const house = await openHouse(t);
  for (const kind of ['kv', 'sql']) {
    for (const name of ['a', 'b']) await run(house.stub(name, kind), ({ storage }) => storage.put('key', 1));
    await run(house.stub('looked at', kind), ({ storage }) => storage.get('key'));
    await house.reopen();
    const objects = await Array.fromAsync(house.runtime.objects(kind));
    deepEqual(objects.map(({ name }) => name).toSorted(), ['a', 'b']);
    deepEqual(
      objects.map(({ id }) => id.toString()).toSorted(),
      ['a', 'b'].map((name) => house.stub(name, kind).id.toString()).toSorted(),
    );
  }
});
