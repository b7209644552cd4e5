/**
 * How long the first page of a search takes in a log with many events of one zone, in files and in the database of a cluster,
 * and what an event takes in both:
 *
 *     node bench/search/bench.ts [--events 1000000] [--small]
 *
 * Events are of a virtual month. Each search is done cold (nothing of the store is in memory, apart from what the system and
 * the database keep of their files) and then again; in turns in both, and the medians count. The database is a real
 * PostgreSQL on this machine, which shares its cores.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureDirectory, VirtualClock } from '../../src/foundation/base.ts';
import { joinCluster } from '../../src/runtime/cluster.ts';
import {
  type EventCondition,
  type EventStore,
  openDatabaseEventStore,
  openEventStore,
  type RecordedEvent,
} from '../../src/traffic/events.ts';
import { PostgresServer } from '../../test/cluster/postgres-server.ts';
import { createOrdinaryEvents } from '../events/ordinary-events.ts';

const { values } = parseArgs({
  options: { events: { type: 'string', default: '1000000' }, small: { type: 'boolean', default: false } },
});
const count = values.small ? 10_000 : Number(values.events);
if (!(count >= 1_000 && count <= 10_000_000)) {
  console.error('usage: node bench/search/bench.ts [--events 1000…10000000] [--small]');
  process.exit(2);
}
const zoneId = 'a'.repeat(32);
const monthMs = 30 * 86_400_000;
const targetMs = 300;
const ratioMax = 1.5;
const pageEvents = 50;
const batchEvents = 1_000;
const rounds = values.small ? 1 : 9;

interface Search {
  readonly title: string;
  readonly condition?: EventCondition;
}

const searches: readonly Search[] = [
  { title: 'the newest events' },
  {
    title: 'an action that is common',
    condition: { kind: 'test', field: 'action', operator: 'eq', values: ['block'] },
  },
  {
    title: 'an address that comes a few times a day',
    condition: { kind: 'test', field: 'clientIP', operator: 'eq', values: ['203.0.113.7'] },
  },
  {
    title: 'an address that never came',
    condition: { kind: 'test', field: 'clientIP', operator: 'eq', values: ['192.0.2.99'] },
  },
  {
    title: 'an expression that is common',
    condition: { kind: 'expression', expression: 'http.request.uri.path contains "/admin"' },
  },
  {
    title: 'an expression that never matches',
    condition: {
      kind: 'expression',
      expression: 'http.request.uri.path contains "/nowhere" and ip.src in {192.0.2.0/24}',
    },
  },
];

const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-search-'));
const clock = new VirtualClock();
const server = await PostgresServer.start({ isDurable: true });
const url = await server.createDatabase();
const cluster = await joinCluster({ url, leaseMs: 30_000 });
const homes: readonly (() => Promise<EventStore>)[] = [
  () => openEventStore({ directory: join(directory, 'events'), clock, durability: 'os', log: console.error }),
  async () => openDatabaseEventStore({ rows: await cluster.takeLog(zoneId), clock, log: console.error }),
];
try {
  await fill();
  console.log(`${count.toLocaleString('en')} events of one zone, pages of ${pageEvents}.\n`);
  const [files, rows] = [await measureDirectory(join(directory, 'events')), await measureTables()];
  console.log('| bytes per event | files | database | ratio | target |');
  console.log('| --- | ---: | ---: | ---: | --- |');
  console.log(
    `| at rest | ${(files / count).toFixed(1)} | ${(rows / count).toFixed(1)} | ${judge(rows / files)} |\n`,
  );
  console.log(
    '| search | found | files, cold ms | warm | CPU | target | database, cold ms | warm | CPU | ratio, cold | target |',
  );
  console.log('| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |');
  for (const search of searches) console.log(await measure(search));
} finally {
  await cluster.leave();
  await server.stop();
  await rm(directory, { recursive: true });
}

function judge(ratio: number): string {
  return `${ratio.toFixed(2)}× | ≤ ${ratioMax}× ${ratio <= ratioMax ? '✓' : '✗'}`;
}

/** What was deleted is cleaned up first, as the database does by itself within minutes. */
async function measureTables(): Promise<number> {
  const database = new URL(url).pathname.slice(1);
  for (const table of ['frame', 'block'])
    await server.execute(`VACUUM gatehouse.activity_${table}`, database);
  const [row] = (await server.execute(
    `SELECT sum(pg_total_relation_size(oid))::float8 AS bytes FROM pg_class
      WHERE relkind = 'r' AND relname LIKE 'activity_%'`,
    database,
  )) as [{ readonly bytes: number }];
  return row.bytes;
}

