/**
 * Lives of a small class with 20 operations each, in one process, beside the same operations on the runtime that serves
 * objects, with its log on disk: lives and operations for each second of processor time.
 *
 *     npm run bench -- --only simulator
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type ClassOptions, createRuntime, DurableObject } from '../../src/runtime/objects.ts';
import { simulate } from '../../src/runtime/simulator.ts';
import { count, Counter } from '../../src/runtime/simulator/testdata/counter.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const lives = options.small ? 200 : 12_000;
/** As many as `world.run` does, and as many clients. */
const operations = 20;
const clients = 3;

class Table extends DurableObject {
  constructor(...parts: ConstructorParameters<typeof DurableObject>) {
    super(...parts);
    this.ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER)');
  }

  async add(count: number): Promise<number> {
    const sql = `INSERT INTO counters VALUES ('a', ?) ON CONFLICT DO UPDATE SET value = value + excluded.value RETURNING value`;
    return this.ctx.storage.sql.exec<{ value: number }>(sql, count).one().value;
  }

  async get(): Promise<number> {
    return (
      this.ctx.storage.sql.exec<{ value: number }>('SELECT value FROM counters').toArray()[0]?.value ?? 0
    );
  }
}

/** Seconds of processor time that some work takes. */
async function measure(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000_000;
}

async function live(counter: ClassOptions, seeds: number): Promise<number> {
  return await measure(() => simulate({ classes: { Counter: counter }, seeds }, count));
}

/** As many objects as there are lives, each with as many operations of as many clients at a time. */
async function serve(counter: ClassOptions, objects: number): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const runtime = await createRuntime({ directory, classes: { Counter: counter } });
  try {
    const call = async (name: string, client: number): Promise<void> => {
      const stub = runtime.namespace('Counter').getByName(name);
      for (let number = client; number < operations; number += clients)
        await (number % 2 === 0 ? stub.add(1) : stub.get());
    };
    return await measure(async () => {
      for (let object = 0; object < objects; object++)
        await Promise.all(Array.from({ length: clients }, (_, client) => call(`counter ${object}`, client)));
    });
  } finally {
    await runtime.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const show = (number: number): string => Math.round(number).toLocaleString('en-US');
console.log(
  '| class | lives per second | the tenth before, while V8 compiles | operations per second in lives | on the runtime | part |',
);
console.log('|---|--:|--:|--:|--:|--:|');
for (const [name, counter, part] of [
  ['key-value storage', { class: Counter, storage: 'kv' }, 1],
  ['SQL storage', { class: Table, storage: 'sql' }, 0.05],
] as const) {
  const number = Math.ceil(lives * part);
  const few = Math.ceil(number / 10);
  const cold = await live(counter, few);
  await serve(counter, few);
  const [simulated, served] = [
    await live(counter, number),
    (await serve(counter, Math.ceil(number / 2))) * 2,
  ];
  const [inLives, onRuntime] = [simulated, served].map((seconds) => (number * operations) / seconds);
  console.log(
    `| ${name} | ${show(number / simulated)} | ${show(few / cold)} | ${show(inLives!)} | ${show(onRuntime!)} | ${(inLives! / onRuntime!).toFixed(2)} |`,
  );
}
