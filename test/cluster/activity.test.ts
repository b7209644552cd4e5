/**
 * The activity log in the database of a cluster: what it shares with the log in files, and which host may write to it.
 */
import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test, type TestContext } from 'node:test';
import { measureDirectory, realClock, VirtualClock } from '#base';
import { type Cluster, joinCluster } from '#cluster';
import { Control } from '#control';
import {
  type EventCondition,
  type EventStore,
  openEventStore,
  openDatabaseEventStore,
  type RecordedEvent,
  type DatabaseLog,
  DatabaseLogs,
} from '#events';
import { createRuntime } from '#objects';
import { createEvent } from '../../src/traffic/events/testing.ts';
import { PostgresServer } from './postgres-server.ts';

const zoneId = 'a'.repeat(32);
const hourMs = 3_600_000;
const monthMs = 30 * 24 * hourMs;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const everything = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

let server: PostgresServer;
const directories = mkdtempSync(join(tmpdir(), 'gatehouse-activity-'));
before(async () => {
  server = await PostgresServer.start();
});
after(async () => {
  await server.stop();
  rmSync(directories, { recursive: true, force: true });
});

function createDirectory(): string {
  return mkdtempSync(join(directories, 'host-'));
}

function fail(message: string, error?: unknown): void {
  throw new Error(message, { cause: error });
}

interface Database {
  readonly url: string;
  readonly name: string;
  readonly cluster: Cluster;
}

async function joinNew(t: TestContext): Promise<Database> {
  const url = await server.createDatabase();
  const cluster = await joinCluster({ url, leaseMs: 30_000 });
  t.after(() => cluster.leave());
  return { url, name: new URL(url).pathname.slice(1), cluster };
}

/** Events of requests that differ, one after the other. */
function createEvents(first: number, count: number, atMs: number): RecordedEvent[] {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const ray = `ray-${number >> 1}`;
    const event = createEvent(`${ray}-${number & 1}`, {
      rayName: ray,
      originatorRayName: ray,
      // Several have the same time.
      datetime: new Date(atMs + (index >> 2)).toISOString(),
      action: number % 3 === 0 ? 'log' : 'block',
      clientIP: `192.0.2.${(number * 7) % 250}`,
      clientRequestPath: `/products/${number % 40}/${createHash('sha1').update(ray).digest('hex')}.html`,
    });
    return number % 2 === 0 ? { event, judged: JSON.stringify({ rules: [{ number }] }) } : { event };
  });
}

const conditions: readonly (EventCondition | undefined)[] = [
  undefined,
  { kind: 'test', field: 'clientIP', operator: 'eq', values: ['192.0.2.7'] },
  { kind: 'expression', expression: 'http.request.uri.path contains "/39/" and ip.src in {192.0.2.0/25}' },
];

async function measureBlocks(database: string): Promise<number> {
  const statement = "SELECT pg_total_relation_size('gatehouse.activity_block')::float8 AS bytes";
  const [row] = (await server.execute(statement, database)) as [{ readonly bytes: number }];
  return row.bytes;
}

/** Every query that a log supports. */
async function describe(store: EventStore): Promise<unknown> {
  const answers: unknown[] = [];
  for (const condition of conditions) {
    const range = { ...everything, ...(condition === undefined ? {} : { condition }) };
    for (const order of ['newest', 'oldest'] as const) {
      let page = await store.find(zoneId, range, { limit: 700, order });
      answers.push(page);
      while (page.cursor !== undefined) {
        page = await store.find(zoneId, range, { limit: 700, order, cursor: page.cursor });
        answers.push(page.events.map(({ id }) => id));
      }
    }
    answers.push(
      await store.group(zoneId, range, {
        dimensions: [{ field: 'action' }, { bucketMs: hourMs }],
        limit: 100,
      }),
    );
  }
  for (const id of ['ray-0-0', 'ray-0-1', 'ray-1000-1', 'ray-2500-0'])
    answers.push(await store.get(zoneId, id));
  return answers;
}

