import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BatchQueue, type BatchQueueOptions } from './batch-queue.ts';
import { VirtualClock } from './virtual-clock.ts';

/** A receiver of batches that completes them when the test decides. */
class Receiver {
  readonly batches: string[] = [];
  readonly lost: string[] = [];
  emptied = 0;
  readonly #held: PromiseWithResolvers<number | void>[] = [];
  readonly queue: BatchQueue<string>;
  readonly clock = new VirtualClock();

  constructor(options: Partial<BatchQueueOptions<string>> = {}) {
    this.queue = new BatchQueue({
      send: (batch) => {
        this.batches.push(batch.join());
        this.#held.push(Promise.withResolvers<number | void>());
        return this.#held.at(-1)!.promise;
      },
      onLost: (batch, error) => this.lost.push(`${batch.join()} ${(error as Error).message}`),
      onEmpty: () => this.emptied++,
      heldMax: 100,
      delay: 1_000,
      clock: this.clock,
      ...options,
    });
  }

  add(...items: readonly string[]): boolean[] {
    return items.map((item) => this.queue.add(item));
  }

  async settle(done?: number | Error): Promise<void> {
    const { resolve, reject } = this.#held.shift()!;
    if (done instanceof Error) reject(done);
    else resolve(done);
    await turns();
  }
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

test('BatchQueue sends the first item with those that come during the delay, and not a moment earlier', async () => {
  const receiver = new Receiver();
  receiver.add('a');
  await receiver.clock.advance(999);
  receiver.add('b');
  deepEqual(receiver.batches, []);
  await receiver.clock.advance(1);
  deepEqual(receiver.batches, ['a,b']);
});

test('BatchQueue sends at once when there is enough, and what came meanwhile when the batch is done', async () => {
  const receiver = new Receiver({ enough: 2 });
  receiver.add('a', 'b', 'c', 'd', 'e');
  deepEqual(receiver.batches, ['a,b']);
  await receiver.settle();
  deepEqual(receiver.batches, ['a,b', 'c,d,e']);
  equal(receiver.emptied, 0);
  await receiver.settle();
  deepEqual([receiver.queue.held, receiver.emptied], [0, 1]);
});

test('BatchQueue sends no batch above its bound, unless it is one item', async () => {
  const receiver = new Receiver({ weigh: ({ length }) => length, batchMax: 5 });
  receiver.add('aaaa', 'b', 'cc', 'dddddddd', 'e');
  const flushed = receiver.queue.flush();
  while (receiver.queue.held > 0) await receiver.settle();
  await flushed;
  deepEqual(receiver.batches, ['aaaa,b', 'cc', 'dddddddd', 'e']);
});

test('BatchQueue holds as much as its bound allows, waiting and under way, and has room again when a batch is done', async () => {
  const receiver = new Receiver({ heldMax: 3, enough: 2 });
  deepEqual(receiver.add('a', 'b', 'c', 'd'), [true, true, true, false]);
  equal(receiver.queue.held, 3);
  await receiver.settle();
  equal(receiver.queue.held, 1);
  deepEqual(receiver.add('e', 'f', 'g'), [true, true, false]);
  await receiver.settle();
  deepEqual(receiver.batches, ['a,b', 'c', 'e,f']);
});

test('BatchQueue gathers what comes in one turn, with several batches under way up to the bound', async () => {
  const receiver = new Receiver({ delay: 'turn', batchMax: 2, underWayMax: 2 });
  receiver.add('a', 'b', 'c', 'd', 'e');
  deepEqual(receiver.batches, []);
  await turns();
  deepEqual(receiver.batches, ['a,b', 'c,d']);
  receiver.add('f');
  await receiver.settle();
  deepEqual(receiver.batches, ['a,b', 'c,d', 'e,f']);
});

test('BatchQueue sends what was left undone again, before what came later, and holds it until then', async () => {
  const receiver = new Receiver({ enough: 3 });
  receiver.add('a', 'b', 'c', 'd');
  await receiver.settle(1);
  deepEqual(receiver.batches, ['a,b,c', 'b,c,d']);
  equal(receiver.queue.held, 3);
  await receiver.settle();
  equal(receiver.queue.held, 0);
});

test('BatchQueue gives a batch that is lost to its owner once, and goes on after a pause', async () => {
  const receiver = new Receiver({ enough: 2, pauseMs: 50 });
  receiver.add('a', 'b', 'c');
  await receiver.settle(new Error('full'));
  deepEqual([receiver.lost, receiver.queue.held], [['a,b full'], 1]);
  await receiver.clock.advance(49);
  deepEqual(receiver.batches, ['a,b']);
  await receiver.clock.advance(1);
  deepEqual(receiver.batches, ['a,b', 'c']);
  await receiver.settle();
  deepEqual([receiver.lost, receiver.queue.held], [['a,b full'], 0]);
});

test('BatchQueue.flush waits for everything, and for nothing more once a batch is lost', async () => {
  const receiver = new Receiver({ batchMax: 1, enough: 10, pauseMs: 1_000_000 });
  receiver.add('a', 'b');
  let isFlushed = false;
  const flushed = receiver.queue.flush().then(() => (isFlushed = true));
  await receiver.settle();
  deepEqual([receiver.batches, isFlushed], [['a', 'b'], false]);
  receiver.add('c');
  await receiver.settle(new Error('gone'));
  await flushed;
  deepEqual([receiver.batches, receiver.queue.held], [['a', 'b'], 1]);
  // The pause does not delay the next one.
  const again = receiver.queue.flush();
  deepEqual(receiver.batches, ['a', 'b', 'c']);
  await receiver.settle();
  await again;
});

test('BatchQueue.close sends what is left and takes nothing more; it waits no longer than it may', async () => {
  const done = new Receiver();
  done.add('a');
  const closed = done.queue.close(10);
  await done.settle();
  deepEqual([await closed, done.add('late')], [true, [false]]);
  const stuck = new Receiver();
  stuck.add('b');
  const given = stuck.queue.close(10);
  await turns();
  await stuck.clock.advance(10);
  deepEqual([await given, stuck.batches, stuck.queue.held], [false, ['b'], 1]);
});
