/** Queues: batches, decisions about messages, retries, dead letters, and what survives a restart. */
import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf, testStart, TestProgram } from '../testing.ts';
import type { MessageBatch } from './message-batch.ts';
import { QueueConsumer } from './queue-consumer.ts';
import type { QueueObject } from './queue-object.ts';
import type { QueueConsumerSettings } from './queue-settings.ts';

const jobs: QueueConsumerSettings = {
  queue: 'jobs',
  batchSizeMax: 3,
  batchTimeoutMs: 5_000,
  retriesMax: 2,
  retryDelayMs: 0,
  deadLetterQueue: undefined,
};

async function openWithConsumer(
  t: Parameters<typeof TestProgram.open>[0],
  settings: Partial<QueueConsumerSettings>,
  handle: (batch: MessageBatch) => unknown,
): Promise<TestProgram> {
  const program = await TestProgram.open(t);
  program.consumers = [{ ...jobs, ...settings }];
  program.handle = handle;
  await program.restart();
  return program;
}

const bodies = ({ messages }: MessageBatch) => messages.map(({ body }) => body);

test('WorkerQueue delivers a batch when it is full, or when its first message has waited long enough', async (t) => {
  const batches: unknown[][] = [];
  const { env, clock } = await openWithConsumer(t, {}, (batch) => void batches.push(bodies(batch)));
  await env.JOBS.send(1);
  await env.JOBS.send(2);
  await clock.advance(4_999);
  deepEqual(batches, []);
  await clock.advance(1);
  deepEqual(batches, [[1, 2]]);
  await env.JOBS.sendBatch([{ body: 3 }, { body: 4 }, { body: 5 }, { body: 6 }]);
  await clock.untilIdle();
  deepEqual(batches, [
    [1, 2],
    [3, 4, 5],
  ]);
  await clock.advance(5_000);
  deepEqual(batches.at(-1), [6]);
  equal((await env.JOBS.metrics()).backlogCount, 0);
});

test('WorkerQueue passes bodies of every content type, with what belongs to them', async (t) => {
  const batches: MessageBatch[] = [];
  const { env, clock } = await openWithConsumer(t, { batchSizeMax: 10 }, (batch) => void batches.push(batch));
  await env.JOBS.send({ a: [1, null] });
  await env.JOBS.send('text', { contentType: 'text' });
  await env.JOBS.send(new Uint8Array([1, 2]), { contentType: 'bytes' });
  const { metadata } = await env.JOBS.send(new Map([['key', new Date(0)]]), { contentType: 'v8' });
  deepEqual(metadata.metrics.backlogCount, 4);
  ok(metadata.metrics.backlogBytes > 0);
  deepEqual(metadata.metrics.oldestMessageTimestamp, new Date(testStart));
  await clock.advance(5_000);
  const [batch] = batches;
  equal(batch!.queue, 'jobs');
  equal(batch!.metadata.metrics.backlogCount, 4);
  deepEqual(bodies(batch!), [
    { a: [1, null] },
    'text',
    new Uint8Array([1, 2]).buffer,
    new Map([['key', new Date(0)]]),
  ]);
  const [message] = batch!.messages;
  equal(message!.attempts, 1);
  deepEqual(message!.timestamp, new Date(testStart));
  equal(message!.id.length, 32);
});

test('WorkerQueue holds messages back as long as they ask for', async (t) => {
  const batches: unknown[][] = [];
  const { env, clock } = await openWithConsumer(
    t,
    { batchSizeMax: 1 },
    (batch) => void batches.push(bodies(batch)),
  );
  await env.JOBS.sendBatch([{ body: 'own', delaySeconds: 2 }, { body: 'batch' }], { delaySeconds: 1 });
  await env.JOBS.send('now');
  await clock.untilIdle();
  deepEqual(batches, [['now']]);
  await clock.advance(1_000);
  deepEqual(batches.slice(1), [['batch']]);
  await clock.advance(1_000);
  deepEqual(batches.slice(2), [['own']]);
});

test('Message.ack and retry decide about one, ackAll and retryAll about the rest; the first decision counts', async (t) => {
  const seen: string[] = [];
  const script: ((batch: MessageBatch) => void)[] = [
    (batch) => {
      batch.messages[0]!.ack();
      batch.messages[0]!.retry();
      batch.messages[1]!.retry({ delaySeconds: 10 });
      batch.ackAll();
      batch.retryAll();
      batch.messages[2]!.retry();
    },
    () => {},
  ];
  const { env, clock } = await openWithConsumer(t, {}, (batch) => {
    seen.push(batch.messages.map(({ body, attempts }) => `${String(body)}${attempts}`).join());
    script.shift()!(batch);
  });
  await env.JOBS.sendBatch([{ body: 'a' }, { body: 'b' }, { body: 'c' }]);
  await clock.untilIdle();
  deepEqual(seen, ['a1,b1,c1']);
  await clock.advance(14_999);
  deepEqual(seen, ['a1,b1,c1']);
  await clock.advance(1);
  deepEqual(seen, ['a1,b1,c1', 'b2']);
  equal((await env.JOBS.metrics()).backlogCount, 0);
});

