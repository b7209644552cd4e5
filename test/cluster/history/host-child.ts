/** A host of a cluster as a separate process, which calls counters for its parent. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { joinCluster } from '#cluster';
import { DurableObject, createRuntime } from '#objects';

export interface ChildRequest {
  readonly number: number;
  /**
   * `load`: how many objects the host has. `ring`: sets the alarm of the object. `notes`: the record of its alarms.
   * `jump`: the clock of the host jumps by this many milliseconds. `compute`: the object computes for this many
   * milliseconds without a pause. `where`: the process that has the object.
   */
  readonly kind: 'increment' | 'read' | 'log' | 'ring' | 'notes' | 'load' | 'jump' | 'compute' | 'where';
  readonly object: string;
  readonly ms?: number;
}

export type ChildAnswer =
  | { readonly number: number; readonly value: unknown }
  | { readonly number: number; readonly error: string };

export interface ChildOptions {
  readonly urls: readonly string[];
  readonly leaseMs: number;
  readonly stuckMs?: number;
  readonly plant: 'none' | 'no-deadline';
  /** Where the others reach it. */
  readonly advertise: string;
}

/** How long the handler of an alarm takes at least, so that another one could begin meanwhile. */
const alarmMs = 5;

class Counter extends DurableObject {
  /** A counter that also records which operation produced each value. */
  async increment(operation: number): Promise<number> {
    const value = (await this.#read('value')) + 1;
    await this.ctx.storage.put({ value, [`row ${pad(value)}`]: operation });
    return value;
  }

  where(): number {
    return process.pid;
  }

  /** Returns the counter's record. */
  async compute(ms: number): Promise<number> {
    // Nothing else of this thread runs meanwhile, and other programs of a busy machine do.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return await this.#read('value');
  }

  async read(): Promise<number> {
    return await this.#read('value');
  }

  async log(): Promise<number[]> {
    return [...(await this.ctx.storage.list<number>({ prefix: 'row ' })).values()];
  }

  async ring(operation: number): Promise<number> {
    await this.#note(`set ${operation}`);
    await this.ctx.storage.setAlarm(1);
    return operation;
  }

  async notes(): Promise<string[]> {
    return [...(await this.ctx.storage.list<string>({ prefix: 'note ' })).values()];
  }

  async alarm(): Promise<void> {
    const run = randomUUID();
    await this.#note(`begin ${run}`);
    await delay(alarmMs);
    await this.#note(`end ${run}`);
  }

  async #note(text: string): Promise<void> {
    const count = (await this.#read('notes')) + 1;
    await this.ctx.storage.put({ notes: count, [`note ${pad(count)}`]: text });
  }

  async #read(key: string): Promise<number> {
    return (await this.ctx.storage.get<number>(key)) ?? 0;
  }
}

function pad(number: number): string {
  return String(number).padStart(9, '0');
}

const { advertise, leaseMs, plant, stuckMs, urls: url } = JSON.parse(process.argv[2]!) as ChildOptions;
const directory = mkdtempSync(join(tmpdir(), 'gatehouse-history-'));
const cluster = await joinCluster({
  url,
  leaseMs,
  listen: { advertise },
  ...(stuckMs === undefined ? {} : { stuckMs }),
});
// A planted bug that must be found: a host that answers however long it was stopped.
if (plant === 'no-deadline')
  for (const { membership } of cluster.shards)
    Object.defineProperty(membership, 'holds', { get: () => true });
const runtime = await createRuntime({
  cluster,
  directory,
  classes: { kv: { class: Counter }, sql: { class: Counter, storage: 'sql' } },
  log: () => {},
});
let jumpedMs = 0;
const now = Date.now;
Date.now = () => now() + jumpedMs;

async function answer({ number, kind, object, ms = 0 }: ChildRequest): Promise<ChildAnswer> {
  if (kind === 'load') return { number, value: cluster.objectCount };
  if (kind === 'jump') {
    jumpedMs += Number(object);
    return { number, value: jumpedMs };
  }
  const [className, name] = object.split(' ') as [string, string];
  const counter = runtime.namespace<Counter>(className).getByName(name);
  try {
    if (kind === 'compute') return { number, value: await counter.compute(ms) };
    if (kind === 'increment' || kind === 'ring') return { number, value: await counter[kind](number) };
    return { number, value: await counter[kind]() };
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
process.send!(cluster.localAddress);
