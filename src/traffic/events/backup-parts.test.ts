import { deepEqual, equal } from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { VirtualClock } from '#base';
import { createEventPart } from './backup-parts.ts';
import { EventStore } from './event-store.ts';
import { createRecorded } from './testing.ts';

const startMs = Date.parse('2026-01-01T00:00:00Z');
const dayMs = 86_400_000;
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };

function fail(message: string, error?: unknown): void {
  throw new Error(message, { cause: error });
}

function temporary(t: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-event-backup-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function countEvents(store: EventStore, zoneId: string): Promise<number> {
  return (await store.find(zoneId, all, { limit: 1000, order: 'oldest' })).events.length;
}

test('createEventPart gives a copy of the events as they are, while the store drops and appends', async (t) => {
  const [data, copy] = [temporary(t), temporary(t)];
  const clock = new VirtualClock({ start: startMs });
  const open = (directory: string): Promise<EventStore> =>
    EventStore.open({ directory: join(directory, 'events'), clock, durability: 'os', log: fail });
  await using store = await open(data);
  const at = (index: number): string => new Date(startMs - index).toISOString();
  const events = Array.from({ length: 20 }, (_, index) =>
    createRecorded(`e${index}`, { datetime: at(index) }),
  );
  await store.append('shop', events, dayMs);
  const part = createEventPart(store, join(data, 'events'));
  deepEqual(part.names, ['events']);
  {
    using held = await part.hold();
    await clock.advance(2 * dayMs);
    equal(await countEvents(store, 'shop'), 0);
    const later = createRecorded('later', { datetime: new Date(clock.now()).toISOString() });
    await store.append('shop', [later], dayMs);
    for await (const { path, source } of held.files) {
      mkdirSync(join(copy, dirname(path)), { recursive: true });
      cpSync(join(data, source!), join(copy, path));
    }
  }
  deepEqual(
    readdirSync(join(data, 'events')).filter((name) => name.startsWith('.')),
    [],
  );
  const restored = await EventStore.open({
    directory: join(copy, 'events'),
    clock: new VirtualClock({ start: startMs }),
    durability: 'os',
    log: fail,
  });
  equal(await countEvents(restored, 'shop'), 20);
  await restored.close();
  for await (const damage of part.scrub!()) fail(damage.problem);
});
