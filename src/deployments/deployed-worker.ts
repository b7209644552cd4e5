/**
 * A Worker that serves, and the change from one version of it to the next.
 *
 * Promises:
 * - a version that does not load never replaces one that runs: the successor loads its code beside it first;
 * - one that loads and then cannot start (the storage of a class has another kind, a host fails) is followed by the version
 *   before it;
 * - no connection is refused meanwhile: the sockets are held by the program, and what arrives between two versions waits;
 *   requests that were under way are answered by the version that took them, and WebSockets are closed with 1012;
 * - one change at a time, in the order in which they were asked for.
 */
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { assert, type ForbiddenEndpoint, type Log, StartError } from '#base';
import { ObjectPauses } from '#hosts';
import {
  type BoundSocket,
  ChildEndedError,
  ChildProcess,
  type ChildWork,
  SupervisedProcess,
  takeAhead,
} from '#processes';
import { Counter, keepCounts, type Metric, type MetricData, Reading, sumFamilies } from '#observability';
import { cronsLateMsMax, silentMsMax } from './limits.ts';
import { ProcessLink } from './process-link.ts';
import { type Project, type Version, VersionStore } from './version-store.ts';
import type { ListenerKind, WorkerSetup } from './worker-messages.ts';

/** The settings of the program that concern it. */
interface WorkerSettings {
  readonly durability: WorkerSetup['durability'];
  readonly historyDays: number;
  readonly objectHostStuck: number;
  readonly objectStatementStuck: number;
  readonly objectHostBytes: number;
  readonly allowPrivateOrigins: boolean;
  readonly trustedProxies: readonly string[];
  readonly logLevel: WorkerSetup['logLevel'];
  readonly shutdownGrace: number;
}

export interface DeployedWorkerOptions {
  /** In logs and metrics. */
  readonly name: string;
  /** What to deploy; the version that ran last if undefined. */
  readonly project: Project | undefined;
  /** Of the objects and the versions. */
  readonly directory: string;
  readonly settings: WorkerSettings;
  /** Processes of the objects, each time one of the Worker starts. */
  readonly countObjectProcesses: () => number;
  readonly logsRequests: boolean;
  readonly log: Log;
  /** Of the program, which its code may never connect to. */
  readonly ownListeners: readonly ForbiddenEndpoint[];
  readonly listeners: readonly { readonly kind: ListenerKind; readonly socket: BoundSocket }[];
  /** Read again for each process. */
  readonly readTls?: () => SecureContextOptions | undefined;
}

/** Why a deployment was not done: for the operator who asked for it. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly code = 'DEPLOY_FAILED';
}

export interface Deployment {
  readonly version: Version;
  /** False if it runs already. */
  readonly isNew: boolean;
}

interface VersionToBuild {
  readonly number: number;
  readonly project: Project;
}

/** A process that has a version loaded and waits for the objects. */
interface Candidate {
  readonly version: Version;
  readonly child: ChildProcess;
}

const dayMs = 86_400_000;

export class DeployedWorker {
  readonly #options: DeployedWorkerOptions;
  readonly #versions: VersionStore;
  readonly #links = new Map<ChildProcess, ProcessLink>();
  readonly #deployments: Counter;
  /** For objects that live in the process of the Worker. */
  readonly #pauses = new ObjectPauses();
  readonly #own: readonly Metric[];
  #supervised: SupervisedProcess | undefined;
  #current: Version | undefined;
  #changing: Promise<unknown> = Promise.resolve();
  #isStopping = false;
  /** When a process that served has ended. */
  #endedAtMs: number | undefined;
  /** What processes that have ended had counted. */
  #countedBefore: MetricData[] = [];

