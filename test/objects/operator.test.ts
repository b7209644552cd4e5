/** An operator's changes of objects from outside: through their gates, on disk, and visible to their code. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createRuntime, DurableObject, type Runtime, VirtualClock, versionOfValue } from '#objects';
import { encodeValue } from '#values';

/** Caches its stored values, as real classes do. */
class Counter extends DurableObject {
  count = 0;
  runs: string[] = [];

  constructor(...args: ConstructorParameters<typeof DurableObject>) {
    super(...args);
    void this.ctx.blockConcurrencyWhile(async () => {
      this.count = (await this.ctx.storage.get<number>('count')) ?? 0;
    });
  }

  async add(): Promise<number> {
    this.count++;
    await this.ctx.storage.put('count', this.count);
    return this.count;
  }

  async setAlarm(time: number): Promise<void> {
    await this.ctx.storage.setAlarm(time);
  }

  async alarm(): Promise<void> {
    if ((await this.ctx.storage.get('broken')) === true) throw new Error('the handler is broken');
    this.count += 100;
    await this.ctx.storage.put('count', this.count);
  }
}

class Notes extends Counter {
  constructor(...args: ConstructorParameters<typeof DurableObject>) {
    super(...args);
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS notes (text TEXT NOT NULL UNIQUE)');
  }

  notes(): unknown[] {
    return [...this.ctx.storage.sql.exec('SELECT text FROM notes ORDER BY text').raw()].flat();
  }
}

const classes = {
  Counter: { class: Counter, storage: 'kv' },
  Notes: { class: Notes, storage: 'sql' },
} as const;

async function open(
  t: TestContext,
): Promise<{ runtime: Runtime; clock: VirtualClock; reopen(): Promise<Runtime> }> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-operator-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const clock = new VirtualClock({ start: 1_000_000 });
  const create = () => createRuntime({ directory, classes, clock, log: () => {} });
  let runtime = await create();
  t.after(() => runtime.close());
  return {
    runtime,
    clock,
    async reopen() {
      await runtime.close();
      runtime = await create();
      return runtime;
    },
  };
}

for (const className of ['Counter', 'Notes']) {
  test(`Runtime.operate puts a value of ${className} that its code sees and a restart keeps`, async (t) => {
    const { runtime, reopen } = await open(t);
    const stub = runtime.namespace<Counter>(className).getByName('a');
    equal(await stub.add(), 1);
    const id = runtime.namespace(className).idFromName('a');
    const { undo } = await runtime.operate(id, { do: 'put', key: 'count', value: encodeValue(41) });
    // The stub reaches the same object, whose cached 1 is gone.
    equal(await runtime.namespace<Counter>(className).getByName('a').add(), 42);
    equal(undo !== undefined, className === 'Notes');
    if (undo !== undefined) {
      await runtime.history(id).restore(undo);
      equal(await runtime.namespace<Counter>(className).getByName('a').add(), 2);
    }
    const again = await reopen();
    const expected = undo === undefined ? 43 : 3;
    equal(await again.namespace<Counter>(className).getByName('a').add(), expected);
  });
}

test('Runtime.operate refuses a change of a value that has changed meanwhile, and changes nothing', async (t) => {
  const { runtime } = await open(t);
  const counter = () => runtime.namespace<Counter>('Counter').getByName('a');
  await counter().add();
  const id = runtime.namespace('Counter').idFromName('a');
  const version = versionOfValue(1);
  await counter().add();
  const value = encodeValue(9);
  await rejects(runtime.operate(id, { do: 'put', key: 'count', value, version }), { code: 'OBJECT_CHANGED' });
  await rejects(runtime.operate(id, { do: 'delete', key: 'count', version: null }), {
    code: 'OBJECT_CHANGED',
  });
  equal(await counter().add(), 3);
  deepEqual(await runtime.operate(id, { do: 'delete', key: 'count', version: versionOfValue(3) }), {
    existed: true,
  });
  equal(await counter().add(), 1);
});

test('Runtime.operate runs SQL as one transaction, with the bookmark that undoes it', async (t) => {
  const { runtime } = await open(t);
  const notes = () => runtime.namespace<Notes>('Notes').getByName('a');
  await notes().add();
  const id = runtime.namespace('Notes').idFromName('a');
  const sql = "INSERT INTO notes VALUES ('one'), ('two') RETURNING text";
  const { rows, columns, hasMore, rowsWritten, undo } = await runtime.operate(id, {
    do: 'sql',
    sql,
    rowsMax: 1,
  });
  deepEqual([rows, columns, hasMore], [[['one']], ['text'], true]);
  ok(rowsWritten! > 0);
  deepEqual(await notes().notes(), ['one', 'two']);
  const twice = "INSERT INTO notes VALUES ('three'); INSERT INTO notes VALUES ('one')";
  await rejects(runtime.operate(id, { do: 'sql', sql: twice, rowsMax: 1 }), /UNIQUE constraint failed/);
  deepEqual(await notes().notes(), ['one', 'two']);
  await runtime.history(id).restore(undo!);
  deepEqual(await notes().notes(), []);
});

test('Runtime.runAlarm fires an alarm before its time, and a failure is tried again as at its time', async (t) => {
  const { runtime, clock } = await open(t);
  const counter = () => runtime.namespace<Counter>('Counter').getByName('a');
  const id = runtime.namespace('Counter').idFromName('a');
  equal(await runtime.runAlarm(id), 'none');
  await counter().setAlarm(clock.now() + 3_600_000);
  const ran = await runtime.runAlarm(id);
  deepEqual(ran, { result: 'settled', next: null });
  equal(await counter().add(), 101);
  equal(await runtime.alarmTime(id), undefined);
  await runtime.operate(id, { do: 'put', key: 'broken', value: encodeValue(true) });
  await counter().setAlarm(clock.now() + 3_600_000);
  const failed = await runtime.runAlarm(id);
  ok(typeof failed === 'object' && failed.result === 'failed');
  match(String(failed.error), /the handler is broken/);
  await runtime.operate(id, { do: 'put', key: 'broken', value: encodeValue(false) });
  await clock.advance(10_000);
  equal(await runtime.alarmTime(id), undefined, 'a retry has run');
});

test('Runtime.operate cancels an alarm, which then does not fire', async (t) => {
  const { runtime, clock } = await open(t);
  const notes = runtime.namespace<Notes>('Notes').getByName('a');
  const id = runtime.namespace('Notes').idFromName('a');
  await notes.setAlarm(clock.now() + 1_000);
  const listed = await Array.fromAsync(runtime.alarms());
  deepEqual(
    listed.map((alarm) => [alarm.className, alarm.id.toString(), alarm.time]),
    [['Notes', id.toString(), 1_001_000]],
  );
  equal((await runtime.operate(id, { do: 'cancel-alarm' })).existed, true);
  equal((await runtime.operate(id, { do: 'cancel-alarm' })).existed, false);
  await clock.advance(10_000);
  equal(await notes.add(), 1);
  equal(await runtime.nameOf(runtime.namespace('Notes').idFromString(id.toString())), 'a');
});
