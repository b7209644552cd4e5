import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import type { SecurityEvent } from '../../event.ts';
import { createEvent } from '../../testing.ts';
import { columnRowsMin } from '../limits.ts';
import type { StoredEvent } from '../stored-event.ts';
import { readFrameHead, writeFrameHead } from './frame-head.ts';
import { TailFrameReader } from './tail-frame-reader.ts';
import { writeFrame, writeText } from './tail-frame.ts';

const startMs = Date.UTC(2026, 0, 1, 12);
const zoneId = 'a'.repeat(32);
const none = { bytes: Buffer.alloc(0), start: 1, end: 1 };

function createRow(
  index: number,
  more: Partial<SecurityEvent> = {},
  judged: string | null = null,
): StoredEvent {
  const rayName = `19b7${index.toString(16).padStart(12, '0')}-TEST`;
  const atMs = startMs + index * 7;
  const datetime = new Date(atMs).toISOString();
  const event = createEvent(`${rayName}-0`, { rayName, originatorRayName: rayName, datetime, ...more });
  return { sequence: index + 1, atMs, expiresMs: atMs + 1_000, event, judged };
}

function readBack(rows: readonly StoredEvent[]): readonly StoredEvent[] | undefined {
  const payload = Buffer.concat(
    writeFrame({ zoneId, firstSequence: 1, retentionMs: 1_000, rows }, writeText(rows), none),
  );
  return new TailFrameReader().read({ payload, time: startMs + 10_000_000 })?.rows;
}

test('FrameReader reads what writeFrame wrote, by event and by field', () => {
  for (const count of [1, columnRowsMin - 1, columnRowsMin, 300]) {
    const rows = Array.from({ length: count }, (_, index) =>
      createRow(
        index,
        {
          clientRequestPath: `/grüß/${index % 3}\n"`,
          userAgent: index % 2 === 0 ? '' : 'curl',
          edgeResponseStatus: 200 + (index % 5),
          metadata: index % 4 === 0 ? [{ key: 'waf_score', value: String(index) }] : [],
        },
        index % 3 === 0
          ? null
          : JSON.stringify({ version: index % 2, steps: [], rules: [{ text: '\u2028' }] }),
      ),
    );
    deepEqual(readBack(rows), rows);
  }
});

test('FrameReader reads times, ids and request ids that do not follow from other fields', () => {
  const odd = Array.from({ length: columnRowsMin }, (_, index) => createRow(index));
  odd[3] = createRow(3, { id: 'other', originatorRayName: 'first' });
  odd[4] = {
    ...createRow(4, { datetime: '2026-01-01T12:00:00Z' }),
    atMs: startMs,
    expiresMs: startMs + 1_000,
  };
  odd[5] = createRow(5, { id: `${odd[5]!.event.rayName}-007` });
  deepEqual(readBack(odd), odd);
});

test('writeText takes few bytes of events that are alike', () => {
  const judged = JSON.stringify({ version: 1, steps: ['x'.repeat(900)], rules: [] });
  const rows = Array.from({ length: 250 }, (_, index) => createRow(index, {}, judged));
  const perEvent = writeText(rows).length / rows.length;
  ok(perEvent < 50, `${perEvent} bytes of text`);
  equal(readBack(rows)?.at(-1)?.judged, judged);
});

test('readFrameHead reads what writeFrameHead wrote, in few bytes', () => {
  const head = {
    layout: 'lines',
    dictionaryStart: 7,
    dictionaryEnd: 9,
    count: 1,
    textLength: 1_000,
  } as const;
  for (const [zone, firstSequence, retentionMs] of [
    [zoneId, 9, 0],
    ['zone', 127, 128],
    ['f'.repeat(31), Number.MAX_SAFE_INTEGER, 30 * 86_400_000],
  ] as const) {
    const written = { ...head, zoneId: zone, firstSequence, retentionMs };
    const bytes = writeFrameHead(written);
    deepEqual(readFrameHead(bytes), { ...written, compressed: Buffer.alloc(0) });
  }
  equal(writeFrameHead({ ...head, zoneId, firstSequence: 1_000_000, retentionMs: 86_400_000 }).length, 32);
});
