import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordedEvent } from './event.ts';
import { batchEventsMax, queuedEventsMax } from './limits.ts';
import { EventRecorder } from './recorder.ts';
import { recorded } from './testing.ts';

function pending(zoneId: string, id: string) {
  return { zoneId, retentionMs: 1, count: 1, make: () => [recorded(id)] };
}

test('EventRecorder brings events to their zones in batches and tells who listens', async () => {
  const batches: [zoneId: string, events: readonly RecordedEvent[]][] = [];
  const recorder = new EventRecorder({
    write: async (zoneId, events) => void batches.push([zoneId, events]),
  });
  const heard: string[] = [];
  const stop = recorder.subscribe('a', ({ id }) => heard.push(id));
  recorder.record(pending('a', '1'));
  recorder.record(pending('b', '2'));
  recorder.record(pending('a', '3'));
  await recorder.flush();
  stop();
  recorder.record(pending('a', '4'));
  await recorder.flush();
  deepEqual(
    batches.map(([zoneId, events]) => [zoneId, events.map(({ event }) => event.id)]),
    [
      ['a', ['1', '3']],
      ['b', ['2']],
      ['a', ['4']],
    ],
  );
  deepEqual(heard, ['1', '3']);
  deepEqual(recorder.counts, { recorded: 4, written: 4, dropped: 0, queued: 0 });
});

test('EventRecorder drops and counts what does not fit, and what cannot be written', async () => {
  const errors: unknown[] = [];
  const recorder = new EventRecorder({
    write: () => Promise.reject(new Error('the log is full')),
    onError: (error) => errors.push(error),
  });
  for (let index = 0; index < queuedEventsMax + 5; index++) recorder.record(pending('a', String(index)));
  equal(recorder.counts.dropped, 5);
  await recorder.flush();
  deepEqual(recorder.counts, {
    recorded: queuedEventsMax,
    written: 0,
    dropped: queuedEventsMax + 5,
    queued: 0,
  });
  equal(errors.length, queuedEventsMax / batchEventsMax);
});

test('EventRecorder survives an event that cannot be made', async () => {
  const recorder = new EventRecorder({ write: async () => {} });
  recorder.record({
    ...pending('a', '1'),
    make: () => {
      throw new Error('our mistake');
    },
  });
  recorder.record(pending('a', '2'));
  await recorder.flush();
  deepEqual(recorder.counts, { recorded: 2, written: 1, dropped: 1, queued: 0 });
});
