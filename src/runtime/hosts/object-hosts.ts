/**
 * A runtime whose objects live in several processes.
 *
 * Promises:
 * - an object is in one host, determined by its id, where all promises of a runtime apply to it;
 * - a host that an event blocks beyond its CPU time, that needs too much memory or that exits by itself is replaced;
 *   its objects restart from its journal, their callers get the error of a reset, and the other hosts continue;
 * - no host outlives this process.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Log, createLog } from '#base';
import { makeDirectory } from '#files';
import { type DurableObjectNamespace, type RuntimeStats, Scratch, addressOf } from '#objects';
import type { SupervisedState } from '#processes';
import { DirectoryLock } from '#sqlite';
import type { HostsPlace } from './connect-hosts.ts';
import { HostProcesses } from './host-processes.ts';
import { listen } from './host.ts';
import { arrangeLocked } from './arrange.ts';
import { noteMade } from './arrange-directory.ts';
import { describeLayout, type Layout, listFolders } from './layout.ts';
import { type ObjectHostsOptions, checkOptions } from './options.ts';
import { RemoteRuntime } from './runtime/remote-runtime.ts';
import { RuntimeGroup } from './runtime/runtime-group.ts';
import type { PlainObjectId } from './runtime/questions.ts';
import { type HostedClass, HostRouter, socketPath } from './host-router.ts';

/** Starts the hosts, unless they are not needed yet; resolves when all of them serve. */
export async function createHosts(options: ObjectHostsOptions): Promise<ObjectHosts> {
  checkOptions(options);
  return await ObjectHosts.open(options);
}

interface ObjectHostsParts {
  readonly layout: Layout;
  readonly sockets: string;
  readonly processes: HostProcesses;
  readonly router: HostRouter;
  readonly scratch: Scratch;
  readonly runtimes: readonly RemoteRuntime[];
  /** Releases everything except the hosts. */
  readonly resources: DisposableStack;
}

export class ObjectHosts extends RuntimeGroup {
  readonly #parts: ObjectHostsParts;
  #closing: Promise<void> | undefined;

  private constructor(parts: ObjectHostsParts) {
    const { layout, runtimes } = parts;
    super({ parts: runtimes, folders: listFolders(layout), layout: () => describeLayout(layout) });
    this.#parts = parts;
  }

  /** @internal */
  static async open(options: ObjectHostsOptions): Promise<ObjectHosts> {
    const { directory, hosts: count, services, clock, log = defaultLog() } = options;
    using resources = new DisposableStack();
    makeDirectory(directory);
    resources.use(DirectoryLock.acquire(directory));
    const layout = (await arrangeLocked({
      directory,
      hosts: count,
      segmentBytes: options.segmentBytes,
      log,
    }))!;
    const scratch = resources.adopt(new Scratch(join(directory, 'live')), (each) => each.clear());
    const sockets = resources.adopt(makeSockets(), (path) => rmSync(path, { recursive: true, force: true }));
    const warn = (message: string, error?: unknown): void => log.warn(message, { error });
    let processes: HostProcesses | undefined;
    const router = resources.use(
      new HostRouter({
        sockets,
        hosts: count,
        classes: [],
        log: warn,
        explainLoss: (host, address) => processes?.explainLoss(host, address),
        onCall: () => void (processes?.isStarted === false && startLater(processes, router, log)),
        ...(services === undefined ? {} : { services }),
      }),
    );
    if (services !== undefined)
      resources.adopt(await listen(router, socketPath(sockets, 'main')), closeServer);
    processes = new HostProcesses({ ...options, log, sockets, layout });
    if (needsHosts(options, layout)) await startNow(processes, router);
    if (processes.isStarted) noteMade(directory);
    const runtimes = listFolders(layout).map((_, host) =>
      createRemote({ router, scratch, host, stats: () => processes.statsOf(host) }),
    );
    for (const runtime of runtimes) if (clock !== undefined) resources.defer(clock.lead(runtime.clock));
    return new ObjectHosts({
      layout,
      sockets,
      processes,
      router,
      scratch,
      runtimes,
      resources: resources.move(),
    });
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- say the class to get typed stubs
  namespace<T = any>(className: string): DurableObjectNamespace<T> {
    return this.#parts.router.namespace<T>(className);
  }

  /** The data with which other processes reach its objects. */
  get place(): HostsPlace {
    const { sockets, layout, router } = this.#parts;
    return { sockets, hosts: layout.hosts, classes: router.listClasses() };
  }

  get classNames(): string[] {
    return this.#parts.router.classNames;
  }

  storageOf(className: string): 'kv' | 'sql' {
    return this.#parts.router.storageOf(className);
  }

  scratchPath(name: string, bytes: number): string {
    return this.#parts.scratch.pathFor(name, bytes);
  }

  /** The process id of each host that is running. */
  get pids(): readonly (number | undefined)[] {
    return this.#parts.processes.states.map((state) => ('child' in state ? state.child.pid : undefined));
  }

  /** The state of each host; for one that is not running, why it ended and when it is started again. */
  get states(): readonly SupervisedState[] {
    return this.#parts.processes.states;
  }

  /** Loads the classes again, with other data for the module. All objects are reset. */
  async reload(
    data: unknown,
    { hasClasses = true }: Pick<ObjectHostsOptions, 'hasClasses'> = {},
  ): Promise<void> {
    const { processes, router } = this.#parts;
    processes.useData(data);
    if (!processes.isStarted) return hasClasses ? await startNow(processes, router) : undefined;
    const [classes] = await Promise.all(this.#parts.runtimes.map((host) => host.ask('reload', data)));
    this.#parts.router.useClasses(classes as readonly HostedClass[]);
  }

  /** Makes everything durable and ends the hosts, by force if necessary. Calls in progress get an error. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#parts.processes.stop();
    this.#parts.resources[Symbol.dispose]();
  }
}

function needsHosts({ hasClasses = true, directory, clock }: ObjectHostsOptions, layout: Layout): boolean {
  // A manual clock controls the clock of every host.
  if (hasClasses || clock !== undefined) return true;
  return listFolders(layout).some((folder) => existsSync(join(directory, folder, 'journal')));
}

async function startNow(processes: HostProcesses, router: HostRouter): Promise<void> {
  try {
    router.useClasses(await processes.start({ isFirstNeeded: true }));
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

/** For callers of hosts that have no classes: the hosts are retried until they start, and the call waits. */
function startLater(processes: HostProcesses, router: HostRouter, log: Log): void {
  processes
    .start({ isFirstNeeded: false })
    .then((classes) => router.useClasses(classes))
    .catch((error: unknown) => log.warn('the object hosts do not start', { error }));
}

function createRemote({
  router,
  scratch,
  host,
  stats,
}: {
  readonly router: HostRouter;
  readonly scratch: Scratch;
  readonly host: number;
  readonly stats: () => RuntimeStats;
}): RemoteRuntime {
  return new RemoteRuntime({
    port: () => router.portOf(host),
    place: (id) => addressOf(id) as unknown as PlainObjectId,
    findId: (place) => router.findId(place),
    storageOf: (className) => router.storageOf(className),
    scratchPath: (name, bytes) => scratch.pathFor(name, bytes),
    stats,
  });
}

/** In a folder accessible only to this user, with a path short enough for a socket. */
function makeSockets(): string {
  return mkdtempSync(join(tmpdir(), 'gatehouse-'));
}

function closeServer(server: Server): void {
  server.close();
}

function defaultLog(): Log {
  return createLog({ level: 'warn', format: 'text', write: (line) => process.stderr.write(line) });
}
