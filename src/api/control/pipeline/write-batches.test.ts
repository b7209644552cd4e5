import { deepEqual, equal, rejects } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Call } from '../context/handler.ts';
import { batchedWritesMax } from '../context/limits.ts';
import { type BatchingObject, WriteBatches } from './write-batches.ts';

type BatchedAnswers = Awaited<ReturnType<BatchingObject['answerAll']>>;

/** An object whose answers the test controls. */
class ClaimedObject {
  readonly asked: string[][] = [];
  readonly held: PromiseWithResolvers<void>[] = [];
  /** How many calls of a batch it answers. */
  answersMax = Infinity;

  async answerAll(calls: readonly Call[]): Promise<BatchedAnswers> {
    const ids = calls.slice(0, this.answersMax).map(({ requestId }) => requestId);
    this.asked.push(calls.map(({ requestId }) => requestId));
    const held = Promise.withResolvers<void>();
    this.held.push(held);
    await held.promise;
    return ids.map((id) => (id === 'bad' ? { failure: new Error(id) } : { status: 200, body: id }));
  }

  async release(): Promise<void> {
    this.held.shift()!.resolve();
    await settle();
  }
}

function callOf(requestId: string): Call {
  return { requestId } as Call;
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

function createBatches(): { object: ClaimedObject; send: (id: string) => Promise<unknown> } {
  const object = new ClaimedObject();
  const batches = new WriteBatches(() => object);
  return { object, send: async (id) => (await batches.answer('zone', callOf(id))).body };
}

test('WriteBatches passes on writes that arrive together as one, and those that arrive later when there is room', async () => {
  const { object, send } = createBatches();
  const first = [send('1'), send('2')];
  await settle();
  const second = send('3');
  await settle();
  const third = [send('4'), send('5')];
  await settle();
  deepEqual(object.asked, [['1', '2'], ['3']]);
  await object.release();
  deepEqual(object.asked.slice(2), [['4', '5']]);
  await object.release();
  await object.release();
  deepEqual(await Promise.all([...first, second, ...third]), ['1', '2', '3', '4', '5']);
});

test('WriteBatches passes on no more writes at once than its bound, and forgets an object without writes', async () => {
  const object = new ClaimedObject();
  let asked = 0;
  const batches = new WriteBatches(() => {
    asked++;
    return object;
  });
  const send = (id: string): Promise<unknown> => batches.answer('zone', callOf(id));
  const sent = Array.from({ length: batchedWritesMax + 1 }, (_, index) => send(String(index)));
  await settle();
  deepEqual(
    object.asked.map(({ length }) => length),
    [batchedWritesMax, 1],
  );
  await object.release();
  sent.push(send('later'));
  await settle();
  equal(asked, 1);
  await object.release();
  await object.release();
  await Promise.all(sent);
  const next = send('next');
  await settle();
  equal(asked, 2);
  await object.release();
  await next;
});

test('WriteBatches rejects a write that failed, and no other', async () => {
  const { object, send } = createBatches();
  const sent = [send('1'), send('bad'), send('2')];
  const rejected = rejects(sent[1]!, /bad/);
  await settle();
  await object.release();
  await rejected;
  deepEqual([await sent[0], await sent[2]], ['1', '2']);
});

test('WriteBatches asks again for writes that were not answered, before later ones', async () => {
  const { object, send } = createBatches();
  object.answersMax = 2;
  const sent = ['1', '2', '3'].map(send);
  await settle();
  await object.release();
  const later = send('4');
  await settle();
  deepEqual(object.asked, [['1', '2', '3'], ['3'], ['4']]);
  while (object.held.length > 0) await object.release();
  deepEqual(await Promise.all([...sent, later]), ['1', '2', '3', '4']);
});

test('WriteBatches rejects every write of a batch if the object fails', async () => {
  const failing = new WriteBatches(() => ({ answerAll: () => Promise.reject(new Error('reset')) }));
  const sent = ['1', '2'].map((id) => failing.answer('zone', callOf(id)));
  for (const each of await Promise.allSettled(sent)) equal(each.status, 'rejected');
});

test('WriteBatches asks an object that was reset anew, while further writes wait', async () => {
  const objects = [new ClaimedObject(), new ClaimedObject()];
  let given = 0;
  const batches = new WriteBatches(() => objects[Math.min(given++, 1)]!);
  const send = (id: string): Promise<unknown> => batches.answer('zone', callOf(id));
  const lost = send('1');
  await settle();
  const underWay = send('2');
  await settle();
  const waiting = send('3');
  objects[0]!.held.shift()!.reject(new Error('reset'));
  await rejects(lost, /reset/);
  await settle();
  deepEqual([objects[0]!.asked, objects[1]!.asked], [[['1'], ['2']], [['3']]]);
  await objects[0]!.release();
  await objects[1]!.release();
  await Promise.all([underWay, waiting]);
});
