import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '#base';
import { compileCondition, type EventCondition } from './condition.ts';
import type { RecordedEvent, SecurityEvent } from './event.ts';
import type { EventPage, EventRange, FindOptions } from './event-questions.ts';
import { EventStore } from './event-store.ts';
import type { GroupOptions } from './groups.ts';
import type { Judged } from './judged/judged.ts';
import { blockRowsMax } from './store/limits.ts';
import type { EventCursor } from './store/blocks/scan.ts';
import { createEvent, createRecorded } from './testing.ts';

const dayMs = 86_400_000;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

let directory: string;
let store: EventStore;
let clock: VirtualClock;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-events-'));
  clock = new VirtualClock({ start: startMs });
  await open();
});

afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await EventStore.open({ directory, clock, durability: 'os', log: fail });
}

function fail(message: string, error?: unknown): never {
  throw new Error(message, { cause: error });
}

/** Runs the check on events in the tail, in blocks, and after a restart: all must find the same. */
async function forms(check: (form: string) => Promise<void>): Promise<void> {
  await check('in the tail');
  await store.close();
  await open();
  await check('in blocks');
}

function append(events: readonly RecordedEvent[], retentionMs: number): Promise<void> {
  return store.append('zone', events, retentionMs);
}

function find(range: EventRange, options: FindOptions): Promise<EventPage> {
  return store.find('zone', range, options);
}

function idsOf({ events }: EventPage): string[] {
  return events.map(({ id }) => id);
}

const at = (offsetMs: number) => ({ datetime: new Date(startMs + offsetMs).toISOString() });

test('EventStore finds events of a time range, newest or oldest first', async () => {
  await append([createRecorded('b', at(2)), createRecorded('a', at(1)), createRecorded('c', at(3))], dayMs);
  const ids = async (order: 'newest' | 'oldest', range = all) =>
    idsOf(await find(range, { limit: 10, order }));
  await forms(async (form) => {
    deepEqual(await ids('newest'), ['c', 'b', 'a'], form);
    deepEqual(await ids('oldest'), ['a', 'b', 'c'], form);
    deepEqual(await ids('oldest', { sinceMs: startMs + 2, untilMs: startMs + 3 }), ['b'], form);
  });
});