  private constructor(options: DeployedWorkerOptions) {
    this.#options = options;
    this.#versions = new VersionStore(options.directory);
    const worker = options.name;
    this.#deployments = new Counter(
      'gatehouse_worker_deployments_total',
      'Deployments of a Worker, by outcome.',
    );
    for (const outcome of ['done', 'refused', 'rolled back']) this.#deployments.with({ worker, outcome });
    this.#own = [
      this.#deployments,
      new Reading('gatehouse_worker_up', 'Whether the process of a Worker serves.', () => [
        [{ worker }, this.isRunning ? 1 : 0],
      ]),
    ];
  }

  /** Resolves when it serves. */
  static async start(options: DeployedWorkerOptions): Promise<DeployedWorker> {
    const worker = new DeployedWorker(options);
    try {
      const { version, child } = await worker.#chooseFirst();
      const supervised = worker.#supervise(version, child);
      worker.#supervised = supervised;
      await supervised.firstReady;
      worker.#take(version);
      return worker;
    } catch (error) {
      await worker.stop({ graceMs: 0 });
      if (error instanceof StartError) throw error;
      throw new StartError(`the Worker ${options.name} does not start: ${describeFailure(error)}`, {
        cause: error,
      });
    }
  }

  get isRunning(): boolean {
    return this.#supervised?.state.state === 'running';
  }

  get current(): Version {
    assert(this.#current !== undefined, 'a deployed Worker has a version');
    return this.#current;
  }

  /** The oldest first. */
  list(): Version[] {
    return this.#versions.list();
  }

  /** Deploys what is in the project now; by default the one of the last deployment. */
  deploy(project?: Project): Promise<Deployment> {
    return this.#inTurn(async () => {
      const before = this.current;
      const { path, environment, workers } = project ?? before;
      try {
        const built = await this.#build({ path, environment, workers }, before);
        return built === undefined ? { version: before, isNew: false } : await this.#switchTo(built);
      } catch (error) {
        if (error instanceof DeployError) throw error;
        this.#count('refused');
        throw new DeployError(`version ${before.number} goes on: ${describeFailure(error)}`, {
          cause: error,
        });
      }
    });
  }

  /** Goes back to a version; by default to the one that ran before. */
  rollBack(number?: number): Promise<Deployment> {
    return this.#inTurn(async () => {
      const version = number === undefined ? this.#versions.previous : this.#versions.get(number);
      if (version === undefined) {
        const kept = this.list().map((each) => each.number);
        throw new DeployError(
          number === undefined
            ? 'there is no earlier version to go back to'
            : `there is no version ${number}; those that are kept: ${kept.join(', ')}`,
        );
      }
      const { number: running } = this.current;
      if (version.number === running) return { version, isNew: false };
      const child = this.#spawn(version, { isHeld: true });
      try {
        await this.#links.get(child)!.loaded;
      } catch (error) {
        this.#count('refused');
        throw new DeployError(
          `version ${running} goes on: version ${version.number} does not load: ${describeFailure(error)}`,
          { cause: error },
        );
      }
      return await this.#switchTo({ version, child });
    });
  }

  /** New connections get the certificate that there is now. */
  async renewTls(context: SecureContextOptions): Promise<void> {
    await Promise.all(Array.from(this.#links.values(), (link) => link.send({ kind: 'tls', context })));
  }

  /** Tells clients with a WebSocket to connect again, as a stop does: for an edge in front that is about to close. */
  async retireSockets({ graceMs }: { readonly graceMs: number }): Promise<void> {
    const links = [...this.#links.values()];
    await Promise.all(links.map((link) => link.send({ kind: 'retire sockets', graceMs })));
  }

  async readMetrics(): Promise<readonly Metric[]> {
    await Promise.all(Array.from(this.#links.values(), (link) => link.readMetrics()));
    const families = [...this.#links.values()].flatMap((link) => link.families);
    const summed = sumFamilies([...this.#countedBefore, ...families]);
    return [...this.#own, ...summed.map((data) => ({ name: data.name, read: () => data }))];
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    // A version that is still being loaded is not waited for.
    for (const child of this.#links.keys())
      if (child !== this.#supervised?.child) void child.stop({ graceMs: 0 });
    await this.#supervised?.stop({ graceMs });
    await this.#changing.catch(() => {});
    await this.#supervised?.stop({ graceMs });
  }

  #inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#changing.then(() => {
      if (this.#isStopping) throw new DeployError('the program is stopping');
      return change();
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  async #chooseFirst(): Promise<{ readonly version: Version; readonly child?: ChildProcess }> {
    const { project, directory } = this.#options;
    const last = this.#versions.current;
    if (project !== undefined) {
      const built = await this.#build(project, last);
      if (built !== undefined) {
        await this.#links.get(built.child)!.send({ kind: 'open', cronsSince: this.#cronsSince });
        return built;
      }
    }
    if (last !== undefined) return { version: last };
    throw new StartError(`no Worker was deployed to ${directory} yet: name its project`);
  }

  /** A new version, loaded by a process that waits for the objects; undefined if it is the same as `like`. */
  async #build(project: Project, like: Version | undefined): Promise<Candidate | undefined> {
    const number = this.#versions.reserve();
    const child = this.#spawn({ number, project }, { isHeld: true });
    try {
      const digest = (await this.#links.get(child)!.loaded)!;
      if (digest !== like?.digest) return { version: this.#versions.finish(number, project, digest), child };
    } catch (error) {
      this.#versions.remove(number);
      throw new Error(`version ${number} does not load: ${describeFailure(error)}`, { cause: error });
    }
    await child.stop({ graceMs: 0 });
    this.#versions.remove(number);
    return undefined;
  }

  async #switchTo({ version, child }: Candidate): Promise<Deployment> {
    const before = this.current;
    const { log, name, settings } = this.#options;
    log.info('replacing a Worker', { worker: name, from: before.number, to: version.number });
    await this.#supervised?.stop({ graceMs: settings.shutdownGrace });
    if (this.#isStopping) {
      await child.stop({ graceMs: 0 });
      throw new DeployError('the program is stopping');
    }
    await this.#links.get(child)?.send({ kind: 'open', cronsSince: this.#cronsSince });
    const supervised = this.#supervise(version, child);
    this.#supervised = supervised;
    try {
      await supervised.firstReady;
    } catch (error) {
      await this.#goBack(before, supervised);
      this.#count('rolled back');
      // One that ran before stays.
      if (this.list().at(-1)?.number === version.number) this.#versions.remove(version.number);
      throw new DeployError(
        `version ${before.number} runs again: version ${version.number} does not start: ${describeFailure(error)}`,
        { cause: error },
      );
    }
    this.#take(version);
    this.#count('done');
    log.info('a version of a Worker runs', { worker: name, version: version.number });
    return { version, isNew: true };
  }

  async #goBack(version: Version, failed: SupervisedProcess): Promise<void> {
    await failed.stop({ graceMs: 0 });
    if (this.#isStopping) return;
    const supervised = this.#supervise(version);
    this.#supervised = supervised;
    await supervised.firstReady.catch(() => {});
  }

  /** What was due long ago is not made up for. */
  get #cronsSince(): number | undefined {
    const at = this.#endedAtMs;
    return at !== undefined && Date.now() - at <= cronsLateMsMax ? at : undefined;
  }

  #count(outcome: 'done' | 'refused' | 'rolled back'): void {
    this.#deployments.with({ worker: this.#options.name, outcome }).add();
  }

  #take(version: Version): void {
    this.#current = version;
    this.#versions.setCurrent(version);
    this.#pauses.clear();
  }

  /** `first` is a process that has the version loaded already. */
  #supervise(version: Version, first?: ChildProcess): SupervisedProcess {
    let next = first;
    return new SupervisedProcess({
      log: this.#options.log,
      // A version that ran before is tried again; one that is new has somebody who waits for the reason.
      isFirstNeeded: version.number !== this.#current?.number,
      start: () => {
        const child = next ?? this.#spawn(version, { isHeld: false });
        next = undefined;
        return child;
      },
    });
  }

  #spawn(version: Version | VersionToBuild, { isHeld }: { readonly isHeld: boolean }): ChildProcess {
    const { name, log, listeners, settings } = this.#options;
    const link = new ProcessLink();
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const code = {
      module: new URL(`./worker-main.${extension}`, import.meta.url),
      heapBytesMax: settings.objectHostBytes,
    };
    const work: ChildWork = {
      name: `Worker ${name}`,
      setup: this.#describe(version, isHeld),
      handles: listeners.map(({ socket }) => socket.handle),
      log,
      stuckMs: settings.objectHostStuck,
      statementMs: settings.objectStatementStuck,
      silentMs: silentMsMax,
      onMessage: link.take,
      onKill: (reason) => void this.#pauses.note(reason),
    };
    const child = takeAhead(code) ?? new ChildProcess({ ...work, ...code, isWaiting: true });
    link.attach(child);
    this.#links.set(child, link);
    child.begin(work);
    void child.ended.then(() => {
      if (child.isReady) this.#endedAtMs = Date.now();
      this.#links.delete(child);
      this.#countedBefore = sumFamilies([...this.#countedBefore, ...keepCounts(link.families)]);
    });
    return child;
  }

  #describe(version: Version | VersionToBuild, isHeld: boolean): WorkerSetup {
    const { name, directory, settings, logsRequests, listeners, readTls } = this.#options;
    return {
      name,
      version: version.number,
      folder: this.#versions.folderOf(version.number),
      project: 'project' in version ? version.project : undefined,
      directory,
      durability: settings.durability,
      retentionMs: settings.historyDays * dayMs,
      hosts: this.#options.countObjectProcesses(),
      hostCpuMs: settings.objectHostStuck,
      hostStatementMs: settings.objectStatementStuck,
      paused: this.#pauses.list(),
      hostBytes: settings.objectHostBytes,
      outbound: {
        allowPrivate: settings.allowPrivateOrigins,
        forbidden: this.#options.ownListeners,
        socketFolder: join(directory, 'sockets'),
      },
      trustedProxies: settings.trustedProxies,
      listeners: listeners.map(({ kind }) => kind),
      tls: readTls?.(),
      logLevel: settings.logLevel,
      logsRequests,
      isHeld,
      cronsSince: this.#cronsSince,
    };
  }
}

function describeFailure(error: unknown): string {
  if (error instanceof ChildEndedError && error.reason.kind === 'failed') return error.reason.message;
  return error instanceof Error ? error.message : String(error);
}
