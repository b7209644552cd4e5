import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createRuntime, type DurableObjectStub, type Runtime, VirtualClock } from '#objects';
import { EventLog } from './event-log.ts';
import { scanRowsPerTurn } from './limits.ts';
import { recorded } from './testing.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

let directory: string;
let runtime: Runtime;
let clock: VirtualClock;
let log: DurableObjectStub<EventLog>;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-events-'));
  clock = new VirtualClock({ start: startMs });
  runtime = await createRuntime({
    directory,
    clock,
    durability: 'os',
    classes: { EventLog: { class: EventLog, storage: 'sql' } },
  });
  log = runtime.namespace<EventLog>('EventLog').getByName('zone');
});

afterEach(async () => {
  await runtime.close();
  await rm(directory, { recursive: true, force: true });
});

const at = (offsetMs: number) => ({ datetime: new Date(startMs + offsetMs).toISOString() });

test('EventLog finds events of a stretch of time, newest or oldest first', async () => {
  await log.append([recorded('b', at(2)), recorded('a', at(1)), recorded('c', at(3))], dayMs);
  const ids = async (order: 'newest' | 'oldest', range = all) =>
    (await log.find(range, { limit: 10, order })).events.map(({ id }) => id);
  deepEqual(await ids('newest'), ['c', 'b', 'a']);
  deepEqual(await ids('oldest'), ['a', 'b', 'c']);
  deepEqual(await ids('oldest', { sinceMs: startMs + 2, untilMs: startMs + 3 }), ['b']);
});

test('EventLog goes on at a cursor, without a gap or a repeat', async () => {
  await log.append(
    Array.from({ length: 25 }, (_, index) => recorded(`e${index}`, at(index % 3))),
    dayMs,
  );
  const seen: string[] = [];
  let cursor: number | undefined;
  do {
    const page = await log.find(all, {
      limit: 10,
      order: 'newest',
      ...(cursor === undefined ? {} : { cursor }),
    });
    seen.push(...page.events.map(({ id }) => id));
    ({ cursor } = page);
  } while (cursor !== undefined);
  equal(new Set(seen).size, 25);
  equal(seen.length, 25);
});

test('EventLog reads on beyond one turn', async () => {
  const count = scanRowsPerTurn + 7;
  await log.append(
    Array.from({ length: count }, (_, index) => recorded(`e${index}`, at(index))),
    dayMs,
  );
  deepEqual(await log.group(all, { fields: [], limit: 1 }), [{ count, values: [] }]);
});

test('EventLog keeps an event once, whoever sends it again', async () => {
  await log.append([recorded('a', { action: 'log' })], dayMs);
  await log.append([recorded('a', { action: 'block' })], dayMs);
  const { events } = await log.find(all, { limit: 10, order: 'newest' });
  deepEqual(
    events.map(({ action }) => action),
    ['log'],
  );
});

test('EventLog groups by fields and by stretches of time', async () => {
  await log.append(
    [
      recorded('a', { ...at(0), action: 'log' }),
      recorded('b', { ...at(10), action: 'block' }),
      recorded('c', { ...at(60_000), action: 'block' }),
    ],
    dayMs,
  );
  deepEqual(await log.group(all, { fields: ['action'], limit: 10 }), [
    { count: 2, values: ['block'] },
    { count: 1, values: ['log'] },
  ]);
  deepEqual(await log.group(all, { fields: [], bucketMs: 60_000, limit: 10 }), [
    { count: 2, values: [], bucketAtMs: startMs },
    { count: 1, values: [], bucketAtMs: startMs + 60_000 },
  ]);
});

test('EventLog gives an event with what explains it', async () => {
  const judged = { version: 3, steps: [], rules: [] };
  await log.append([{ ...recorded('a'), judged }], dayMs);
  deepEqual((await log.get('a'))?.judged, judged);
  equal(await log.get('b'), undefined);
});

test('EventLog lets events go when their days are over', async () => {
  await log.append([recorded('old', at(0))], dayMs);
  await clock.advance(dayMs / 2);
  await log.append([recorded('young', at(dayMs / 2))], dayMs);
  await clock.advance(dayMs * 0.75);
  const { events } = await log.find(all, { limit: 10, order: 'newest' });
  deepEqual(
    events.map(({ id }) => id),
    ['young'],
  );
});