async function readPages(options: Omit<FindOptions, 'cursor'>): Promise<string[]> {
  const seen: string[] = [];
  let cursor: EventCursor | undefined;
  do {
    const page = await find(all, { ...options, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...idsOf(page));
    ({ cursor } = page);
  } while (cursor !== undefined);
  return seen;
}

test('EventStore continues at a cursor, without a gap or a repeat', async () => {
  const ids = Array.from({ length: 25 }, (_, index) => `e${index}`);
  await append(
    ids.map((id, index) => createRecorded(id, at(index % 3))),
    dayMs,
  );
  await forms(async (form) => {
    for (const order of ['newest', 'oldest'] as const) {
      deepEqual((await readPages({ limit: 10, order })).toSorted(), ids.toSorted(), `${form}, ${order}`);
    }
  });
});

test('EventStore merges blocks and the tail in order of time, and equal times in order of arrival', async () => {
  const expected: { id: string; ms: number }[] = [];
  for (let round = 0; round < 5; round++) {
    const batch = Array.from({ length: 20 }, (_, index) => ({
      id: `r${round}e${index}`,
      ms: (index * 7 + round) % 13,
    }));
    expected.push(...batch);
    await append(
      batch.map(({ id, ms }) => createRecorded(id, at(ms))),
      dayMs,
    );
    if (round % 2 === 0) await clock.advance(11 * 60_000);
  }
  const sorted = expected.toSorted((a, b) => a.ms - b.ms).map(({ id }) => id);
  await forms(async (form) => {
    deepEqual(await readPages({ limit: 7, order: 'oldest' }), sorted, form);
    deepEqual(await readPages({ limit: 7, order: 'newest' }), sorted.toReversed(), form);
  });
});

test('EventStore reads on beyond one block', async () => {
  const count = blockRowsMax * 2 + 7;
  for (let first = 0; first < count; first += 500) {
    const length = Math.min(500, count - first);
    await append(
      Array.from({ length }, (_, index) => createRecorded(`e${first + index}`, at(first + index))),
      dayMs,
    );
  }
  await forms(async (form) => {
    const groups = await store.group('zone', all, { dimensions: [], limit: 1 });
    const expected = {
      total: count,
      groups: [{ count, values: [], lastMs: startMs + count - 1 }],
      ungrouped: 0,
      isComplete: true,
    };
    deepEqual(groups, expected, form);
    equal((await readPages({ limit: 1_000, order: 'newest' })).length, count, form);
  });
});

test('EventStore stores an event once, even if it is sent again', async () => {
  await append([createRecorded('a', { action: 'log' }), createRecorded('a', { action: 'skip' })], dayMs);
  await forms(async (form) => {
    await append([createRecorded('a', { action: 'block' })], dayMs);
    await Promise.all([append([createRecorded('b')], dayMs), append([createRecorded('b')], dayMs)]);
    const { events } = await find(all, { limit: 10, order: 'oldest' });
    deepEqual(
      events.map(({ id, action }) => `${id} ${action}`),
      ['a log', 'b block'],
      form,
    );
  });
});

test('EventStore returns every field as it was recorded', async () => {
  const odd = createEvent('odd', {
    // An edge does not write such ids and times.
    id: 'x-007',
    rayName: 'x',
    originatorRayName: 'y',
    datetime: '2026-01-01T01:00:00.5+01:00',
    metadata: [{ key: 'waf_score', value: '60' }],
    userAgent: 'ü"\n\u2028',
    clientRequestPath: '/\ud83d\ude00',
    originResponseStatus: 502,
  });
  const plain = createEvent('1a1e116fb47ff757-FDTC-12', { rayName: '1a1e116fb47ff757-FDTC' });
  const events = [odd, plain, createEvent('z')];
  await append(
    events.map((event) => ({ event })),
    dayMs,
  );
  await forms(async (form) => {
    for (const event of events) deepEqual((await store.get('zone', event.id))?.event, event, form);
    const found = await find(all, { limit: 10, order: 'oldest' });
    deepEqual(found.events.toSorted(byId), events.toSorted(byId), form);
  });
});

const byId = (a: SecurityEvent, b: SecurityEvent): number => (a.id < b.id ? -1 : 1);

test('EventStore tests conditions in blocks as on the events themselves', async () => {
  const events = Array.from({ length: 60 }, (_, index) =>
    createEvent(`${index}-r-${index % 3}`, {
      ...at(index),
      rayName: `${index}-r`,
      originatorRayName: index % 4 === 0 ? 'first' : `${index}-r`,
      action: ['log', 'block', 'skip'][index % 3]!,
      clientIP: `192.0.2.${index % 7}`,
      clientRequestPath: `/p${index % 5}/x`,
      edgeResponseStatus: 200 + (index % 4) * 100,
    }),
  );
  await append(
    events.map((event) => ({ event })),
    dayMs,
  );
  const isBlock: EventCondition = { kind: 'test', field: 'action', operator: 'eq', values: ['block'] };
  const isNothing: EventCondition = { kind: 'test', field: 'action', operator: 'eq', values: ['nothing'] };
  const isLate: EventCondition = {
    kind: 'test',
    field: 'datetime',
    operator: 'geq',
    values: [at(30).datetime],
  };
  const conditions: EventCondition[] = [
    isBlock,
    isNothing,
    isLate,
    { kind: 'test', field: 'id', operator: 'in', values: ['7-r-1', '8-r-2', '9-r-9'] },
    { kind: 'test', field: 'originatorRayName', operator: 'neq', values: ['first'] },
    { kind: 'test', field: 'edgeResponseStatus', operator: 'gt', values: [300] },
    { kind: 'test', field: 'clientRequestPath', operator: 'like', values: ['/P1%'] },
    { kind: 'test', field: 'kind', operator: 'eq', values: ['firewall'] },
    { kind: 'and', parts: [isBlock, isLate] },
    { kind: 'and', parts: [isLate, isNothing] },
    { kind: 'or', parts: [isNothing, isBlock] },
    { kind: 'or', parts: [isNothing, isNothing] },
    { kind: 'not', part: isBlock },
    { kind: 'not', part: isNothing },
    { kind: 'not', part: { kind: 'test', field: 'kind', operator: 'eq', values: ['firewall'] } },
    {
      kind: 'expression',
      expression: 'ip.src in {192.0.2.2 192.0.2.3} and http.request.uri.path contains "p1"',
    },
  ];
  await forms(async (form) => {
    for (const condition of conditions) {
      const isMatch = compileCondition(condition);
      const page = await find({ ...all, condition }, { limit: 100, order: 'oldest' });
      deepEqual(
        idsOf(page),
        events.filter(isMatch).map(({ id }) => id),
        `${form}: ${JSON.stringify(condition)}`,
      );
      const { total } = await store.group('zone', { ...all, condition }, { dimensions: [], limit: 1 });
      equal(total, page.events.length, form);
    }
  });
});

test('EventStore keeps the logs of zones apart', async () => {
  await store.append('one', [createRecorded('a')], dayMs);
  await store.append('other', [createRecorded('a'), createRecorded('b')], dayMs);
  await forms(async (form) => {
    for (const [zone, count] of [
      ['one', 1],
      ['other', 2],
      ['none', 0],
    ] as const) {
      equal((await store.group(zone, all, { dimensions: [], limit: 1 })).total, count, `${form}, ${zone}`);
    }
    equal(await store.get('one', 'b'), undefined, form);
  });
  await store.erase('one');
  equal((await store.find('other', all, { limit: 10, order: 'newest' })).events.length, 2);
});

test('EventStore groups by fields and by time buckets', async () => {
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
  const tally = (count: number, values: string[], ms: number) => ({ count, values, lastMs: startMs + ms });
  const grouped = async (options: GroupOptions) => (await store.group('zone', all, options)).groups;
  await forms(async (form) => {
    const byAction = [tally(2, ['block'], 60_000), tally(1, ['log'], 0)];
    deepEqual(await grouped({ dimensions: [action], limit: 10 }), byAction, form);
    deepEqual(await grouped({ dimensions: [minute], order: [{ by: 0, direction: 'desc' }], limit: 10 }), [
      tally(1, ['2026-01-01T00:01:00Z'], 60_000),
      tally(2, ['2026-01-01T00:00:00Z'], 10),
    ]);
    deepEqual(await grouped({ dimensions: [action, minute], limit: 2 }), [
      tally(1, ['block', '2026-01-01T00:00:00Z'], 10),
      tally(1, ['block', '2026-01-01T00:01:00Z'], 60_000),
    ]);
    equal((await store.group('zone', all, { dimensions: [action, minute], limit: 1 })).total, 3);
    const ids = { dimensions: [{ field: 'id' }] as const, limit: 1 };
    const each = await store.groupEach('zone', all, [ids, { dimensions: [action], limit: 10 }]);
    deepEqual(
      each.map(({ groups }) => groups),
      [[tally(1, ['a'], 0)], byAction],
      form,
    );
  });
});

test('EventStore returns every event of a request with the explanation that they share', async () => {
  const judged = (version: number): Judged => ({ version, steps: [], rules: [] });
  const request = (rayName: string, version: number) =>
    [0, 1, 2].map((index) => ({
      ...createRecorded(`${rayName}-${index}`, { rayName }),
      judged: JSON.stringify(judged(version)),
    }));
  await append([...request('a', 3), ...request('ab', 4)], dayMs);
  await append([createRecorded('c-0', { rayName: 'c' })], dayMs);
  await forms(async (form) => {
    for (const index of [0, 1, 2]) {
      deepEqual((await store.get('zone', `a-${index}`))?.judged, judged(3), form);
      deepEqual((await store.get('zone', `ab-${index}`))?.judged, judged(4), form);
    }
    equal(await store.get('zone', 'b'), undefined);
    equal((await store.get('zone', 'c-0'))!.judged, undefined);
  });
});

test('EventStore continues at a cursor whose event was deleted', async () => {
  await append([createRecorded('a', at(0)), createRecorded('b', at(dayMs))], 2 * dayMs);
  const page = await find(all, { limit: 1, order: 'oldest' });
  await clock.advance(dayMs * 2 - 60_000);
  await append([createRecorded('c', at(dayMs * 2))], 2 * dayMs);
  await clock.advance(3_600_000);
  const rest = await find(all, { limit: 10, order: 'oldest', cursor: page.cursor! });
  deepEqual(idsOf(rest), ['c']);
});

test('EventStore deletes everything when its zone is deleted, and can be used again', async () => {
  await append([createRecorded('a', at(0))], dayMs);
  await store.erase('zone');
  deepEqual(idsOf(await find(all, { limit: 10, order: 'newest' })), []);
  await append([createRecorded('b', at(0))], dayMs);
  deepEqual(idsOf(await find(all, { limit: 10, order: 'newest' })), ['b']);
});

test('EventStore drops an event within an hour of its time, and not before', async () => {
  const recorded = [0, 7, 14, 21, 28, 35, 42, 49, 56];
  for (const minutes of recorded) {
    await append([createRecorded(`m${minutes}`, at(minutes * 60_000))], dayMs);
    await clock.advance(7 * 60_000);
  }
  const first = clock.now() - startMs;
  for (let passedMs = first; passedMs < dayMs + 3 * 3_600_000; passedMs += 10 * 60_000) {
    const minutes = (await readPages({ limit: 100, order: 'oldest' })).map((id) => Number(id.slice(1)));
    const passedMinutes = passedMs / 60_000 - 24 * 60;
    ok(!minutes.some((each) => each < passedMinutes - 60), `an hour after their time: ${String(minutes)}`);
    const young = recorded.filter((each) => each > passedMinutes);
    deepEqual(
      minutes.filter((each) => each > passedMinutes),
      young,
      'an event has left before its time',
    );
    await clock.advance(10 * 60_000);
  }
  deepEqual(
    filesIn(directory).filter((name) => name.endsWith('.events')),
    [],
  );
});

test('EventStore keeps an event from the future no longer than others', async () => {
  await append([createRecorded('future', at(1_000 * dayMs))], dayMs);
  await clock.advance(dayMs + 3_600_000);
  deepEqual(await readPages({ limit: 10, order: 'oldest' }), []);
});

test('EventStore keeps nothing beyond the largest retention that it is given', async () => {
  await append([createRecorded('a', at(0))], 30 * dayMs);
  await store.close();
  store = await EventStore.open({ directory, clock, durability: 'os', log: fail, retentionMsMax: dayMs });
  await append([createRecorded('b', at(1))], 30 * dayMs);
  await clock.advance(dayMs + 3_600_000);
  deepEqual(await readPages({ limit: 10, order: 'oldest' }), []);
});

test('EventStore keeps the tail small, and writes nothing while nothing happens', async () => {
  for (let round = 0; round < 50; round++) {
    await append(
      Array.from({ length: 200 }, (_, index) =>
        createRecorded(`${round}-${index}`, { ...at(round), userAgent: randomBytes(300).toString('hex') }),
      ),
      dayMs,
    );
  }
  await clock.advance(20 * 60_000);
  const files = filesIn(join(directory, 'tail'));
  deepEqual(
    files.map((name) => name.slice(-4)),
    ['.log', '.tmp'],
  );
  await clock.advance(3_600_000);
  deepEqual(filesIn(join(directory, 'tail')), files);
});

test('EventStore drops the oldest events first when it has to free space', async () => {
  for (const hour of [0, 1, 2]) {
    await append([createRecorded(`h${hour}`, at(hour * 3_600_000))], dayMs);
    await clock.advance(3_600_000);
  }
  ok((await store.dropOldest(1)) > 0);
  deepEqual(await readPages({ limit: 10, order: 'oldest' }), ['h1', 'h2']);
  await store.dropOldest(Infinity);
  deepEqual(await readPages({ limit: 10, order: 'oldest' }), []);
});

test('EventStore tells what each zone takes', async () => {
  await store.append('small', [createRecorded('a')], dayMs);
  await store.append('large', [createRecorded('a'), createRecorded('b')], dayMs);
  await clock.advance(20 * 60_000);
  const sizes = await store.measureZones();
  deepEqual(
    sizes.map(({ zoneId, events }) => [zoneId, events]),
    [
      ['large', 2],
      ['small', 1],
    ],
  );
  ok(sizes.every(({ bytes }) => bytes > 100 && bytes < 10_000));
});

function filesIn(path: string): string[] {
  return readdirSync(path).toSorted();
}
