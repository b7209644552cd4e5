import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { VirtualClock } from '#base';
import { createCounts, placeOfField, readCounts, type TrafficRow, writeCounts } from './traffic-counts.ts';
import { TrafficStore } from './traffic-store.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const startMs = Date.parse('2026-01-01T00:00:00Z');
const [zone, other] = ['a'.repeat(32), 'b'.repeat(32)];

let parent: string;
let directory: string;
let clock: VirtualClock;
let store: TrafficStore;
let retention: Map<string, number>;
let said: string[];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'gatehouse-traffic-'));
  directory = join(parent, 'traffic');
  clock = new VirtualClock({ start: startMs });
  retention = new Map([
    [zone, 30 * dayMs],
    [other, dayMs],
  ]);
  said = [];
  await open();
});

afterEach(async () => {
  await store.close();
  await rm(parent, { recursive: true, force: true });
});

async function open(): Promise<void> {
  store = await TrafficStore.open({
    directory,
    clock,
    durability: 'os',
    retentionOf: (zoneId) => retention.get(zoneId),
    log: (message) => said.push(message),
  });
}

/** Advances the clock and completes the work that is due by then: a write waits for earlier work. */
async function advance(byMs: number): Promise<void> {
  await clock.advance(byMs);
  await store.write();
}

/** The requests of a zone that were forwarded in a minute. */
function row(zoneId: string, atMs: number, forwarded: number): TrafficRow {
  const counts = createCounts();
  counts[placeOfField.forwarded] = forwarded;
  counts[placeOfField.sentBytes] = forwarded * 10_000_000_000;
  return { zoneId, minute: Math.floor(atMs / minuteMs), counts };
}

/** Hours and minutes after the start, and how many requests were forwarded then. */
async function read(zoneId: string, intervalMs: number, sinceMs = 0): Promise<Record<string, number>> {
  const spans = await store.read(zoneId, { sinceMs, untilMs: clock.now() + dayMs, intervalMs });
  const sorted = [...spans].toSorted(([a], [b]) => a - b);
  return Object.fromEntries(
    sorted.map(([atMs, counts]) => [
      `${Math.floor((atMs - startMs) / hourMs)}:${Math.floor(((atMs - startMs) % hourMs) / minuteMs)}`,
      counts[placeOfField.forwarded]!,
    ]),
  );
}

test('writeCounts and readCounts keep every number that is counted exactly', () => {
  const counts = createCounts().map(
    (_, place) => [0, 127, 128, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER][place % 5]!,
  );
  deepEqual(readCounts(writeCounts(counts)), counts);
  deepEqual(readCounts(Uint8Array.of(7)), [7, ...createCounts().slice(1)]);
});

test('TrafficStore adds up counts of one minute, whether they are in memory, on disk or both', async () => {
  store.add([row(zone, startMs, 1), row(zone, startMs, 2), row(other, startMs, 5)]);
  deepEqual(await read(zone, minuteMs), { '0:0': 3 });
  await store.write();
  store.add([row(zone, startMs, 4), row(zone, startMs + minuteMs, 1)]);
  deepEqual(await read(zone, minuteMs), { '0:0': 7, '0:1': 1 });
  await store.close();
  await open();
  deepEqual(await read(zone, minuteMs), { '0:0': 7, '0:1': 1 });
  deepEqual(await read(zone, hourMs), { '0:0': 8 });
  deepEqual(await read(zone, minuteMs, startMs + minuteMs), { '0:1': 1 });
  deepEqual(await read(other, minuteMs), { '0:0': 5 });
});

test('TrafficStore.add counts a batch that is sent again once, and leaves out unknown zones and old minutes', async () => {
  store.add([row(zone, startMs, 1)], 'edge-1');
  store.add([row(zone, startMs, 1)], 'edge-1');
  store.add([row('c'.repeat(32), startMs, 1), row(other, startMs - 2 * dayMs, 1)], 'edge-2');
  deepEqual(await read(zone, minuteMs), { '0:0': 1 });
  deepEqual([await read('c'.repeat(32), minuteMs), await read(other, minuteMs)], [{}, {}]);
});

test('TrafficStore.add moves a minute from the future close to the present', async () => {
  store.add([row(zone, startMs + 365 * dayMs, 1)]);
  deepEqual(await read(zone, minuteMs), { '0:5': 1 });
});

