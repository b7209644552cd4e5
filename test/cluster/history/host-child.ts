/** A host of a cluster as a process of its own, which calls counters for its parent. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinCluster } from '#cluster';
import { DurableObject, createRuntime } from '#objects';

export interface ChildRequest {
  readonly number: number;
  /** `load`: how many objects the host has. */
  readonly kind: 'increment' | 'read' | 'log' | 'load';
  readonly object: string;
}

export type ChildAnswer =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: string };

class Counter extends DurableObject {
  /** A counter that also says which operation made it each value. */
  async increment(operation: number): Promise<number> {
    const value = (await this.#value()) + 1;
    await this.ctx.storage.put({ value, [`row ${String(value).padStart(9, '0')}`]: operation });
    return value;
  }

  async read(): Promise<number> {
    return await this.#value();
  }

  async log(): Promise<number[]> {
    return [...(await this.ctx.storage.list<number>({ prefix: 'row ' })).values()];
  }

  async #value(): Promise<number> {
    return (await this.ctx.storage.get<number>('value')) ?? 0;
  }
}

const [url, lease, plant] = process.argv.slice(2) as [string, string, string];
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-history-'));
const cluster = await joinCluster({ url, leaseMs: Number(lease), listen: {} });
// A fault to be found: a host that answers however long it was stopped.
if (plant === 'no-deadline') Object.defineProperty(cluster.fence, 'holds', { get: () => true });
const runtime = await createRuntime({
  cluster,
  directory,
  classes: { kv: { class: Counter }, sql: { class: Counter, storage: 'sql' } },
  log: () => {},
});

async function answer({ number, kind, object }: ChildRequest): Promise<ChildAnswer> {
  if (kind === 'load') return { number, value: cluster.objectCount };
  const [className, name] = object.split(' ') as [string, string];
  const counter = runtime.namespace<Counter>(className).getByName(name);
  try {
    if (kind === 'increment') return { number, value: await counter.increment(number) };
    return { number, value: await (kind === 'read' ? counter.read() : counter.log()) };
  } catch (error) {
    return { number, error: (error as Error).message };
  }
}

process.on('message', (request: ChildRequest) => {
  void answer(request).then((message) => process.connected && process.send!(message));
});
process.on('disconnect', () => {
  rmSync(directory, { recursive: true, force: true });
  process.exit();
});
process.send!('ready');
