import { deepEqual, equal, match, ok } from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VirtualClock } from '#base';
import { type EventStore, openEventStore } from '#events';
import { headerBytes } from '../../src/traffic/events/store/blocks/segment-format.ts';
import { createRecorded } from '../../src/traffic/events/testing.ts';

const startMs = Date.UTC(2026, 0, 1);
const dayMs = 86_400_000;
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-events-damage-'));
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

function open(directory: string, messages: string[] = []): Promise<EventStore> {
  return openEventStore({
    directory,
    clock: new VirtualClock({ start: startMs }),
    durability: 'os',
    log: (message, error) => messages.push(`${message}: ${String(error)}`),
  });
}

async function idsIn(store: EventStore): Promise<string[]> {
  const { events } = await store.find('zone', all, { limit: 10_000, order: 'oldest' });
  return events.map(({ id }) => id);
}

/** Three blocks in one unsealed segment, as a killed process leaves it. */
async function prepareSegment(t: TestContext): Promise<{ directory: string; file: string; ids: string[] }> {
  const parent = temporary(t);
  const live = join(parent, 'live');
  const clock = new VirtualClock({ start: startMs });
  const store = await openEventStore({ directory: live, clock, durability: 'os', log: () => {} });
  const ids: string[] = [];
  for (const round of [0, 1, 2]) {
    const batch = Array.from({ length: 5 }, (_, index) => `r${round}e${index}`);
    ids.push(...batch);
    const datetime = new Date(startMs - 60_000 + round).toISOString();
    await store.append(
      'zone',
      batch.map((id) => createRecorded(id, { datetime })),
      dayMs,
    );
    // Long enough for a block, not for the segment to be sealed.
    await clock.advance(15 * 60_000);
  }
  const directory = join(parent, 'killed');
  mkdirSync(directory);
  const file = readdirSync(live).find((name) => name.endsWith('.events'));
  cpSync(join(live, file!), join(directory, file!));
  await store.close();
  return { directory, file: file!, ids };
}

test('a segment that is cut off anywhere keeps every whole block', async (t) => {
  const { directory, file, ids } = await prepareSegment(t);
  const path = join(directory, file);
  const whole = readFileSync(path);
  const counts = new Set<number>();
  let last = ids.length;
  for (let length = whole.length; length >= 0; length -= 97) {
    rmSync(directory, { recursive: true });
    mkdirSync(directory);
    writeFileSync(path, whole.subarray(0, length));
    const messages: string[] = [];
    const store = await open(directory, messages);
    const found = await idsIn(store);
    deepEqual(found, ids.slice(0, found.length), `cut at ${length}`);
    equal(found.length % 5, 0);
    ok(found.length <= last);
    last = found.length;
    counts.add(last);
    await store.close();
    // An unfinished write is not damage, unless it may have been the whole file.
    if (found.length > 0 || length === headerBytes) deepEqual(messages, []);
    else match(String(messages), /^events are damaged; .* no block of it is whole: set aside as/);
    const again = await open(directory);
    deepEqual(await idsIn(again), found, 'the cut is the same when it is opened again');
    await again.close();
  }
  ok(counts.has(0) && counts.size >= 3, `counts seen: ${String([...counts])}`);
});

test('a damaged block costs its own events, is reported, and is found by scrub', async (t) => {
  const { directory, file, ids } = await prepareSegment(t);
  const path = join(directory, file);
  const sealed = await open(directory);
  await sealed.close();
  const whole = readFileSync(path);
  const firstBlock = 32;
  for (const offset of [
    firstBlock + 2,
    firstBlock + 30,
    firstBlock + whole.readUInt32LE(firstBlock + 8) - 5,
  ]) {
    const bytes = Buffer.from(whole);
    bytes[offset]! ^= 0xff;
    writeFileSync(path, bytes);
    const messages: string[] = [];
    const store = await open(directory, messages);
    const found = await idsIn(store);
    deepEqual(
      found.filter((id) => !id.startsWith('r0')),
      ids.filter((id) => !id.startsWith('r0')),
    );
    equal(found.length, ids.length - 5, `byte ${offset}`);
    ok(messages.length > 0 && messages.every((message) => message.includes(file)), 'it is reported');
    const scrubbed = await Array.fromAsync(store.scrub());
    ok(scrubbed.length > 0 && scrubbed.every((damage) => damage.file === path));
    await store.close();
  }
});

test('a damaged index or seal costs nothing', async (t) => {
  const { directory, file, ids } = await prepareSegment(t);
  const path = join(directory, file);
  await (await open(directory)).close();
  const whole = readFileSync(path);
  for (const back of [3, 30, 70]) {
    const bytes = Buffer.from(whole);
    bytes[whole.length - back]! ^= 0xff;
    writeFileSync(path, bytes);
    const store = await open(directory);
    deepEqual(await idsIn(store), ids, `byte ${back} from the end`);
    await store.close();
  }
});

test('a damaged tail is set aside and reported; the log opens without it', async (t) => {
  const directory = join(temporary(t), 'events');
  const store = await open(directory);
  await store.append('zone', [createRecorded('a', { datetime: new Date(startMs).toISOString() })], dayMs);
  const copy = `${directory}-killed`;
  cpSync(directory, copy, { recursive: true });
  await store.close();
  const log = readdirSync(join(copy, 'tail')).find((name) => name.endsWith('.log'));
  truncateSync(join(copy, 'tail', log!), 100);
  const messages: string[] = [];
  const damaged = await open(copy, messages);
  deepEqual(await idsIn(damaged), []);
  await damaged.append('zone', [createRecorded('b', { datetime: new Date(startMs).toISOString() })], dayMs);
  deepEqual(await idsIn(damaged), ['b']);
  await damaged.close();
  equal(messages.length, 1);
  ok(messages[0]!.includes(`tail.damaged-${startMs}`), messages[0]!);
  deepEqual(readdirSync(join(copy, `tail.damaged-${startMs}`)).includes(log!), true);
});
