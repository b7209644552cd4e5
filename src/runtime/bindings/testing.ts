/** A runtime with bindings and nothing else, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { createRuntime, type Runtime, VirtualClock } from '#objects';
import { createBindingClasses, createConsumerStub } from './binding-classes.ts';
import { createBindings, startBindings } from './create-bindings.ts';
import { type DeclaredBindings, noBindings } from './declared.ts';
import type { D1Database } from './d1/d1-database.ts';
import type { KvNamespace } from './kv/kv-namespace.ts';
import type { MessageBatch } from './queues/message-batch.ts';
import { QueueConsumer } from './queues/queue-consumer.ts';
import type { QueueConsumerSettings } from './queues/queue-settings.ts';
import type { WorkerQueue } from './queues/worker-queue.ts';
import type { R2Bucket } from './r2/r2-bucket.ts';
import type { Workflow } from './workflows/workflow.ts';
import type { WorkflowCode, WorkflowStep } from './workflows/workflow-code.ts';

export const testStart = Date.UTC(2030, 0, 1);

const declaredForTests: DeclaredBindings = {
  ...noBindings,
  kvNamespaces: [{ name: 'KV', id: 'kv' }],
  d1Databases: [{ name: 'DB', id: 'db' }],
  queueProducers: [
    { name: 'JOBS', id: 'jobs', deliveryDelay: 0 },
    { name: 'DEAD', id: 'dead', deliveryDelay: 0 },
  ],
  r2Buckets: [{ name: 'BUCKET', id: 'bucket' }],
  workflows: [{ name: 'FLOW', id: 'flow', className: 'Flow', script: undefined, stepsMax: 100 }],
};

export interface TestEnv {
  readonly KV: KvNamespace;
  readonly DB: D1Database;
  readonly JOBS: WorkerQueue;
  readonly DEAD: WorkerQueue;
  readonly BUCKET: R2Bucket;
  readonly FLOW: Workflow;
}

export type TestRun = (step: WorkflowStep, payload: unknown) => Promise<unknown>;

export class TestProgram {
  readonly directory = mkdtempSync(join(tmpdir(), 'gatehouse-bindings-'));
  readonly clock = new VirtualClock({ start: testStart });
  readonly said: string[] = [];
  env!: TestEnv;
  runtime!: Runtime;
  /** The consumer of messages. */
  handle: (batch: MessageBatch) => unknown = () => {};
  consumers: readonly QueueConsumerSettings[] = [];
  /** The code of workflows. */
  readonly workflows = new Map<string, WorkflowCode>();
  /** Whether the contents of buckets are in objects, as in a cluster. */
  hasContentObjects = false;
  /** Whether the queues can reach the consumer. */
  isReachable = true;

  static async open(
    t: TestContext,
    given: { readonly hasContentObjects?: boolean } = {},
  ): Promise<TestProgram> {
    const program = new TestProgram();
    Object.assign(program, given);
    t.after(async () => {
      await program.runtime.close();
      rmSync(program.directory, { recursive: true });
    });
    await program.start();
    return program;
  }

  async start(): Promise<void> {
    const declared = { ...declaredForTests, queueConsumers: this.consumers };
    const consumer = new QueueConsumer((error) => void this.said.push(String(error)));
    consumer.use(async (batch) => void (await this.handle(batch)));
    const stub = createConsumerStub(consumer);
    const namespaceOf = (name: string) => this.runtime.namespace(name);
    const log = (message: string): void => void this.said.push(message);
    this.runtime = await createRuntime({
      directory: join(this.directory, 'state'),
      classes: createBindingClasses(declared, {
        namespaceOf,
        workflowOf: async (name) => this.workflows.get(name),
        consumer: () => (this.isReachable ? stub : unreachable),
        bucketDirectory: this.hasContentObjects ? undefined : join(this.directory, 'buckets'),
        log,
      }),
      clock: this.clock,
      durability: 'os',
      log,
    });
    this.env = createBindings(declared, { namespaceOf, queueContentType: 'json' }) as unknown as TestEnv;
    await startBindings(declared, namespaceOf);
  }

  /** Sets the code of the tests' only workflow. */
  useWorkflow(run: TestRun, settings: Partial<WorkflowCode> = {}): void {
    this.workflows.set('flow', {
      stepsMax: 100,
      keepsFatalMessages: true,
      run: (event, step) => run(step, event.payload),
      ...settings,
    });
  }

  async restart(): Promise<void> {
    await this.runtime.close();
    await this.start();
  }
}

const unreachable = createConsumerStub({
  consume: () => Promise.reject(new Error('Network connection lost.')),
} as never);

/** The message of the error that a call throws. */
export async function refusalOf(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    return String(error);
  }
  return 'nothing';
}
