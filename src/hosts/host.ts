/** One host: a runtime for its share of the objects, and the socket through which the other processes call them. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import {
  type ClassOptions,
  type DurableObjectNamespace,
  type Runtime,
  type RuntimeOptions,
  createRuntime,
} from '#objects';
import { type HostedClass, Router, socketPath } from './router.ts';

type Classes = Readonly<Record<string, ClassOptions>>;

/** What objects can be reached by, in every process. */
export interface Namespaces {
  namespace(className: string): DurableObjectNamespace;
}

/** What a module that a host loads exports. */
export interface HostModule {
  /** The classes of the objects, or a function that loads them. */
  readonly classes: Classes | ((data: unknown) => Classes | Promise<Classes>);
  /** Creates what objects get as `env`; by default it has a namespace for each class, under the name of the class. */
  readonly createEnv?: (namespaces: Namespaces, data: unknown) => unknown;
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
  readonly options: Pick<RuntimeOptions, 'durability' | 'limits' | 'retentionMs' | 'idleMs'>;
  readonly log: (message: string, error?: unknown) => void;
}

export class Host {
  readonly classes: readonly HostedClass[];
  readonly #runtime: Runtime;
  readonly #router: Router;
  readonly #server: Server;

  private constructor(
    classes: readonly HostedClass[],
    parts: { readonly runtime: Runtime; readonly router: Router; readonly server: Server },
  ) {
    this.classes = classes;
    this.#runtime = parts.runtime;
    this.#router = parts.router;
    this.#server = parts.server;
  }

  static async open(setup: HostSetup): Promise<Host> {
    const { directory, sockets, host, hosts, data, options, log } = setup;
    const module = (await import(setup.module)) as Partial<HostModule>;
    const classes = await loadClasses(module, setup);
    const hosted = Object.entries(classes).map(([name, { uniqueKey = name }]) => ({ name, uniqueKey }));
    let runtime: Runtime | undefined;
    const router = new Router({
      sockets,
      hosts,
      classes: hosted,
      // No object calls another before the runtime that wakes it is open.
      here: { host, openEntry: (id) => runtime!.openEntry(id) },
    });
    const env = module.createEnv?.(router, data) ?? defaultEnv(router);
    runtime = await createRuntime({ directory, classes, env, log, ...options });
    const server = createServer((socket) => router.accept(socket));
    const path = socketPath(sockets, host);
    // Left by the process before this one, which was ended.
    rmSync(path, { force: true });
    server.listen(path);
    await once(server, 'listening');
    return new Host(hosted, { runtime, router, server });
  }

  async close(): Promise<void> {
    this.#server.close();
    await this.#runtime.close();
    this.#router[Symbol.dispose]();
  }
}

async function loadClasses({ classes }: Partial<HostModule>, { module, data }: HostSetup): Promise<Classes> {
  const loaded = typeof classes === 'function' ? await classes(data) : classes;
  if (typeof loaded === 'object') return loaded;
  throw new TypeError(
    `${module} must export classes, an object such as { Counter: { class: Counter } } or a function that returns one: ${String(loaded)}`,
  );
}

function defaultEnv(router: Router): Record<string, DurableObjectNamespace> {
  return Object.fromEntries(router.classNames.map((name) => [name, router.namespace(name)]));
}