test('an activity log in a database answers as the one in files, also after a start, and takes no more room', async (t) => {
  const { name, cluster } = await joinNew(t);
  const emptyBytes = await measureBlocks(name);
  const clock = new VirtualClock({ start: startMs });
  const directory = join(createDirectory(), 'events');
  const openFiles = (): Promise<EventStore> =>
    openEventStore({ directory, clock, durability: 'os', log: fail });
  const openInDatabase = async (): Promise<EventStore> =>
    openDatabaseEventStore({ rows: await cluster.takeLog(zoneId), clock, log: fail });
  let stores = [await openFiles(), await openInDatabase()] as const;
  const sent: RecordedEvent[] = [];
  for (let first = 0; first < 5_000; first += 500) {
    sent.push(...createEvents(first, 500, clock.now()));
    for (const store of stores) await store.append(zoneId, sent.slice(first), monthMs);
    // Repeated events are stored once, whether they are in a block or not.
    for (const store of stores) await store.append(zoneId, sent.slice(first >> 1).slice(0, 20), monthMs);
    await clock.advance(11 * 60_000);
  }
  deepEqual(await describe(stores[1]), await describe(stores[0]));
  deepEqual(await stores[1].readLater(zoneId, 4_950, 20), await stores[0].readLater(zoneId, 4_950, 20));
  // The host exits without closing its log.
  stores[1].abandon();
  await stores[0].close();
  stores = [await openFiles(), await openInDatabase()];
  deepEqual(await describe(stores[1]), await describe(stores[0]));
  for (const store of stores) await store.close();
  const bytes = (await measureBlocks(name)) - emptyBytes;
  const filesBytes = await measureDirectory(directory);
  ok(bytes <= 1.5 * filesBytes, `${bytes} bytes in the database, ${filesBytes} in files`);

  // Events are deleted at most half an hour after they expire.
  stores = [await openFiles(), await openInDatabase()];
  await clock.advance(monthMs - hourMs);
  for (const store of stores) await store.housekeep();
  const left = await Promise.all(
    stores.map(async (store) => (await store.group(zoneId, everything, { dimensions: [], limit: 1 })).total),
  );
  deepEqual([left[0]! > 0, left[0]! < 5_000], [true, true]);
  equal(left[1], left[0]);
  await stores[1].erase(zoneId);
  for (const table of ['activity_frame', 'activity_block'])
    deepEqual(await server.execute(`SELECT log FROM gatehouse.${table}`, name), []);
  for (const store of stores) await store.close();
});

test('an activity log in a database is asked for few rows at a time, and no more often for a longer search', async (t) => {
  const { cluster } = await joinNew(t);
  const clock = new VirtualClock({ start: startMs });
  const log = await cluster.takeLog(zoneId);
  const asked = { readHeads: 0, readBlocks: 0 };
  const counted = forward(log, async (name, run) => {
    if (name in asked) asked[name as keyof typeof asked]++;
    return await run();
  });
  const filled = await openDatabaseEventStore({ rows: log, clock, log: fail });
  const blocks = 40;
  for (let block = 0; block < blocks; block++) {
    await filled.append(zoneId, createEvents(block * 50, 50, clock.now()), monthMs);
    await clock.advance(31 * 60_000);
  }
  filled.abandon();
  const store = await openDatabaseEventStore({ rows: counted, clock, log: fail });
  t.after(() => store.abandon());
  await store.find(zoneId, everything, { limit: 10, order: 'newest' });
  deepEqual(asked, { readHeads: 1, readBlocks: 1 });
  equal((await store.group(zoneId, everything, { dimensions: [], limit: 1 })).total, blocks * 50);
  // Twice as many each time.
  ok(asked.readHeads <= 8 && asked.readBlocks <= 14, JSON.stringify(asked));
});

test('an activity log that another host has taken takes no writes of the host before, and has all that was acknowledged', async (t) => {
  const { url, cluster } = await joinNew(t);
  const other = await joinCluster({ url, leaseMs: 30_000 });
  t.after(() => other.leave());
  const clock = new VirtualClock({ start: startMs });
  const logs = [cluster, other].map(
    (each) => new DatabaseLogs({ take: (id) => each.takeLog(id), clock, log: () => {} }),
  );
  for (const each of logs) t.after(() => each[Symbol.dispose]());
  const first = await openDatabaseEventStore({ rows: await cluster.takeLog(zoneId), clock, log: () => {} });
  await first.append(zoneId, createEvents(0, 10, startMs), monthMs);
  const count = async (each: DatabaseLogs): Promise<number> =>
    await each.use(
      zoneId,
      async (store) => (await store.group(zoneId, everything, { dimensions: [], limit: 1 })).total,
    );
  equal(await count(logs[1]!), 10);
  await rejects(first.append(zoneId, createEvents(10, 10, startMs), monthMs), /another host/);
  await rejects(first.erase(zoneId));
  equal(first.isOver, true);
  first.abandon();
  // Alternating: each takes the log from the other, and unacknowledged events are sent again.
  for (let turn = 1; turn < 10; turn++) {
    const host = logs[turn % 2]!;
    const events = createEvents(turn * 10, 10, startMs);
    await host.use(zoneId, (store) => store.append(zoneId, events, monthMs));
    await host.use(zoneId, (store) => store.append(zoneId, events, monthMs));
  }
  for (const each of logs) {
    each.forget(zoneId);
    equal(await count(each), 100);
  }
});

