/** Files of this version stay readable: their bytes were captured when the format was specified. */
import { deepEqual, equal } from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { VirtualClock } from '#base';
import { createEvent } from '../testing.ts';
import { EventStore } from '../event-store.ts';
import { TailFrameReader } from './tail/tail-frame-reader.ts';

const startMs = Date.UTC(2026, 0, 1, 12);
const all = { sinceMs: 0, untilMs: Number.MAX_SAFE_INTEGER };
const [zoneA, zoneB] = ['a'.repeat(32), 'b'.repeat(32)];

function captured(name: string): URL {
  return new URL(`testdata/${name}`, import.meta.url);
}

function expectedEvent(number: number, more: Parameters<typeof createEvent>[1] = {}) {
  const rayName = `19b7${number.toString(16).padStart(12, '0')}-CAPT`;
  const datetime = new Date(startMs + number).toISOString();
  return createEvent(`${rayName}-0`, { rayName, originatorRayName: rayName, datetime, ...more });
}

const first = [expectedEvent(1), expectedEvent(2, { userAgent: 'grüß' })];
const last = expectedEvent(4, { action: 'log' });

test('EventStore reads a captured segment', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-events-captured-'));
  t.after(() => rmSync(directory, { recursive: true }));
  copyFileSync(captured('sealed.events'), join(directory, '2026-01-02T1230Z-00000002.events'));
  const clock = new VirtualClock({ start: startMs + 60_000 });
  await using store = await EventStore.open({ directory, clock, log: (message) => t.assert.fail(message) });
  const options = { limit: 10, order: 'oldest' } as const;
  deepEqual((await store.find(zoneA, all, options)).events, [...first, last]);
  deepEqual((await store.find(zoneB, all, options)).events, [expectedEvent(3)]);
  equal((await store.get(zoneA, first[1]!.id))?.judged?.version, 2);
});

test('FrameReader reads captured frames of either kind of head, the second with the first as its dictionary', () => {
  for (const kind of ['frame', 'short-frame']) {
    const reader = new TailFrameReader();
    const read = (name: string) => reader.read({ payload: readFileSync(captured(name)), time: startMs });
    const found = [read(`${kind}-without-dictionary.bin`), read(`${kind}-with-dictionary.bin`)];
    deepEqual(
      found.map((frame) => frame?.rows.map(({ event, sequence }) => [sequence, event.id])),
      [
        [
          [1, first[0]!.id],
          [2, first[1]!.id],
        ],
        [[4, last.id]],
      ],
    );
    deepEqual([found[0]?.zoneId, found[0]?.retentionMs], [zoneA, 86_400_000]);
    equal(
      new TailFrameReader().read({ payload: readFileSync(captured(`${kind}-with-dictionary.bin`)), time: 0 }),
      undefined,
    );
  }
});