async function fill(): Promise<void> {
  const samples = await createOrdinaryEvents({ count: 20_000, seed: 1, startMs: 0, perSecond: 200 });
  const stores = [await homes[0]!(), await homes[1]!()];
  const stepMs = Math.floor((monthMs * 0.99 * batchEvents) / count);
  for (let done = 0; done < count; done += batchEvents) {
    const length = Math.min(batchEvents, count - done);
    const events = Array.from({ length }, (_, index) => renew(samples, done + index));
    for (const store of stores) await store.append(zoneId, events, monthMs);
    await clock.advance(stepMs);
    if (done % 100_000 === 0) console.error(`${done.toLocaleString('en')} events are written`);
  }
  // The last events are put into blocks.
  await clock.advance(15 * 60_000);
  for (const store of stores) await store.close();
}

/** The same request again, at the current time and with a new id. */
function renew(samples: readonly RecordedEvent[], number: number): RecordedEvent {
  const { event, judged } = samples[number % samples.length]!;
  const nowMs = clock.now();
  const rayName = `${nowMs.toString(16).padStart(11, '0')}${(number % 0x10_0000).toString(16).padStart(5, '0')}-TEST`;
  const datetime = new Date(nowMs).toISOString();
  const renewed = { ...event, id: `${rayName}-0`, rayName, originatorRayName: rayName, datetime };
  return { event: renewed, ...(judged === undefined ? {} : { judged }) };
}

interface Times {
  readonly cold: number[];
  readonly warm: number[];
  readonly cpu: number[];
}

async function measure({ title, condition }: Search): Promise<string> {
  const range = { sinceMs: 0, untilMs: clock.now() + 1, ...(condition === undefined ? {} : { condition }) };
  const times: readonly Times[] = homes.map(() => ({ cold: [], warm: [], cpu: [] }));
  const answers = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    for (const [index, open] of homes.entries()) {
      await using store = await open();
      const find = async (kept: number[]): Promise<void> => {
        const startMs = performance.now();
        const { events, cursor } = await store.find(zoneId, range, { limit: pageEvents, order: 'newest' });
        kept.push(performance.now() - startMs);
        answers.add(`${events.length}${cursor === undefined ? '' : ', more follow'}`);
      };
      const { cold, warm, cpu } = times[index]!;
      const before = process.cpuUsage();
      await find(cold);
      const { user, system } = process.cpuUsage(before);
      cpu.push((user + system) / 1_000);
      for (let turn = 0; turn < 3; turn++) await find(warm);
    }
  }
  const [files, rows] = times.map(({ cold, warm, cpu }) => ({
    coldMs: median(cold),
    cells: [cold, warm, cpu].map((kept) => median(kept).toFixed(median(kept) < 10 ? 1 : 0)).join(' | '),
  })) as [{ coldMs: number; cells: string }, { coldMs: number; cells: string }];
  const target = `≤ ${targetMs} ms ${files.coldMs <= targetMs ? '✓' : '✗'}`;
  return `| ${title} | ${[...answers].join('; ')} | ${files.cells} | ${target} | ${rows.cells} | ${judge(rows.coldMs / files.coldMs)} |`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