test('an activity log in a database loses nothing and repeats nothing, whichever write fails and whether it was done or not', async (t) => {
  const { cluster } = await joinNew(t);
  const clock = new VirtualClock({ start: startMs });
  const writes = new Set(['addFrame', 'dropFramesBefore', 'addBlocks', 'dropSegment']);
  for (let failing = 0, hasFailed = true; hasFailed; failing++) {
    for (const isDone of [true, false]) {
      const name = `${failing} ${isDone}`.padEnd(32, '-');
      let done = 0;
      hasFailed = false;
      const logs = new DatabaseLogs({
        clock,
        log: () => {},
        take: async (id) =>
          forward(await cluster.takeLog(id), async (method, run) => {
            if (!writes.has(method) || done++ !== failing) return await run();
            hasFailed = true;
            if (isDone) await run();
            throw new Error('the answer was lost');
          }),
      });
      for (let turn = 0; turn < 6; turn++) {
        const events = createEvents(turn * 20, 20, clock.now());
        await logs.use(name, (store) => store.append(name, events, monthMs));
        await logs.use(name, (store) => store.whileSealed(() => {})).catch(() => {});
      }
      const found = await logs.use(name, (store) =>
        store.find(name, everything, { limit: 1_000, order: 'oldest' }),
      );
      deepEqual(
        found.events.map(({ id }) => id).toSorted(),
        createEvents(0, 120, startMs)
          .map(({ event }) => event.id)
          .toSorted(),
        `write ${failing} failed, done: ${isDone}`,
      );
      logs[Symbol.dispose]();
    }
  }
});

test('events that are rows of the object of a zone are moved into its log when the zone is first asked', async (t) => {
  const url = await server.createDatabase();
  const directory = createDirectory();
  const open = async (): Promise<Control> =>
    await Control.open({
      cluster: await joinCluster({ url, leaseMs: 30_000 }),
      directory,
      durability: 'os',
      bootstrap: { accountName: 'Test', email: 'owner@example.com' },
      log: () => {},
      onError: (error) => {
        throw error;
      },
    });
  const first = await open();
  const zone = [...first.directory.zones.values()].find(({ plan }) => plan === 'enterprise')!.id;
  const { token } = first.bootstrapped!;
  await first.close();
  // As versions before wrote them.
  const events = createEvents(0, 2_500, realClock.now() - hourMs);
  const file = join(directory, 'old.sqlite');
  const old = new DatabaseSync(file);
  old.exec(`CREATE TABLE events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, ray TEXT NOT NULL,
      at_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, document TEXT NOT NULL, judged TEXT);
    CREATE INDEX events_by_time ON events (at_ms, sequence);
    CREATE TABLE traffic (unit_ms INTEGER NOT NULL, at_ms INTEGER NOT NULL, expires_ms INTEGER NOT NULL, counts TEXT NOT NULL,
      PRIMARY KEY (unit_ms, at_ms)) WITHOUT ROWID`);
  const insert = old.prepare(
    'INSERT INTO events (id, ray, at_ms, expires_ms, document, judged) VALUES (?, ?, ?, ?, ?, ?)',
  );
  old.exec('BEGIN');
  for (const { event, judged } of events) {
    const atMs = Date.parse(event.datetime);
    insert.run(event.id, event.rayName, atMs, atMs + monthMs, JSON.stringify(event), judged ?? null);
  }
  old.exec('COMMIT');
  old.close();
  const cluster = await joinCluster({ url, leaseMs: 30_000 });
  const runtime = await createRuntime({ cluster, directory: createDirectory(), classes: 'recorded' });
  await runtime.history(runtime.namespace('ActivityLog').idFromName(zone)).importFrom(file);
  await runtime.close();

  const control = await open();
  t.after(() => control.close());
  const { body } = await control.answer({
    method: 'GET',
    target: `/client/v4/zones/${zone}/security/events?since=24h&per_page=1000`,
    headers: { authorization: `Bearer ${token}` },
    address: '127.0.0.1',
    readBody: async () => Buffer.alloc(0),
  });
  const { result } = JSON.parse(body as string) as { readonly result: readonly { readonly id: string }[] };
  deepEqual(
    result.map(({ id }) => id),
    events
      .slice(-1_000)
      .toReversed()
      .map(({ event }) => event.id),
  );
  const log = control.runtime.namespace<{ get(id: string): Promise<unknown> }>('ActivityLog').getByName(zone);
  deepEqual(await log.get('ray-0-1'), { event: events[1]!.event, judged: { rules: [{ number: 0 }] } });
  const name = new URL(url).pathname.slice(1);
  const [{ rows }] = (await server.execute(
    'SELECT sum(rows)::int AS rows FROM gatehouse.activity_block',
    name,
  )) as [{ readonly rows: number }];
  ok(rows >= 2_000);
});

/** A log whose method calls pass through a function. */
function forward(
  log: DatabaseLog,
  pass: (name: string, run: () => Promise<unknown>) => Promise<unknown>,
): DatabaseLog {
  return new Proxy(log, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        pass(String(name), async () => (await value.apply(target, given)) as unknown);
    },
  });
}