test('WorkerQueue delivers again what failed, but what was acknowledged; then to the dead letter queue', async (t) => {
  const seen: string[] = [];
  const program = await TestProgram.open(t);
  program.consumers = [
    { ...jobs, batchSizeMax: 2, batchTimeoutMs: 0, deadLetterQueue: 'dead', retryDelayMs: 1_000 },
    { ...jobs, queue: 'dead', batchSizeMax: 1 },
  ];
  program.handle = ({ queue, messages }: MessageBatch) => {
    for (const { body, attempts } of messages) seen.push(`${queue} ${String(body)}${attempts}`);
    if (queue === 'dead') return;
    messages.find(({ body }) => body === 'good')?.ack();
    throw new Error('broken');
  };
  await program.restart();
  await program.env.JOBS.sendBatch([{ body: 'good' }, { body: 'bad' }]);
  await program.clock.advance(10_000);
  deepEqual(seen, ['jobs good1', 'jobs bad1', 'jobs bad2', 'jobs bad3', 'dead bad1']);
  deepEqual(program.said, ['Error: broken', 'Error: broken', 'Error: broken']);
  equal((await program.env.JOBS.metrics()).backlogCount, 0);
});

test('WorkerQueue drops what failed too often where there is no dead letter queue, and says so', async (t) => {
  const program = await openWithConsumer(t, { batchTimeoutMs: 0, retriesMax: 0 }, (batch) =>
    batch.retryAll(),
  );
  await program.env.JOBS.send('x');
  await program.clock.advance(1_000);
  equal((await program.env.JOBS.metrics()).backlogCount, 0);
  equal(program.said.length, 1);
  ok(program.said[0]!.startsWith('queue jobs: dropped after 1 attempts: '));
});

test('WorkerQueue delivers after a restart what was not taken, and counts the attempt that was cut off', async (t) => {
  const seen: string[] = [];
  const cut = Promise.withResolvers<void>();
  const program = await openWithConsumer(t, { batchTimeoutMs: 0 }, ({ messages }) => {
    for (const { body, attempts } of messages) seen.push(`${String(body)}${attempts}`);
    cut.resolve();
    return new Promise(() => {});
  });
  await program.env.JOBS.send('x');
  void program.clock.advance(1);
  await cut.promise;
  program.handle = ({ messages }) => {
    for (const { body, attempts } of messages) seen.push(`${String(body)}${attempts}`);
  };
  await program.restart();
  await program.clock.advance(60_000);
  deepEqual(seen, ['x1', 'x2']);
});

test('WorkerQueue counts no attempt while the way to the consumer is broken', async (t) => {
  const seen: number[] = [];
  const program = await openWithConsumer(t, { batchTimeoutMs: 0, retriesMax: 0 }, ({ messages }) => {
    for (const { attempts } of messages) seen.push(attempts);
  });
  program.isReachable = false;
  await program.env.JOBS.send('x');
  await program.clock.advance(10_000);
  deepEqual(seen, []);
  program.isReachable = true;
  await program.clock.advance(1_000);
  deepEqual(seen, [1]);
});

test('WorkerQueue goes on delivering after a consumer that has hung more often than an alarm is tried', async (t) => {
  const alarmTries = 7;
  const seen: number[] = [];
  const program = await openWithConsumer(t, { batchTimeoutMs: 0, retriesMax: 100 }, ({ messages }) => {
    seen.push(messages[0]!.attempts);
    return seen.length <= alarmTries ? new Promise(() => {}) : undefined;
  });
  await program.env.JOBS.send('x');
  await program.clock.advance(24 * 60 * 60_000);
  deepEqual(
    seen,
    Array.from({ length: alarmTries + 1 }, (_, index) => index + 1),
  );
  equal((await program.env.JOBS.metrics()).backlogCount, 0);
});

test('QueueConsumer waits until there is code that consumes', async () => {
  const consumer = new QueueConsumer(() => {});
  const body = new TextEncoder().encode('1').buffer;
  const message = { id: 'a', timestamp: 0, contentType: 'json', body, attempts: 1 } as const;
  const outcome = consumer.consume('jobs', [message], { backlogCount: 1, backlogBytes: 1 });
  const seen: unknown[] = [];
  consumer.use(async (batch) => void seen.push(bodies(batch)));
  deepEqual(await outcome, { acknowledged: ['a'], retried: [] });
  deepEqual(seen, [[1]]);
});