test('TrafficStore is on disk within a minute', async () => {
  store.add([row(zone, startMs, 1)]);
  await clock.advance(minuteMs);
  // Another store over the same files sees the state that a killed process would leave.
  const copy = await TrafficStore.open({ directory, clock, retentionOf: () => dayMs, log: () => {} });
  const spans = await copy.read(zone, { sinceMs: startMs, untilMs: clock.now(), intervalMs: minuteMs });
  equal(spans.get(startMs)?.[placeOfField.forwarded], 1);
  await copy.close();
});

test('TrafficStore keeps minutes for two days, hours for as long as the zone says, and drops the rest', async () => {
  for (let count = 0; count < 3; count++) {
    store.add([row(zone, clock.now(), 1), row(other, clock.now(), 1)]);
    await advance(30 * minuteMs);
  }
  await advance(24 * hourMs);
  deepEqual(await read(zone, minuteMs), { '0:0': 1, '0:30': 1, '1:0': 1 });
  deepEqual(await read(other, minuteMs), { '1:0': 1 });
  await advance(26 * hourMs);
  deepEqual(await read(zone, minuteMs), { '0:0': 2, '1:0': 1 });
  // An edge that was disconnected reports an hour that is already summed up.
  store.add([row(zone, startMs + 5 * minuteMs, 1)]);
  await advance(2 * hourMs);
  deepEqual(await read(zone, minuteMs), { '0:0': 3, '1:0': 1 });
  await advance(30 * dayMs);
  deepEqual(await read(zone, minuteMs), {});
  // Everything was dropped; the files are removed in the background.
  await store.close();
  const bytes = readdirSync(directory).map((name) => readFileSync(join(directory, name)).length);
  ok(bytes.reduce((sum, each) => sum + each, 0) < 2_000, String(bytes));
  await open();
});

test('TrafficStore.erase forgets a zone, also on disk once files are merged', async () => {
  const isOnDisk = (): boolean =>
    readdirSync(directory).some((name) => readFileSync(join(directory, name)).includes(zone));
  store.add([row(zone, startMs, 1), row(other, startMs, 1)]);
  await store.write();
  equal(isOnDisk(), true);
  store.add([row(zone, startMs + minuteMs, 1)]);
  retention.delete(zone);
  await store.erase(zone);
  deepEqual([await read(zone, minuteMs), await read(other, minuteMs)], [{}, { '0:0': 1 }]);
  await advance(hourMs);
  // Files that were merged are removed in the background.
  await store.close();
  equal(isOnDisk(), false);
  await open();
  deepEqual(await read(other, minuteMs), { '0:0': 1 });
});

test('TrafficStore drops a zone that is gone when its files are looked after', async () => {
  store.add([row(zone, startMs, 1)]);
  await store.write();
  retention.delete(zone);
  await store.housekeep();
  retention.set(zone, dayMs);
  deepEqual(await read(zone, minuteMs), {});
});

test('TrafficStore sets damaged files aside and starts anew', async () => {
  store.add([row(zone, startMs, 1)]);
  await store.close();
  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name));
    bytes[bytes.length >> 1]! ^= 0xff;
    writeFileSync(join(directory, name), bytes);
  }
  await open();
  deepEqual(await read(zone, minuteMs), {});
  match(said.join('\n'), /damaged and were set aside as .*traffic\.damaged-\d+/);
  store.add([row(zone, startMs, 2)]);
  await store.write();
  deepEqual(await read(zone, minuteMs), { '0:0': 2 });
});

test('TrafficStore survives damage that is found while it runs, in a read and in a write', async () => {
  const damageRun = (): void => {
    const name = readdirSync(directory).find((each) => readFileSync(join(directory, each)).includes(zone));
    const bytes = readFileSync(join(directory, name!));
    bytes[bytes.indexOf(zone) + 40]! ^= 0xff;
    writeFileSync(join(directory, name!), bytes);
  };
  for (const find of [() => read(zone, minuteMs), () => store.write()]) {
    store.add([row(zone, startMs, 1)]);
    await store.close();
    damageRun();
    await open();
    store.add([row(zone, startMs, 2)]);
    await find();
    await store.write();
    deepEqual(await read(zone, minuteMs), { '0:0': 2 });
    await store.erase(zone);
    await clock.advance(1);
  }
  equal(said.length, 2);
});
