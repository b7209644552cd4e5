/** The promises of the objects behind bindings, as stories. */
import {
  createBindingClasses,
  createConsumerStub,
  type MessageBatch,
  noBindings,
  QueueConsumer,
  type D1DatabaseObject,
  type KvNamespaceObject,
  type QueueObject,
} from '#bindings';
import type { DurableObjectNamespace } from '#objects';
import { checkLinearizable, type World } from '#simulator';
import type { OwnStory } from './own-stories.ts';

/** The consumer's behaviour in this life. */
let handle: (batch: MessageBatch) => void = () => {};
const consumer = new QueueConsumer(() => {});
consumer.use(async (batch) => handle(batch));
const consumerStub = createConsumerStub(consumer);

const classes = createBindingClasses(
  {
    ...noBindings,
    kvNamespaces: [{ name: 'KV', id: 'kv' }],
    d1Databases: [{ name: 'DB', id: 'db' }],
    queueProducers: [{ name: 'JOBS', id: 'jobs', deliveryDelay: 0 }],
    queueConsumers: [
      {
        queue: 'jobs',
        batchSizeMax: 3,
        batchTimeoutMs: 500,
        retriesMax: 100,
        retryDelayMs: 0,
        deadLetterQueue: undefined,
      },
    ],
  },
  {
    namespaceOf: (): DurableObjectNamespace => {
      throw new Error('no queue has a dead letter queue here');
    },
    workflowOf: async () => undefined,
    consumer: () => consumerStub,
    bucketDirectory: '/nonexistent',
    log: () => {},
  },
);

/** Reads and writes of one key are linearizable, as for a register. */
async function kv(world: World): Promise<void> {
  const object = (step: Pick<World, 'object'>) => step.object<KvNamespaceObject>('kv_namespaces', 'kv');
  await world.run(
    {
      put: {
        input: (step) => step.number,
        run: async (step, value: number) => {
          const refusal = await object(step).write('key', Buffer.from(String(value)), {
            metadata: null,
          });
          if (refusal !== undefined) throw new Error(refusal);
        },
      },
      delete: async (step) => await object(step).remove('key'),
      get: async (step) => {
        const found = (await object(step).read(['key']))?.[0];
        return found === null || found === undefined ? null : Number(Buffer.from(found.value).toString());
      },
    },
    { steps: 10 },
  );
  checkLinearizable(world.history, {
    start: null as number | null,
    apply: (state, { name, input }) => {
      if (name === 'get') return { state, output: state };
      return { state: name === 'put' ? (input as number) : null, output: undefined };
    },
  });
}

/** A batch of statements is done completely or not at all, and at most once. */
async function d1(world: World): Promise<void> {
  const query = async (hand: Pick<World, 'object'>, ...queries: string[]): Promise<readonly unknown[]> => {
    const database = hand.object<D1DatabaseObject>('d1_databases', 'db');
    const outcome = await database.query(
      queries.map((sql) => ({ sql, params: [] })),
      false,
    );
    if ('error' in outcome) throw new Error(outcome.error);
    return outcome.results.flatMap(({ rows }) => rows);
  };
  const schema = 'CREATE TABLE IF NOT EXISTS accounts (name TEXT PRIMARY KEY, cents INTEGER NOT NULL)';
  const start = `INSERT OR IGNORE INTO accounts VALUES ('a', 100), ('b', 100)`;
  const move = (from: string, to: string): string[] => [
    `UPDATE accounts SET cents = cents - 1 WHERE name = '${from}'`,
    `UPDATE accounts SET cents = cents + 1 WHERE name = '${to}'`,
  ];
  const read = async (hand: Pick<World, 'object'>): Promise<number[]> =>
    (await query(hand, 'SELECT cents FROM accounts ORDER BY name')).flat() as number[];
  await query({ object: (className, name) => world.object(className, name, { retries: 20 }) }, schema, start);
  await world.run(
    {
      right: async (step) => void (await query(step, ...move('a', 'b'))),
      left: async (step) => void (await query(step, ...move('b', 'a'))),
      fail: async (step) => {
        // The statements before the one that fails are undone.
        const error = await query(step, ...move('a', 'b'), 'SELECT missing FROM accounts').catch(
          (thrown: Error) => thrown,
        );
        if (error instanceof Error && !error.message.includes('no such column')) throw error;
      },
      read: (step) => read(step),
    },
    { steps: 8 },
  );
  checkLinearizable(world.history, {
    start: [100, 100],
    apply: ([a, b], { name }) => {
      if (name === 'read') return { state: [a!, b!], output: [a, b] };
      const by = name === 'right' ? 1 : name === 'left' ? -1 : 0;
      return { state: [a! - by, b! + by], output: undefined };
    },
  });
}

/**
 * A message whose sending was acknowledged is delivered at least once, and a consumed one is not delivered for ever.
 */
async function queues(world: World): Promise<void> {
  const delivered = new Map<string, number>();
  handle = (batch) => {
    for (const message of batch.messages) {
      const text = message.body as string;
      delivered.set(text, (delivered.get(text) ?? 0) + 1);
    }
    if (world.chance(0.2)) throw new Error('the consumer fails');
  };
  const acknowledged: string[] = [];
  await world.run(
    {
      send: async (step) => {
        const text = `message ${step.number}`;
        const queue = step.object<QueueObject>('queues', 'jobs');
        await queue.enqueue([{ contentType: 'text', body: Buffer.from(text), delaySeconds: undefined }]);
        acknowledged.push(text);
      },
    },
    { steps: 8 },
  );
  await world.sleep(2_000);
  await world.settle();
  for (const text of acknowledged)
    if (!delivered.has(text)) throw new Error('a message was acknowledged and never delivered');
  const queue = world.object<QueueObject>('queues', 'jobs');
  const { backlogCount } = await queue.metrics();
  if (backlogCount > 0) throw new Error('messages are left in the queue, and nothing is wrong any more');
}

export const bindingStories: Readonly<Record<string, OwnStory>> = {
  kv: { classes: { kv_namespaces: classes['kv_namespaces']! }, story: kv },
  d1: { classes: { d1_databases: classes['d1_databases']! }, story: d1 },
  queues: { classes: { queues: classes['queues']! }, story: queues },
};
