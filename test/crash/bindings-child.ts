/**
 * A program with bindings that is killed at any moment. It writes increasing numbers, in a few lanes at a time, and
 * reports the start and the acknowledgement of each on standard output: a line is written before anything else happens.
 *
 * With `verify`, it reports the stored data instead, once every message has been delivered.
 */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createBindingClasses,
  createBindings,
  createConsumerStub,
  type DeclaredBindings,
  type MessageBatch,
  QueueConsumer,
  startBindings,
} from '#bindings';
import { createRuntime, type DurableObjectNamespace, type Runtime } from '#objects';
import { writeLine } from './write-line.ts';

export const lanes = 4;

interface Env {
  readonly KV: { put(key: string, value: string): Promise<void>; get(key: string): Promise<string | null> };
  readonly DB: {
    exec(sql: string): Promise<unknown>;
    prepare(sql: string): {
      bind(...values: number[]): { run(): Promise<unknown> };
      raw(): Promise<[lane: number, number: number][]>;
    };
  };
  readonly JOBS: { send(body: unknown): Promise<unknown>; metrics(): Promise<{ backlogCount: number }> };
  readonly BUCKET: {
    put(key: string, value: string): Promise<unknown>;
    get(key: string): Promise<{ text(): Promise<string> } | null>;
  };
}

const declared: DeclaredBindings = {
  kvNamespaces: [{ name: 'KV', id: 'kv' }],
  d1Databases: [{ name: 'DB', id: 'db' }],
  r2Buckets: [{ name: 'BUCKET', id: 'bucket' }],
  queueProducers: [{ name: 'JOBS', id: 'jobs', deliveryDelay: 0 }],
  queueConsumers: [
    {
      queue: 'jobs',
      batchSizeMax: 5,
      batchTimeoutMs: 0,
      retriesMax: 100,
      retryDelayMs: 0,
      deadLetterQueue: undefined,
    },
  ],
};

function say(...words: readonly (string | number)[]): void {
  writeLine(words.join(' '));
}

async function open(directory: string): Promise<{ runtime: Runtime; env: Env }> {
  const consumer = new QueueConsumer(() => {});
  const stub = createConsumerStub(consumer);
  const namespaceOf = (name: string): DurableObjectNamespace => runtime.namespace(name);
  const runtime: Runtime = await createRuntime({
    directory: join(directory, 'state'),
    classes: createBindingClasses(declared, {
      namespaceOf,
      workflowOf: async () => undefined,
      consumer: () => stub,
      bucketDirectory: join(directory, 'buckets'),
      log: () => {},
    }),
    durability: 'os',
  });
  const env = createBindings(declared, { namespaceOf, queueContentType: 'json' }) as unknown as Env;
  await startBindings(declared, namespaceOf);
  consumer.use(async ({ messages }: MessageBatch) => {
    for (const { body } of messages) {
      const { lane, number } = body as { lane: number; number: number };
      say('delivered', lane, number);
      if (number % 7 === 0 && Math.random() < 0.5) throw new Error('as asked');
    }
  });
  return { runtime, env };
}

/** Contents from which a missing part can be detected. */
export function contentsOf(number: number): string {
  return `${number},`.repeat(1 + (number % 5) * 20_000);
}

async function write({ KV, DB, JOBS, BUCKET }: Env, lane: number, from: number): Promise<never> {
  for (let number = from; ; number++) {
    say('begun', lane, number);
    await KV.put(`lane${lane}`, String(number));
    say('kv', lane, number);
    await BUCKET.put(`lane${lane}`, contentsOf(number));
    say('r2', lane, number);
    await DB.prepare('INSERT INTO rows VALUES (?, ?)').bind(lane, number).run();
    say('d1', lane, number);
    await JOBS.send({ lane, number });
    say('queue', lane, number);
  }
}

async function verify({ KV, DB, JOBS, BUCKET }: Env): Promise<void> {
  while ((await JOBS.metrics()).backlogCount > 0) await delay(5);
  for (let lane = 0; lane < lanes; lane++) {
    say('stored', 'kv', lane, (await KV.get(`lane${lane}`)) ?? 0);
    const contents = (await (await BUCKET.get(`lane${lane}`))?.text()) ?? '';
    const number = Number.parseInt(contents, 10);
    say('stored', 'r2', lane, contents === contentsOf(number) ? number : 'broken');
  }
  for (const [lane, number] of await DB.prepare('SELECT lane, number FROM rows').raw())
    say('row', lane, number);
}

if (import.meta.main) {
  const [directory, task] = process.argv.slice(2) as [string, string];
  const { runtime, env } = await open(directory);
  await env.DB.exec('CREATE TABLE IF NOT EXISTS rows (lane INTEGER, number INTEGER)');
  if (task === 'verify') {
    await verify(env);
    await runtime.close();
  } else {
    await Promise.all(Array.from({ length: lanes }, (_, lane) => write(env, lane, Number(task))));
  }
}
