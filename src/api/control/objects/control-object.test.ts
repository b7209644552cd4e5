import { deepEqual, equal, ok as assertOk, throws } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { fault, genericCodes, type InputOf, ok, type Reply } from '#contract';
import {
  createRuntime,
  type DurableObjectState,
  type DurableObjectStub,
  type Runtime,
  VirtualClock,
} from '#objects';
import { chainOrigin } from '../stores/audit/audit-trail.ts';
import { system } from '../context/caller.ts';
import { ControlObject } from './control-object.ts';
import { noAcme } from '../context/acme-settings.ts';
import { Directory } from '../context/directory.ts';
import type { ControlEnvironment } from '../context/environment.ts';
import { KeySealer } from '../context/key-sealer.ts';
import { SealingKeyFile } from '../sealing-key-file.ts';
import type { Context } from '../context/handler.ts';
import { answerCharactersMax } from '../context/limits.ts';

interface Writing {
  readonly key: string;
  readonly fails?: 'with a fault' | 'by a bug';
}

class Worker extends ControlObject<Context> {
  protected readonly handlers = {
    // Any read operation works here.
    'filters.list': () => ok('x'.repeat(answerCharactersMax) as never),
    // And any write.
    'filters.create': ({ sql, audit }: Context, input: InputOf<'filters.create'>): Reply<never> => {
      const body = input.body as unknown as Writing;
      sql.exec('INSERT INTO done VALUES (?, 0)', body.key);
      audit({ resource: 'thing', id: body.key, before: undefined, after: {} });
      if (body.fails === 'with a fault') throw fault(genericCodes.zoneNotFound);
      if (body.fails === 'by a bug') throw new Error('a bug');
      return ok(body.key as never);
    },
  };
  protected readonly tasks = {
    work: ({ sql, nowMs }: Context, key: string) =>
      void sql.exec('INSERT INTO done VALUES (?, ?)', key, nowMs),
    fail({ sql }: Context, key: string) {
      sql.exec('INSERT INTO done VALUES (?, 0)', key);
      throw new Error('this task fails');
    },
  };

  constructor(ctx: DurableObjectState, env: ControlEnvironment) {
    super(ctx, env, {
      tables: [{ creation: ['CREATE TABLE IF NOT EXISTS done (key TEXT NOT NULL, at_ms INTEGER NOT NULL)'] }],
    });
  }

  protected extendContext(context: Context): Context {
    return context;
  }

  plan(task: string, key: string): void {
    this.perform({ operation: 'test', actor: system }, ({ schedule, nowMs }) =>
      schedule(task, { dueMs: nowMs + 1_000, key }),
    );
  }

  /** Makes two changes and rolls back the first. */
  change(): void {
    const change = { resource: 'thing', id: '1', before: undefined, after: {} };
    this.perform({ operation: 'test', actor: system }, ({ audit }) => {
      throws(() =>
        this.transaction(() => {
          audit(change);
          throw new Error('taken back');
        }),
      );
      audit(change);
    });
  }

  /** Answers concurrent writes; returns how many transactions that took, too. */
  async answerWrites(writes: readonly Writing[]): Promise<{ answers: unknown[]; transactions: number }> {
    const transactions = mock.method(this.ctx.storage, 'transactionSync');
    const calls = writes.map((body) => ({
      operation: 'filters.create' as const,
      input: { path: {}, query: {}, body } as never,
      actor: system,
      requestId: '',
    }));
    const answers = (await this.answerAll(calls)).map((answer) =>
      'failure' in answer ? answer.failure.message : answer.status,
    );
    const count = transactions.mock.callCount();
    transactions.mock.restore();
    return { answers, transactions: count };
  }

  done(): string[] {
    return Array.from(this.ctx.storage.sql.exec<{ key: string }>('SELECT key FROM done'), ({ key }) => key);
  }
}

