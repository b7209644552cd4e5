import { deepEqual, equal } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { createRuntime, type DurableObjectStub, type Runtime, VirtualClock } from '#objects';
import type { RecordedEvent } from './event.ts';
import { type EventCursor, EventLog, type EventPage } from './event-log.ts';
import type { GroupOptions } from './groups.ts';
import type { Judged } from './judged/judged.ts';
import { scanRowsPerTurn } from './limits.ts';
import { packEvents, unpackEvent } from './packed-event.ts';
import { createEvent, createRecorded } from './testing.ts';

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

function append(events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
  return log.append(packEvents(events), retentionMs);
}

function idsOf({ documents }: EventPage): string[] {
  return documents.map((document) => unpackEvent(document).id);
}

const at = (offsetMs: number) => ({ datetime: new Date(startMs + offsetMs).toISOString() });

test('EventLog finds events of a time range, newest or oldest first', async () => {
  await append([createRecorded('b', at(2)), createRecorded('a', at(1)), createRecorded('c', at(3))], dayMs);
  const ids = async (order: 'newest' | 'oldest', range = all) =>
    idsOf(await log.find(range, { limit: 10, order }));
  deepEqual(await ids('newest'), ['c', 'b', 'a']);
  deepEqual(await ids('oldest'), ['a', 'b', 'c']);
  deepEqual(await ids('oldest', { sinceMs: startMs + 2, untilMs: startMs + 3 }), ['b']);
});

test('EventLog continues at a cursor, without a gap or a repeat', async () => {
  await append(
    Array.from({ length: 25 }, (_, index) => createRecorded(`e${index}`, at(index % 3))),
    dayMs,
  );
  const seen: string[] = [];
  let cursor: EventCursor | undefined;
  do {
    const page = await log.find(all, {
      limit: 10,
      order: 'newest',
      ...(cursor === undefined ? {} : { cursor }),
    });
    seen.push(...idsOf(page));
    ({ cursor } = page);
  } while (cursor !== undefined);
  equal(new Set(seen).size, 25);
  equal(seen.length, 25);
});

test('EventLog reads on beyond one turn', async () => {
  const count = scanRowsPerTurn + 7;
  await append(
    Array.from({ length: count }, (_, index) => createRecorded(`e${index}`, at(index))),
    dayMs,
  );
  const groups = await log.group(all, { dimensions: [], limit: 1 });
  deepEqual(groups, { total: count, groups: [{ count, values: [] }], ungrouped: 0, isComplete: true });
});

test('EventLog stores an event once, even if it is sent again', async () => {
  await append([createRecorded('a', { action: 'log' })], dayMs);
  await append([createRecorded('a', { action: 'block' })], dayMs);
  const { documents } = await log.find(all, { limit: 10, order: 'newest' });
  deepEqual(
    documents.map((document) => unpackEvent(document).action),
    ['log'],
  );
});

test('EventLog groups by fields and by time buckets', async () => {
  await append(
    [
      createRecorded('a', { ...at(0), action: 'log' }),
      createRecorded('b', { ...at(10), action: 'block' }),
      createRecorded('c', { ...at(60_000), action: 'block' }),
    ],
    dayMs,
  );
  const action = { field: 'action' } as const;
  const minute = { bucketMs: 60_000 };
  const grouped = async (options: GroupOptions) => (await log.group(all, options)).groups;
  deepEqual(await grouped({ dimensions: [action], limit: 10 }), [
    { count: 2, values: ['block'] },
    { count: 1, values: ['log'] },
  ]);
  deepEqual(await grouped({ dimensions: [minute], order: [{ by: 0, direction: 'desc' }], limit: 10 }), [
    { count: 1, values: ['2026-01-01T00:01:00Z'] },
    { count: 2, values: ['2026-01-01T00:00:00Z'] },
  ]);
  deepEqual(await grouped({ dimensions: [action, minute], limit: 2 }), [
    { count: 1, values: ['block', '2026-01-01T00:00:00Z'] },
    { count: 1, values: ['block', '2026-01-01T00:01:00Z'] },
  ]);
  equal((await log.group(all, { dimensions: [action, minute], limit: 1 })).total, 3);
});

test('EventLog returns every event of a request with the explanation that they share', async () => {
  const judged = (version: number): Judged => ({ version, steps: [], rules: [] });
  const request = (rayName: string, version: number) =>
    [0, 1, 2].map((index) => ({
      ...createRecorded(`${rayName}-${index}`, { rayName }),
      judged: judged(version),
    }));
  await append([...request('a', 3), ...request('ab', 4)], dayMs);
  for (const index of [0, 1, 2]) {
    deepEqual((await log.get(`a-${index}`))?.judged, judged(3));
    deepEqual((await log.get(`ab-${index}`))?.judged, judged(4));
  }
  equal(await log.get('b'), undefined);
  await append([createRecorded('c-0', { rayName: 'c' })], dayMs);
  equal((await log.get('c-0'))!.judged, undefined);
});

test('EventLog continues at a cursor whose event was deleted', async () => {
  await append([createRecorded('a', at(0)), createRecorded('b', at(dayMs))], dayMs);
  const page = await log.find(all, { limit: 1, order: 'oldest' });
  await clock.advance(dayMs * 1.5);
  const rest = await log.find(all, { limit: 10, order: 'oldest', cursor: page.cursor! });
  deepEqual(idsOf(rest), ['b']);
});

test('EventLog deletes everything when its zone is deleted, and can be used again', async () => {
  await append([createRecorded('a', at(0))], dayMs);
  await log.erase();
  deepEqual(idsOf(await log.find(all, { limit: 10, order: 'newest' })), []);
  await append([createRecorded('b', at(0))], dayMs);
  await clock.advance(dayMs * 1.25);
  deepEqual(idsOf(await log.find(all, { limit: 10, order: 'newest' })), []);
});

test('EventLog has no alarm when it has no events', async () => {
  await append([createRecorded('a', at(0))], dayMs);
  await clock.advance(dayMs * 1.25);
  equal(await clock.runNextAlarm(), false);
});

test('EventLog deletes events after their retention', async () => {
  await append([createRecorded('old', at(0))], dayMs);
  await clock.advance(dayMs / 2);
  await append([createRecorded('young', at(dayMs / 2))], dayMs);
  await clock.advance(dayMs * 0.75);
  deepEqual(idsOf(await log.find(all, { limit: 10, order: 'newest' })), ['young']);
});

test('unpackEvent is the inverse of packEvents', () => {
  const event = createEvent('a', { metadata: [{ key: 'waf_score', value: '60' }], userAgent: 'ü"\n' });
  const [packed] = packEvents([{ event }]);
  deepEqual(unpackEvent(packed!.document), event);
  deepEqual([packed!.id, packed!.atMs, packed!.judged], ['a', startMs, null]);
});
