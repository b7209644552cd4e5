import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { createRuntime, DurableObject, type RuntimeOptions } from '#objects';
import { PausedObjects, describeObject, parseObject } from './paused-objects.ts';

class Room extends DurableObject {
  async hit(): Promise<number> {
    const hits = ((await this.ctx.storage.get<number>('hits')) ?? 0) + 1;
    await this.ctx.storage.put('hits', hits);
    return hits;
  }

  async ring(): Promise<void> {
    await this.ctx.storage.setAlarm(1_000);
  }

  async alarm(): Promise<void> {
    await this.ctx.storage.put('hits', 100);
  }
}

const cause = 'its process had to be ended: a statement took too long';

test('createRuntime refuses calls of a paused object, keeps its alarm, and serves others and operators', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-paused-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const clock = new VirtualClock({ start: 0 });
  const classes = { Room: { class: Room, storage: 'sql' } } as const;
  const options: RuntimeOptions = { directory, clock, classes };
  let id: string;
  {
    await using runtime = await createRuntime(options);
    const rooms = runtime.namespace<Room>('Room');
    equal(await rooms.getByName('a').hit(), 1);
    await rooms.getByName('a').ring();
    id = rooms.idFromName('a').toString();
  }
  await using runtime = await createRuntime({
    ...options,
    paused: [{ className: 'Room', id, forMs: 600_000, cause }],
  });
  const rooms = runtime.namespace<Room>('Room');
  const refused = {
    message: /^Durable Object is paused until .* because its process had to be ended: a st/,
    overloaded: true,
  };
  await rejects(async () => await rooms.getByName('a').hit(), refused);
  await rejects(rooms.getByName('a').fetch('http://room/'), refused);
  equal(await rooms.getByName('b').hit(), 1);
  await clock.advance(3_600_000);
  equal(await runtime.alarmTime(rooms.idFromName('a')), 1_000, 'it is not lost, however often it was tried');
  const read = { do: 'sql', sql: 'SELECT 1 AS one', rowsMax: 1 } as const;
  match(JSON.stringify(await runtime.operate(rooms.idFromName('a'), read)), /one/);
  await runtime.replaceClasses(classes);
  equal(await rooms.getByName('a').hit(), 2, 'other code gets a chance');
});

test('PausedObjects lets an object go when its time has come', () => {
  const id = '0'.repeat(64);
  const paused = new PausedObjects([
    { className: 'Room', id, forMs: 0, cause },
    { className: 'Hall', id, forMs: 60_000, cause },
  ]);
  equal(paused.refusalOf('Room', id), undefined);
  match(paused.refusalOf('Hall', id)!.message, /a statement took too long$/);
  paused.clear();
  equal(paused.refusalOf('Hall', id), undefined);
});

test('parseObject reads what describeObject wrote, whatever the name of the object, and nothing that was cut short', () => {
  const id = 'af'.repeat(32);
  for (const name of [undefined, '', 'lobby', `) ${id} (`, 'two\nlines'])
    deepEqual(parseObject(describeObject('Room', id, name)), { className: 'Room', id });
  equal(parseObject(`Room ${id.slice(0, 40)}`), undefined);
});