test('ControlObject rolls back a task that fails, runs the others, and retries it with increasing delays', async () => {
  const clock = new VirtualClock();
  await using workshop = await Workshop.open(clock);
  const { worker, errors } = workshop;
  await worker.plan('fail', 'a');
  await worker.plan('unknown', 'b');
  await worker.plan('work', 'c');
  await clock.advance(1_000);
  deepEqual([await worker.done(), errors.length], [['c'], 2]);
  await clock.advance(24 * 60 * 60 * 1_000);
  assertOk(errors.length > 100 && errors.length < 500, String(errors.length));
  await worker.plan('work', 'd');
  await clock.advance(1_000);
  deepEqual(await worker.done(), ['c', 'd']);
});

test('ControlObject rolls back entries of the audit log with the nested transaction that wrote them', async () => {
  await using workshop = await Workshop.open(new VirtualClock());
  await workshop.worker.change();
  const { last, brokenSequence } = await workshop.worker.checkAudit(chainOrigin);
  deepEqual([last.sequence, brokenSequence], [1, undefined]);
});

test('ControlObject.answerAll answers calls that come together in one transaction', async () => {
  await using workshop = await Workshop.open(new VirtualClock());
  const { worker } = workshop;
  const answered = await worker.answerWrites([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
  deepEqual(answered, { answers: [200, 200, 200], transactions: 1 });
  deepEqual(await worker.done(), ['a', 'b', 'c']);
});

test('ControlObject.answerAll rolls back the calls that fail, and only those', async () => {
  await using workshop = await Workshop.open(new VirtualClock());
  const { worker } = workshop;
  const { answers, transactions } = await worker.answerWrites([
    { key: 'a' },
    { key: 'b', fails: 'with a fault' },
    { key: 'c', fails: 'by a bug' },
    { key: 'd' },
  ]);
  deepEqual(answers, [200, 404, 'a bug', 200]);
  equal(transactions, 5, 'one for all, and then one for each');
  deepEqual(await worker.done(), ['a', 'd']);
  const { last, brokenSequence } = await worker.checkAudit(chainOrigin);
  deepEqual([last.sequence, brokenSequence], [2, undefined]);
});

test('ControlObject refuses a response that is too long to leave it', async () => {
  await using workshop = await Workshop.open(new VirtualClock());
  const input = { path: {}, query: {}, body: undefined } as never;
  const { status, body } = await workshop.worker.answer({
    operation: 'filters.list',
    input,
    actor: system,
    requestId: '',
  });
  deepEqual([status, (JSON.parse(body!) as { errors: { code: number }[] }).errors[0]!.code], [400, 10423]);
});

class Workshop {
  readonly worker: DurableObjectStub<Worker>;
  readonly errors: readonly unknown[];
  readonly #runtime: Runtime;
  readonly #directory: string;

  private constructor(runtime: Runtime, directory: string, errors: readonly unknown[]) {
    this.#runtime = runtime;
    this.#directory = directory;
    this.errors = errors;
    this.worker = runtime.namespace<Worker>('Worker').getByName('worker');
  }

  static async open(clock: VirtualClock): Promise<Workshop> {
    const directory = await mkdtemp(join(tmpdir(), 'gatehouse-worker-'));
    const errors: unknown[] = [];
    const env: ControlEnvironment = {
      keySealer: new KeySealer(new SealingKeyFile(join(directory, 'certificates.key'))),
      directory: new Directory(),
      ready: Promise.resolve(),
      checkOrigin: { findObstacle: () => undefined, workers: undefined },
      directoryRevisionsKept: 0,
      prepare: () => undefined,
      findHostId: () => '',
      acme: noAcme,
      outbound: { origins: undefined, mail: undefined },
      onChange: () => {},
      onError: (error) => void errors.push(error),
    };
    const classes = { Worker: { class: Worker, storage: 'sql' as const } };
    const runtime = await createRuntime({ directory, clock, env, classes, durability: 'os' });
    return new Workshop(runtime, directory, errors);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#runtime.close();
    await rm(this.#directory, { recursive: true });
  }
}
