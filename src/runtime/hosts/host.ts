/** One host: a runtime for its share of the objects, and the socket through which the other processes call them. */
import { rmSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { VirtualClock } from '#base';
import { beginListening } from '#listeners';
import {
  type ClassOptions,
  type ClusterPort,
  DirectoryLockedError,
  type DurableObjectNamespace,
  type PausedObject,
  type Runtime,
  type RuntimeOptions,
  type RuntimeStats,
  createRuntime,
} from '#objects';
import type { Stub } from '#rpc';
import { lockRetryMs, orphanWaitMsMax } from './limits.ts';
import { RuntimePort } from './runtime/runtime-port.ts';
import { type HostedClass, HostRouter, socketPath } from './host-router.ts';

type Classes = Readonly<Record<string, ClassOptions>>;

/** How objects can be reached, in every process. */
export interface Namespaces {
  namespace(className: string): DurableObjectNamespace;
  /** A stub of what the main process offers its hosts under this name (`services`). */
  service(name: string): Stub;
}

/** The exports of a module that a host loads. */
export interface HostModule {
  /** The classes of the objects, or a function that loads them. */
  readonly classes: Classes | ((data: unknown) => Classes | Promise<Classes>);
  /** Creates the `env` of objects; by default it has a namespace for each class, under the name of the class. */
  readonly createEnv?: (host: HostContext, data: unknown) => unknown;
  /** Joins the cluster that stores the objects; without it they are in the directory. */
  readonly joinCluster?: (data: unknown, log: HostContext['log']) => Promise<ClusterPort>;
  /** Creates the receiver of warnings; by default they go to the log of the main process. */
  readonly createLog?: (data: unknown) => (message: string, error?: unknown) => void;
}

/** The interface of the host for its module. */
export interface HostContext extends Namespaces {
  readonly log: (message: string, error?: unknown) => void;
}

export interface HostSetup {
  readonly directory: string;
  readonly sockets: string;
  readonly host: number;
  readonly hosts: number;
  /** The URL of a `HostModule`. */
  readonly module: string;
  /** Passed to the functions of the module. */
  readonly data: unknown;
  readonly options: HostOptions;
  readonly paused: readonly PausedObject[];
  /** The time of a virtual clock; undefined for the real one. */
  readonly virtualTime: number | undefined;
  readonly log: (message: string, error?: unknown) => void;
}

/** The options of a runtime that are the same in all hosts. */
export type HostOptions = Pick<
  RuntimeOptions,
  'durability' | 'limits' | 'retentionMs' | 'idleMs' | 'segmentBytes'
>;

interface HostParts {
  readonly runtime: Runtime;
  readonly router: HostRouter;
  readonly server: Server;
}

export class Host {
  readonly classes: readonly HostedClass[];
  readonly #parts: HostParts;

  private constructor(classes: readonly HostedClass[], parts: HostParts) {
    this.classes = classes;
    this.#parts = parts;
  }

  static async open(setup: HostSetup): Promise<Host> {
    const { sockets, host, hosts, data, virtualTime } = setup;
    const module = (await import(setup.module)) as Partial<HostModule>;
    const classes = await loadClasses(module, setup);
    const log = module.createLog?.(data) ?? setup.log;
    const clock = virtualTime === undefined ? undefined : new VirtualClock({ start: virtualTime });
    let runtime: Runtime | undefined;
    let port: RuntimePort | undefined;
    const router = new HostRouter({
      sockets,
      hosts,
      classes: describe(classes),
      log,
      // No object makes a call, and no request arrives, before the runtime is open.
      here: { host, openEntry: (id) => runtime!.openEntry(id), port: () => port! },
    });
    const context: HostContext = {
      log,
      namespace: (className) => router.namespace(className),
      service: (name) => router.service(name),
    };
    const env = (await module.createEnv?.(context, data)) ?? defaultEnv(router);
    const cluster = await module.joinCluster?.(data, log);
    runtime = await openRuntime({ ...setup, log }, { classes, env, clock, cluster });
    const reload = async (changed: unknown): Promise<readonly HostedClass[]> => {
      const loaded = await loadClasses(module, { ...setup, data: changed });
      await runtime.replaceClasses(loaded);
      router.useClasses(describe(loaded));
      return describe(loaded);
    };
    port = new RuntimePort({ runtime, clock, findId: (place) => router.findId(place), reload });
    const server = await listen(router, socketPath(sockets, host));
    return new Host(describe(classes), { runtime, router, server });
  }

  stats(): RuntimeStats {
    return this.#parts.runtime.stats();
  }

  async close(): Promise<void> {
    this.#parts.server.close();
    await this.#parts.runtime.close();
    this.#parts.router[Symbol.dispose]();
  }
}

/** Listens for the other processes of a runtime. */
export async function listen(router: HostRouter, path: string): Promise<Server> {
  const server = createServer((socket) => router.accept(socket));
  // Left by the previous process, which was ended.
  rmSync(path, { force: true });
  await beginListening(server, { path });
  return server;
}

async function openRuntime(
  { directory, options, paused, log }: HostSetup,
  {
    clock,
    cluster,
    ...parts
  }: {
    readonly classes: Classes;
    readonly env: unknown;
    readonly clock: VirtualClock | undefined;
    readonly cluster: ClusterPort | undefined;
  },
): Promise<Runtime> {
  const { durability, ...rest } = options;
  const storage =
    cluster === undefined ? { directory, ...(durability && { durability }) } : { directory, cluster };
  const whole = { ...storage, log, paused, ...rest, ...parts, ...(clock === undefined ? {} : { clock }) };
  for (const beganMs = performance.now(); ;) {
    try {
      return await createRuntime(whole);
    } catch (error) {
      // The host of a killed program needs a moment to notice its end.
      const isLocked = error instanceof DirectoryLockedError;
      if (!isLocked || performance.now() - beganMs > orphanWaitMsMax) throw error;
      await delay(lockRetryMs);
    }
  }
}

function describe(classes: Classes): readonly HostedClass[] {
  return Object.entries(classes).map(([name, { uniqueKey = name, storage = 'kv' }]) => ({
    name,
    uniqueKey,
    storage,
  }));
}

async function loadClasses({ classes }: Partial<HostModule>, { module, data }: HostSetup): Promise<Classes> {
  const loaded = typeof classes === 'function' ? await classes(data) : classes;
  if (typeof loaded === 'object') return loaded;
  throw new TypeError(
    `${module} must export classes, an object such as { Counter: { class: Counter } } or a function that returns one: ${String(loaded)}`,
  );
}

function defaultEnv(router: HostRouter): Record<string, DurableObjectNamespace> {
  return Object.fromEntries(router.classNames.map((name) => [name, router.namespace(name)]));
}
