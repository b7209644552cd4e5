import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { VirtualClock } from '#base';
import type { RecordedEvent } from './event.ts';
import { batchEventsMax, heldBytesMax, makeMsPerTurn, queuedEventsMax, writePatienceMs } from './limits.ts';
import { EventRecorder, type PendingEvents } from './recorder.ts';
import { createRecorded } from './testing.ts';

function pending(zoneId: string, id: string, more: Partial<PendingEvents> = {}): PendingEvents {
  return { zoneId, retentionMs: 1, count: 1, bytes: 0, make: () => [createRecorded(id)], ...more };
}

/** Delivers recorded events, without waiting for logs that do not answer. */
async function deliver(recorder: EventRecorder, isDone: () => boolean): Promise<void> {
  void recorder.flush();
  for (let turns = 0; !isDone(); turns++) {
    if (turns === 10_000) throw new Error('the events were not written');
    await nextTurn();
  }
}

test('EventRecorder writes events to their zones in batches', async () => {
  const batches: [zoneId: string, events: readonly RecordedEvent[]][] = [];
  const recorder = new EventRecorder({
    write: async (zoneId, events) => void batches.push([zoneId, events]),
  });
  recorder.record(pending('a', '1'));
  recorder.record(pending('b', '2'));
  recorder.record(pending('a', '3'));
  await recorder.flush();
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
  deepEqual(recorder.counts, { recorded: 4, written: 4, dropped: 0, queued: 0 });
});

test('EventRecorder drops and counts events that do not fit or cannot be written', async () => {
  const errors: unknown[] = [];
  const recorder = new EventRecorder({
    write: () => Promise.reject(new Error('the log is full')),
    onError: (error) => errors.push(error),
  });
  // One zone can use half of the room.
  const fits = queuedEventsMax / 2;
  for (let index = 0; index < fits + 5; index++) recorder.record(pending('a', String(index)));
  equal(recorder.counts.dropped, 5);
  await recorder.flush();
  deepEqual(recorder.counts, { recorded: fits, written: 0, dropped: fits + 5, queued: 0 });
  equal(errors.length, fits / batchEventsMax);
});

test('EventRecorder writes the events of other zones while the log of one does not answer', async () => {
  const clock = new VirtualClock();
  const written: string[] = [];
  const stuck = Promise.withResolvers<void>();
  const recorder = new EventRecorder({
    clock,
    write: async (zoneId, events) => {
      if (zoneId === 'stuck') await stuck.promise;
      for (const { event } of events) written.push(`${zoneId} ${event.id}`);
    },
  });
  recorder.record(pending('stuck', '1'));
  recorder.record(pending('a', '1'));
  await deliver(recorder, () => written.length === 1);
  // Later events do not wait: the slow write has used up its time.
  recorder.record(pending('stuck', '2'));
  recorder.record(pending('a', '2'));
  await clock.advance(writePatienceMs);
  await deliver(recorder, () => written.length === 2);
  for (let round = 3; round < 6; round++) {
    recorder.record(pending('a', String(round)));
    await deliver(recorder, () => written.length === round);
  }
  deepEqual(written, ['a 1', 'a 2', 'a 3', 'a 4', 'a 5']);
  // The other zones have room however many events wait for the slow log.
  for (let index = 0; index < queuedEventsMax; index++) recorder.record(pending('stuck', 'x'));
  const { dropped, queued } = recorder.counts;
  equal(queued, queuedEventsMax / 2);
  recorder.record(pending('a', '6'));
  await deliver(recorder, () => written.length === 6);
  equal(recorder.counts.dropped, dropped);
  stuck.resolve();
  await recorder.flush();
  deepEqual(written.slice(6, 8), ['stuck 1', 'stuck 2']);
  equal(recorder.counts.queued, 0);
});

test('EventRecorder survives an event that cannot be created', async () => {
  const recorder = new EventRecorder({ write: async () => {} });
  const make = (): never => {
    throw new Error('our mistake');
  };
  recorder.record(pending('a', '1', { make }));
  recorder.record(pending('a', '2'));
  await recorder.flush();
  deepEqual(recorder.counts, { recorded: 2, written: 1, dropped: 1, queued: 0 });
});

test('EventRecorder releases requests that hold too much, and keeps their events without explanations', async () => {
  const details: string[] = [];
  const recorder = new EventRecorder({ write: async () => {} });
  const make: PendingEvents['make'] = (detail) => {
    details.push(detail);
    return [createRecorded(String(details.length))];
  };
  for (const zoneId of ['a', 'b', 'c'])
    recorder.record(pending(zoneId, '', { make, bytes: heldBytesMax / 2 }));
  deepEqual(details, ['plain']);
  await recorder.flush();
  deepEqual(details, ['plain', 'explained', 'explained']);
  recorder.record(pending('a', '', { make, bytes: heldBytesMax / 2 }));
  await recorder.flush();
  equal(details.at(-1), 'explained');
  deepEqual(recorder.counts, { recorded: 4, written: 4, dropped: 0, queued: 0 });
});

test('EventRecorder creates events in slices, so that other work gets a turn in between', async () => {
  let clockMs = 0;
  const recorder = new EventRecorder({ write: async () => {}, nowMs: () => clockMs });
  let turns = 0;
  let isDone = false;
  const turnsOfMade: number[] = [];
  const make = (): RecordedEvent[] => {
    clockMs += makeMsPerTurn / 2;
    turnsOfMade.push(turns);
    return [createRecorded('1')];
  };
  for (let index = 0; index < 21; index++) recorder.record(pending('a', '', { make }));
  const countTurn = (): void => {
    turns++;
    if (!isDone) setImmediate(countTurn);
  };
  setImmediate(countTurn);
  await recorder.flush();
  isDone = true;
  // The third event exceeds the time of a turn, so other work gets a turn.
  const perTurn = turnsOfMade.map((turn) => turnsOfMade.filter((other) => other === turn).length);
  deepEqual(new Set(perTurn), new Set([3]));
});
