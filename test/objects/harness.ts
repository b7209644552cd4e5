/**
 * One runtime in a separate directory, on a virtual clock, with objects whose behaviour the test defines: `run(stub,
 * body)` runs `body` inside the object, as one of its events.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AlarmInfo,
  type ClassOptions,
  type DurableObjectNamespace,
  DurableObject,
  type DurableObjectState,
  type DurableObjectStorage,
  type Runtime,
  type RuntimeOptions,
  VirtualClock,
  createRuntime,
} from '#objects';
import { findTestCluster } from '../cluster/test-cluster.ts';
import { HeldDisk } from './held-disk.ts';

export type Storage = DurableObjectStorage;
export type Stub = ReturnType<DurableObjectNamespace['getByName']>;
type Body<T> = (object: Probe) => T | Promise<T>;

/** Functions are not passed between objects directly: a call names its body by number. */
const bodies = new Map<number, Body<unknown>>();
let lastBody = 0;

/** The alarm handler of the object with this name. By default it does nothing. */
const alarmHandlers = new Map<string | undefined, (object: Probe, info: AlarmInfo) => unknown>();
const constructors = new Map<string | undefined, (object: Probe) => void>();

export class Probe extends DurableObject {
  /** Lost when the object is evicted or reset. */
  memory: unknown;

  constructor(ctx: DurableObjectState, env: unknown) {
    super(ctx, env);
    constructors.get(ctx.id.name)?.(this);
  }

  get state(): DurableObjectState {
    return this.ctx;
  }

  get storage(): Storage {
    return this.ctx.storage;
  }

  async run(number: number): Promise<unknown> {
    return await bodies.get(number)!(this);
  }

  async alarm(info: AlarmInfo): Promise<void> {
    await alarmHandlers.get(this.ctx.id.name)?.(this, info);
  }

  async fetch(request: Request): Promise<Response> {
    const number = Number(new URL(request.url).searchParams.get('body'));
    return new Response(String(await bodies.get(number)!(this)));
  }
}

/** The same without an alarm handler. */
class SilentProbe extends DurableObject {
  async run(number: number): Promise<unknown> {
    return await bodies.get(number)!(this as unknown as Probe);
  }

  get storage(): Storage {
    return this.ctx.storage;
  }
}

/** Runs `body` inside the object; returns its result once the output gate allows it. */
export async function run<T>(stub: Stub, body: Body<T>): Promise<T> {
  const number = ++lastBody;
  bodies.set(number, body);
  try {
    return (await stub.run(number)) as T;
  } finally {
    bodies.delete(number);
  }
}

/** The same through the object's fetch handler. */
export async function runByFetch(stub: Stub, body: Body<unknown>): Promise<string> {
  const number = ++lastBody;
  bodies.set(number, body);
  const response: Response = await stub.fetch(`http://object/?body=${number}`);
  return await response.text();
}

export interface House {
  readonly clock: VirtualClock;
  readonly directory: string;
  readonly runtime: Runtime;
  stub(name: string, className?: string): Stub;
  /** Of all objects. */
  countSnapshots(): Promise<number>;
  /** The kinds of the images of an object. */
  listImages(stub: Stub): Promise<string[]>;
  /** The size of the log, in bytes. */
  measureLog(): Promise<number>;
  /** Fails if any data on disk is damaged. A cluster has no disk. */
  checkDisk(): Promise<void>;
  /** Sets the alarm handler of the object with this name. */
  onAlarm(name: string, handler: (object: Probe, info: AlarmInfo) => unknown): void;
  /** Sets the constructor of the object with this name. */
  onConstruct(name: string, body: (object: Probe) => void): void;
  /** Closes and reopens the runtime, as a restart does. */
  reopen(options?: Partial<RuntimeOptions>): Promise<void>;
}

type Disposer = { after(callback: () => void | Promise<void>): void };

export type Kind = 'kv' | 'sql';
export const kinds: readonly Kind[] = ['kv', 'sql'];

