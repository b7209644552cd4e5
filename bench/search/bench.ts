/**
 * How long the first page of a search takes in a log with many events of one zone:
 *
 *     node bench/search/bench.ts [--events 1000000] [--small]
 *
 * Events are of a virtual month. Each search is done cold (nothing of the store is in memory, apart from what the system keeps of its
 * files) and then five times again, of which the median counts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VirtualClock } from '../../src/base.ts';
import { type Condition, type EventStore, openEventStore, type RecordedEvent } from '../../src/events.ts';
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
const pageEvents = 50;
const batchEvents = 1_000;

interface Search {
  readonly title: string;
  readonly condition?: Condition;
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
try {
  await fill();
  console.log(`${count.toLocaleString('en')} events of one zone, pages of ${pageEvents}.\n`);
  console.log('| search | found | cold ms | warm ms | CPU ms | target |');
  console.log('| --- | ---: | ---: | ---: | ---: | --- |');
  for (const search of searches) console.log(await measure(search));
} finally {
  await rm(directory, { recursive: true });
}

async function fill(): Promise<void> {
  const samples = await createOrdinaryEvents({ count: 20_000, seed: 1, startMs: 0, perSecond: 200 });
  await using store = await open();
  const stepMs = Math.floor((monthMs * 0.99 * batchEvents) / count);
  for (let done = 0; done < count; done += batchEvents) {
    const length = Math.min(batchEvents, count - done);
    const events = Array.from({ length }, (_, index) => renew(samples, done + index));
    await store.append(zoneId, events, monthMs);
    await clock.advance(stepMs);
    if (done % 100_000 === 0) console.error(`${done.toLocaleString('en')} events are written`);
  }
  // The last events are put into blocks.
  await clock.advance(15 * 60_000);
}

function open(): Promise<EventStore> {
  return openEventStore({
    directory: join(directory, 'events'),
    clock,
    durability: 'os',
    log: console.error,
  });
}

/** The same request again, at the time of now and with an id of its own. */
function renew(samples: readonly RecordedEvent[], number: number): RecordedEvent {
  const { event, judged } = samples[number % samples.length]!;
  const nowMs = clock.now();
  const rayName = `${nowMs.toString(16).padStart(11, '0')}${(number % 0x10_0000).toString(16).padStart(5, '0')}-TEST`;
  const datetime = new Date(nowMs).toISOString();
  const renewed = { ...event, id: `${rayName}-0`, rayName, originatorRayName: rayName, datetime };
  return { event: renewed, ...(judged === undefined ? {} : { judged }) };
}

async function measure({ title, condition }: Search): Promise<string> {
  await using store = await open();
  const range = { sinceMs: 0, untilMs: clock.now() + 1, ...(condition === undefined ? {} : { condition }) };
  const find = async (): Promise<{ found: string; ms: number; cpuMs: number }> => {
    const startMs = performance.now();
    const before = process.cpuUsage();
    const { events, cursor } = await store.find(zoneId, range, { limit: pageEvents, order: 'newest' });
    const { user, system } = process.cpuUsage(before);
    const more = cursor === undefined ? '' : ', more follow';
    return {
      found: `${events.length}${more}`,
      ms: performance.now() - startMs,
      cpuMs: (user + system) / 1_000,
    };
  };
  const cold = await find();
  const again: { ms: number; cpuMs: number }[] = [];
  for (let turn = 0; turn < 5; turn++) again.push(await find());
  const warmMs = again.map(({ ms }) => ms).toSorted((a, b) => a - b)[2]!;
  const cells = [title, cold.found, ...[cold.ms, warmMs, cold.cpuMs].map((ms) => ms.toFixed(0))];
  const isReached = cold.ms <= targetMs;
  return `| ${cells.join(' | ')} | ≤ ${targetMs} ms cold ${isReached ? '✓' : '✗'} |`;
}
