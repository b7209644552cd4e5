/**
 * A program with workflows that is killed at any moment. It creates some instances, and prints a line whenever a step
 * of one has started. Each step adds a note to a ledger, which is a separate object: a token that the step generates
 * and returns, and the results of the steps before it.
 *
 *     node workflows-child.ts <directory> <round> <verify or live> [<database of a cluster>]
 *
 * With `verify` it creates none, waits for the end of all, and prints the ledger and their results.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createBindingClasses,
  createBindings,
  noBindings,
  type WorkflowCode,
  type WorkflowStep,
} from '#bindings';
import { joinCluster } from '#cluster';
import { createRuntime, DurableObject, type DurableObjectNamespace, type Runtime } from '#objects';
import { instancesPerRound, type Line, type Note } from './workflows-ledger.ts';
import { writeLine } from './write-line.ts';

interface Instance {
  status(): Promise<{ status: string; output: unknown }>;
  sendEvent(event: { type: string; payload: unknown }): Promise<void>;
}

interface Flow {
  create(options: { id: string; params: unknown }): Promise<Instance>;
  get(id: string): Promise<Instance>;
}

class Ledger extends DurableObject {
  note(note: Note): void {
    this.ctx.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS notes (number INTEGER PRIMARY KEY, note TEXT NOT NULL)',
    );
    this.ctx.storage.sql.exec('INSERT INTO notes (note) VALUES (?)', JSON.stringify(note));
  }

  notes(): Note[] {
    const rows = this.ctx.storage.sql.exec<{ note: string }>('SELECT note FROM notes ORDER BY number');
    return Array.from(rows, ({ note }) => JSON.parse(note) as Note);
  }
}

const declared = {
  ...noBindings,
  workflows: [{ name: 'FLOW', id: 'flow', className: 'Flow', script: undefined, stepsMax: 1_000 }],
};

/** Written directly to the kernel, so that a kill cannot lose it. */
function sayStep(): void {
  if (task !== 'verify') writeLine(JSON.stringify({ say: 'step' } satisfies Line));
}

/** As fast as it is read: a full pipe refuses more. */
async function say(line: Line): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(line)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

const failureShare = 0.15;
const config = { retries: { limit: 1_000, delay: 1, backoff: 'constant' } };

const [directory, round, task, url = ''] = process.argv.slice(2) as [string, string, string, string?];

/** A step returns its token. */
function noteStep(step: WorkflowStep, note: Omit<Note, 'attempt' | 'token'>): Promise<string> {
  const work = async ({ attempt }: { attempt: number }): Promise<string> => {
    const token = randomUUID();
    await ledger().note({ ...note, attempt, token });
    sayStep();
    if (Math.random() < failureShare) throw new Error('as asked');
    return token;
  };
  return step.do(`step ${note.step}`, config, work) as Promise<string>;
}

const code: WorkflowCode = {
  stepsMax: 1_000,
  keepsFatalMessages: true,
  async run({ instanceId: instance }, step) {
    const before: string[] = [];
    const next = async (): Promise<void> =>
      void before.push(await noteStep(step, { instance, step: before.length, before: [...before] }));
    await next();
    await next();
    await step.sleep('sleep', 5);
    await next();
    before.push((await step.waitForEvent('event', { type: 'go' })).payload as string);
    await next();
    const known = [...before];
    const both = [0, 1].map((more) => noteStep(step, { instance, step: known.length + more, before: known }));
    before.push(...(await Promise.all(both)));
    await next();
    return before;
  },
};

const namespaceOf = (name: string): DurableObjectNamespace => runtime.namespace(name);
const ledger = () => runtime.namespace('Ledger').getByName('ledger');
const runtime: Runtime = await createRuntime({
  directory: join(directory, 'state'),
  ...(url === '' ? {} : { cluster: await joinCluster({ url, leaseMs: 500 }) }),
  classes: {
    Ledger: { class: Ledger, storage: 'sql', uniqueKey: 'Ledger' },
    ...createBindingClasses(declared, {
      namespaceOf,
      workflowOf: async () => code,
      consumer: () => {
        throw new Error('there is no queue');
      },
      bucketDirectory: directory,
      log: (message) => console.error(message),
    }),
  },
});
const { FLOW } = createBindings(declared, { namespaceOf, queueContentType: 'json' }) as unknown as {
  FLOW: Flow;
};
const idsUpTo = (last: number): string[] =>
  Array.from({ length: instancesPerRound * last }, (_, index) => `i${index}`);

async function live(): Promise<never> {
  for (const id of idsUpTo(Number(round))) {
    const instance = await FLOW.get(id).catch(() => FLOW.create({ id, params: {} }));
    await instance.sendEvent({ type: 'go', payload: randomUUID() });
  }
  // Steps continue until the process is killed.
  for (;;) {
    sayStep();
    await delay(20);
  }
}

async function verify(): Promise<void> {
  for (const id of idsUpTo(Number(round))) {
    const instance = await FLOW.get(id).catch(() => FLOW.create({ id, params: {} }));
    await instance.sendEvent({ type: 'go', payload: randomUUID() });
    let ended = await instance.status();
    while (!['complete', 'errored'].includes(ended.status)) {
      await delay(5);
      ended = await instance.status();
    }
    await say({ say: 'output', instance: id, status: ended.status, output: ended.output });
  }
  for (const note of await ledger().notes()) await say({ say: 'note', note });
  await runtime.close();
}

await (task === 'verify' ? verify() : live());