test('WorkerQueue keeps messages that nobody consumes for four days', async (t) => {
  const { env, clock } = await TestProgram.open(t);
  await env.JOBS.send('x');
  await clock.advance(4 * 86_400_000 - 1);
  equal((await env.JOBS.metrics()).backlogCount, 1);
  await clock.advance(1);
  deepEqual(await env.JOBS.metrics(), {
    backlogCount: 0,
    backlogBytes: 0,
    oldestMessageTimestamp: undefined,
  });
});

test('a consumer can send to the queue that it consumes', async (t) => {
  const seen: unknown[] = [];
  const program = await openWithConsumer(t, { batchSizeMax: 1 }, async (batch) => {
    const [body] = bodies(batch) as [number];
    seen.push(body);
    if (body < 3) await program.env.JOBS.send(body + 1);
  });
  await program.env.JOBS.send(1);
  await program.clock.untilIdle();
  deepEqual(seen, [1, 2, 3]);
});

test('WorkerQueue refuses what Cloudflare refuses', async (t) => {
  const { JOBS } = (await TestProgram.open(t)).env;
  const wrongs: [call: () => unknown, text: string][] = [
    [() => JOBS.send(undefined), 'TypeError: Message body cannot be undefined'],
    [
      () => JOBS.send(5, { contentType: 'text' }),
      'TypeError: Content Type "text" requires a value of type string, but received: number',
    ],
    [() => JOBS.send('', { contentType: 'xml' }), 'TypeError: Unsupported queue message content type: xml'],
    [() => JOBS.sendBatch([]), 'TypeError: sendBatch() requires at least one message'],
    [
      () => JOBS.send('x'.repeat(127_999)),
      'Error: Queue send failed: message length of 128001 bytes exceeds limit of 128000',
    ],
    [
      () => JOBS.sendBatch(Array.from({ length: 101 }, () => ({ body: 1 }))),
      'Error: Queue sendBatch failed: batch message count of 101 exceeds limit of 100',
    ],
    [
      () => JOBS.sendBatch(Array.from({ length: 3 }, () => ({ body: 'x'.repeat(99_998) }))),
      'Error: Queue sendBatch failed: batch size of 300000 bytes exceeds limit of 256000',
    ],
    [
      () => JOBS.send(1, { delaySeconds: 86_401 }),
      'Error: Queue send failed: message delay 86401 is invalid: it must be a whole number of seconds from 0 to 86400',
    ],
  ];
  const refusals = await Promise.all(wrongs.map(([call]) => refusalOf(call)));
  deepEqual(
    refusals,
    wrongs.map(([, text]) => text),
  );
});

test('QueueObject takes each message of another queue over once, with its attempts, and none that is too old', async (t) => {
  const seen: string[] = [];
  const { env, clock, runtime } = await openWithConsumer(t, { retriesMax: 2 }, (batch) => {
    for (const { id, body, attempts } of batch.messages) seen.push(`${id} ${String(body)}${attempts}`);
  });
  const queue = runtime.namespace('queues').getByName('jobs') as unknown as QueueObject;
  const message = { timestamp: testStart - 1_000, attempts: 1, contentType: 'text' } as const;
  const messages = ['a', 'b', 'c'].map((id) => ({ ...message, id, due: testStart, body: Buffer.from(id) }));
  messages.push({ ...messages[0]!, id: 'later', due: testStart + 60_000 });
  const old = { ...messages[0]!, id: 'old', timestamp: testStart - 4 * 86_400_000 };
  deepEqual(await queue.takeOver([...messages, old]), { taken: 4, present: 0, expired: 1 });
  equal((await env.JOBS.metrics()).backlogCount, 4);
  await clock.advance(5_000);
  deepEqual(seen, ['a a2', 'b b2', 'c c2']);
  const next = { ...messages[0]!, id: 'd', body: Buffer.from('d') };
  deepEqual(await queue.takeOver([...messages, next]), { taken: 1, present: 4, expired: 0 });
  await clock.advance(65_000);
  deepEqual(seen.slice(3), ['d d2', 'later a2']);
  const far = { ...message, id: 'far', timestamp: 8e15, due: 8e15, body: Buffer.from('f') };
  deepEqual(await queue.takeOver([far]), { taken: 1, present: 0, expired: 0 });
  await clock.advance(86_405_000);
  deepEqual(seen.slice(5), ['far f2']);
});
