import { deepEqual, throws } from 'node:assert/strict';
import { test } from 'node:test';
import { readBindings } from './binding-keys.ts';
import { Section } from './section.ts';

function read(config: object, taken: readonly string[] = []): [ReturnType<typeof readBindings>, string[]] {
  const warnings: string[] = [];
  return [readBindings(new Section(config, 'wrangler.json'), taken, warnings), warnings];
}

test('readBindings names the object behind each binding, and what consumers leave out', () => {
  const [declared, warnings] = read({
    kv_namespaces: [{ binding: 'A', id: 'one' }, { binding: 'B' }],
    d1_databases: [
      { binding: 'C', database_name: 'name', database_id: 'id' },
      { binding: 'D', database_name: 'name' },
    ],
    r2_buckets: [{ binding: 'E', bucket_name: 'bucket', remote: true }],
    queues: {
      producers: [{ binding: 'F', queue: 'jobs', delivery_delay: 7 }],
      consumers: [
        { queue: 'jobs', max_concurrency: 3 },
        {
          queue: 'dead',
          max_batch_size: 100,
          max_batch_timeout: 0,
          max_retries: 0,
          retry_delay: 3,
          dead_letter_queue: 'x',
        },
        { queue: 'pulled', type: 'http_pull' },
      ],
    },
    ratelimits: [{ name: 'I', namespace_id: '1001', simple: { limit: 5, period: 10 } }],
    workflows: [
      { binding: 'G', name: 'orders', class_name: 'Order', schedules: ['* * * * *'] },
      { binding: 'H', name: 'other', class_name: 'Other', script_name: 'shop', limits: { steps: 5 } },
    ],
  });
  deepEqual(declared, {
    kvNamespaces: [
      { name: 'A', id: 'one' },
      { name: 'B', id: 'B' },
    ],
    d1Databases: [
      { name: 'C', id: 'id' },
      { name: 'D', id: 'name' },
    ],
    r2Buckets: [{ name: 'E', id: 'bucket', isRemote: true }],
    queueProducers: [{ name: 'F', id: 'jobs', deliveryDelay: 7 }],
    queueConsumers: [
      {
        queue: 'jobs',
        batchSizeMax: 10,
        batchTimeoutMs: 5_000,
        retriesMax: 3,
        retryDelayMs: 0,
        deadLetterQueue: undefined,
      },
      {
        queue: 'dead',
        batchSizeMax: 100,
        batchTimeoutMs: 0,
        retriesMax: 0,
        retryDelayMs: 3_000,
        deadLetterQueue: 'x',
      },
    ],
    rateLimits: [{ name: 'I', id: '1001', limit: 5, period: 10 }],
    workflows: [
      { name: 'G', id: 'orders', className: 'Order', script: undefined, stepsMax: 10_000 },
      { name: 'H', id: 'other', className: 'Other', script: 'shop', stepsMax: 5 },
    ],
  });
  deepEqual(warnings, [
    'the workflow orders has schedules, which is not available here: create its instances in scheduled(), which triggers.crons calls',
    'the queue jobs delivers one batch at a time: max_concurrency has no effect',
    'the consumer of the queue pulled has type "http_pull": only Workers consume queues here',
  ]);
});

test('readBindings names the place of every mistake', () => {
  const cases: [config: object, message: RegExp][] = [
    [{ kv_namespaces: [{ id: 'x' }] }, /^wrangler.json: kv_namespaces\[0\].binding is missing$/],
    [
      { kv_namespaces: [{ binding: 'A', remote: true }] },
      /the binding A has remote: true: it needs id, as the account knows it$/,
    ],
    [{ kv_namespaces: [{ binding: 'TAKEN' }] }, /two bindings have the name TAKEN$/],
    [{ kv_namespaces: [{ binding: 'A' }], r2_buckets: [{ binding: 'A' }] }, /two bindings have the name A$/],
    [
      { queues: { consumers: [{ queue: 'a', max_batch_size: 0 }] } },
      /max_batch_size must be a whole number from 1 to 100: 0$/,
    ],
    [
      { queues: { consumers: [{ queue: 'a', max_retries: '3' }] } },
      /max_retries must be a whole number from 0 to 100: "3"$/,
    ],
    [{ queues: { consumers: [{ queue: 'a' }, { queue: 'a' }] } }, /the queue a has two consumers$/],
    [{ queues: [] }, /queues must be a table/],
  ];
  for (const [config, message] of cases)
    throws(() => read(config, ['TAKEN']), { name: 'ConfigError', message });
});