/** A directory for a separate runtime of the test, which must be closed when the test ends. */
export function temporaryDirectory(t: Disposer): string {
  const directory = makeDirectory();
  t.after(() => rmSync(directory, { recursive: true }));
  return directory;
}

function makeDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-objects-'));
}

/**
 * Opens a runtime that has the classes `kv`, `sql` and `silent`, and closes it after the test. With `GATEHOUSE_TEST_DATABASE`
 * its objects are in a cluster.
 */
export async function openHouse(t: Disposer, options: Partial<RuntimeOptions> = {}): Promise<House> {
  const directory = makeDirectory();
  const clock = new VirtualClock();
  const classes: Record<string, ClassOptions> = {
    kv: { class: Probe, storage: 'kv' },
    sql: { class: Probe, storage: 'sql' },
    silent: { class: SilentProbe, storage: 'sql' },
  };
  const cluster = await findTestCluster();
  const disk = options.fs instanceof HeldDisk ? options.fs : new HeldDisk();
  const open = async (more: Partial<RuntimeOptions>): Promise<Runtime> =>
    createRuntime({
      directory,
      classes,
      clock,
      fs: disk,
      segmentBytes: 256 * 1024,
      log: () => {},
      ...(await cluster?.join(disk)),
      ...options,
      ...more,
    });
  const names = new Set<string>();
  const house = {
    clock,
    directory,
    runtime: await open({}),
    stub: (name: string, className = 'sql'): Stub => house.runtime.namespace(className).getByName(name),
    async countSnapshots() {
      if (cluster !== undefined) return await cluster.countSnapshots();
      const images = readdirSync(`${directory}/images`, { recursive: true, encoding: 'utf8' });
      return images.filter((image) => image.endsWith('.snapshot')).length;
    },
    async listImages({ id }: Stub) {
      const owner = id.toString();
      if (cluster !== undefined) return await cluster.listImages(owner);
      const images = readdirSync(`${directory}/images`, { recursive: true, encoding: 'utf8' });
      return images.filter((name) => name.includes(owner)).map((name) => name.split('.').at(-1)!);
    },
    async measureLog() {
      if (cluster !== undefined) return await cluster.measureLog();
      const files = readdirSync(`${directory}/journal`);
      return files.reduce((sum, name) => sum + statSync(`${directory}/journal/${name}`).size, 0);
    },
    async checkDisk() {
      if (cluster !== undefined) return;
      for await (const damage of house.runtime.scrub()) throw new Error(JSON.stringify(damage));
    },
    onAlarm(name: string, handler: (object: Probe, info: AlarmInfo) => unknown) {
      names.add(name);
      alarmHandlers.set(name, handler);
    },
    onConstruct(name: string, body: (object: Probe) => void) {
      names.add(name);
      constructors.set(name, body);
    },
    async reopen(more: Partial<RuntimeOptions> = {}) {
      await house.runtime.close();
      house.runtime = await open(more);
    },
  };
  t.after(async () => {
    disk.release();
    await house.runtime.close();
    await cluster?.remove();
    rmSync(directory, { recursive: true });
    for (const name of names) {
      alarmHandlers.delete(name);
      constructors.delete(name);
    }
  });
  return house;
}

/** Resets the object from inside and swallows the error its caller gets. */
export async function abort(stub: Stub, reason = 'test'): Promise<void> {
  await run(stub, ({ state }) => state.abort(reason)).catch(() => {});
}

/** Long enough for an idle object to be evicted. */
export const evictionMs = 11_000;

/** The error that the work throws or rejects with; fails if there is none. */
export async function errorOf(
  work: Promise<unknown> | (() => unknown),
): Promise<Error & Record<string, unknown>> {
  try {
    await (typeof work === 'function' ? work() : work);
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('an error was expected');
}

/** Lets the event loop turn until `done` returns true; fails after a while. */
export async function turnsUntil(done: () => boolean): Promise<void> {
  for (let turns = 0; !done(); turns++) {
    if (turns > 10_000) throw new Error('it did not come to pass');
    await turn();
  }
}

export async function turn(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
}
