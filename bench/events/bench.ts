/**
 * The disk space of events, and the growth of a data directory under a steady mix of events and API writes:
 *
 *     node bench/events/bench.ts [--minutes 20] [--per-second 200]
 *
 * The minutes pass in virtual time: as much is written as in real ones, as fast as the machine can. Each virtual second
 * has its events in twenty batches for four zones, as the recorder writes them, and two writes to the API.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { VirtualClock } from '../../src/foundation/base.ts';
import { Control } from '../../src/api/control.ts';
import type { RecordedEvent } from '../../src/traffic/events.ts';
import { measureDirectory } from '../../src/foundation/base.ts';
import { CountedFiles } from './counted-files.ts';
import { createOrdinaryEvents } from './ordinary-events.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '20' }, 'per-second': { type: 'string', default: '200' } },
});
const [minutes, perSecond] = [Number(values.minutes), Number(values['per-second'])];
if (!(minutes > 0 && minutes <= 1_440 && perSecond >= 20 && perSecond <= 5_000)) {
  console.error('usage: node bench/events/bench.ts [--minutes 1…1440] [--per-second 20…5000]');
  process.exit(2);
}
const batchesPerSecond = 20;
const parts = ['journal', 'images', 'tables', 'events', 'live'];
const dayMs = 86_400_000;
const plans = ['free', 'pro', 'business', 'enterprise'];

const directory = await mkdtemp(join(tmpdir(), 'gatehouse-bench-events-'));
const clock = new VirtualClock();
const counted = new CountedFiles((path) => {
  const [part, file] = path.slice(directory.length + 1).split('/');
  return path.endsWith('.tmp') ? 'ahead' : part === 'events' && file === 'tail' ? 'events/tail' : part!;
});
const control = await Control.open({
  directory,
  clock,
  fs: counted.fs,
  durability: 'os',
  rateLimit: 'off',
  bootstrap: { accountName: 'Bench', email: 'owner@example.com' },
  onError: (error) => console.error(error),
});
try {
  await run();
} finally {
  await control.close();
  await rm(directory, { recursive: true });
}

async function run(): Promise<void> {
  const samples = await createOrdinaryEvents({ count: 20_000, seed: 1, startMs: 0, perSecond });
  const zones = Array.from(control.directory.zones.values(), ({ id, plan }) => ({
    id,
    isDay: plan === 'free' || plan === 'pro',
  }));
  console.log(`minute  events  ${[...parts, 'all'].map((name) => name.padStart(9)).join('')}  MB on disk`);
  await report(0, 0);
  let count = 0;
  for (let second = 0; second < minutes * 60; second++) {
    for (let batch = 0; batch < batchesPerSecond; batch++) {
      const zone = zones[batch % zones.length]!;
      const length = Math.ceil(perSecond / batchesPerSecond);
      const events = Array.from({ length }, () => renew(samples[count % samples.length]!, count++));
      await control.appendEvents(zone.id, events, zone.isDay ? dayMs : 30 * dayMs);
    }
    await writeApi(zones[second % zones.length]!.id, second);
    await clock.advance(1_000);
    if (second % 300 === 299) await report((second + 1) / 60, count);
  }
  // The last events are put into blocks.
  await clock.advance(15 * 60_000);
  await report(minutes + 15, count);
  console.log(
    `\nbytes written per event (${plans.length} zones, batches of ${Math.ceil(perSecond / batchesPerSecond)}):`,
  );
  for (const name of ['events/tail', 'events']) {
    console.log(`  ${name.padEnd(12)} ${((counted.written.get(name) ?? 0) / count).toFixed(1)}`);
  }
  console.log(
    `bytes at rest per event: ${((await measureDirectory(join(directory, 'events'))) / count).toFixed(1)}`,
  );
}

/** The same request again, at the current time and with a new id. */
function renew({ event, judged }: RecordedEvent, number: number): RecordedEvent {
  const nowMs = clock.now();
  const rayName = `${nowMs.toString(16).padStart(11, '0')}${(number % 0x10_0000).toString(16).padStart(5, '0')}-TEST`;
  const datetime = new Date(nowMs).toISOString();
  const renewed = { ...event, id: `${rayName}-0`, rayName, originatorRayName: rayName, datetime };
  return { event: renewed, ...(judged === undefined ? {} : { judged }) };
}

async function writeApi(zoneId: string, number: number): Promise<void> {
  const { email, key } = control.bootstrapped!;
  const body = JSON.stringify([{ expression: `http.request.uri.path contains "/${number}"` }]);
  const headers = { 'x-auth-email': email, 'x-auth-key': key, 'content-type': 'application/json' };
  const target = `/client/v4/zones/${zoneId}/filters`;
  const call = { headers, address: '127.0.0.1' };
  const made = await control.answer({
    ...call,
    method: 'POST',
    target,
    readBody: async () => Buffer.from(body),
  });
  const [{ id }] = (JSON.parse(made.body as string) as { result: [{ id: string }] }).result;
  await control.answer({
    ...call,
    method: 'DELETE',
    target: `${target}/${id}`,
    readBody: async () => Buffer.alloc(0),
  });
}

async function report(minute: number, count: number): Promise<void> {
  const sizes = await Promise.all(
    [...parts.map((part) => join(directory, part)), directory].map(measureDirectory),
  );
  const text = sizes.map((bytes) => (bytes / 1e6).toFixed(2).padStart(9)).join('');
  console.log(`${String(minute).padStart(6)}  ${String(count).padStart(6)}  ${text}`);
}
