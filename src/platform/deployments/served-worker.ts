/**
 * The processes of a serving Worker, and the change from one version to the next, wherever versions come from.
 *
 * Promises:
 * - a version is loaded beside the running one before anything is switched;
 * - if a version loads but cannot start (the storage of a class has another kind, a host fails), the previous version
 *   runs again;
 * - no connection is refused meanwhile: the program holds the sockets, and requests that arrive between two versions
 *   wait; requests in progress are answered by the version that accepted them, and WebSockets are closed with 1012;
 * - one change at a time, in the order of the calls.
 */
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { assert, type Log, neighbourSocketPath, uploadedFolder } from '#base';
import type { ForbiddenEndpoint } from '#outbound';
import { type HostsPlace, ObjectPauses } from '#hosts';
import {
  type BoundSocket,
  ChildEndedError,
  ChildProcess,
  type ChildWork,
  type Confinement,
  SupervisedProcess,
  takePreforked,
} from '#processes';
import { Counter, keepCounts, type Metric, type MetricData, Reading, sumFamilies } from '#metrics';
import { cronsLateMsMax, messageBytesMax, silentMsMax } from './limits.ts';
import { type LoadedCode, ProcessLink } from './process-link.ts';
import type {
  ListenerKind,
  QueueBatch,
  QueueOutcome,
  ToWorkerProcess,
  WorkerSetup,
} from './worker-messages.ts';

/** The program's settings that affect it. */
export interface WorkerSettings {
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

export interface ServedWorkerOptions {
  /** The name in logs and metrics. */
  readonly name: string;
  /** The directory of the objects. */
  readonly directory: string;
  readonly settings: WorkerSettings;
  /** How long its modules may take to load; by default the limit for objects. */
  readonly loadMsMax?: number;
  /** The number of object processes, read each time a process of the Worker starts. */
  readonly countObjectProcesses: () => number;
  readonly logsRequests: boolean;
  readonly log: Log;
  /** The program's own listeners, to which its code may never connect. */
  readonly ownListeners: readonly ForbiddenEndpoint[];
  readonly listeners: readonly { readonly kind: ListenerKind; readonly socket: BoundSocket }[];
  /** The folder of the sockets through which it reaches the origins of its zones; undefined if it has none. */
  readonly edgeSockets?: string;
  /** Whether its calls are followed, and the receiver of their records as JSON. */
  readonly isFollowed?: () => boolean;
  readonly onCall?: (text: string) => void;
  /** The stores of the account, for each process; undefined if the Worker has its own. */
  readonly findStores?: () => HostsPlace | undefined;
  /** Read again for each process. */
  readonly readTls?: () => SecureContextOptions | undefined;
}

/** Why a deployment failed, for the operator who requested it. */
export class DeployError extends Error {
  override readonly name = 'DeployError';
  readonly code = 'DEPLOY_FAILED';
}

interface NumberedVersion {
  readonly number: number;
}

/** Where a process finds the code of a version. */
export type VersionCode = Pick<WorkerSetup, 'folder' | 'code'> & Partial<Pick<WorkerSetup, 'cluster'>>;

/** A process that has loaded a version and waits for the objects. */
export interface Candidate<V extends NumberedVersion> {
  readonly version: V;
  readonly child: ChildProcess;
}

interface SwitchOptions {
  /** Called if it does not start, before the previous version is reported to run again. */
  readonly onFailed: () => void;
}

const dayMs = 86_400_000;

export class ServedWorker<V extends NumberedVersion> {
  readonly #options: ServedWorkerOptions;
  readonly #locate: (version: V) => VersionCode;
  readonly #links = new Map<ChildProcess, ProcessLink>();
  readonly #deployments: Counter;
  /** Paused objects, if they live in the process of the Worker. */
  readonly #pauses = new ObjectPauses();
  readonly #own: readonly Metric[];
  #supervised: SupervisedProcess | undefined;
  #current: V | undefined;
  #changing: Promise<unknown> = Promise.resolve();
  #isStopping = false;
  /** When the last serving process ended. */
  #endedAtMs: number | undefined;
  /** The counts of processes that have ended. */
  #countedBefore: MetricData[] = [];

  constructor(options: ServedWorkerOptions, locate: (version: V) => VersionCode) {
    this.#options = options;
    this.#locate = locate;
    const worker = options.name;
    this.#deployments = new Counter(
      'gatehouse_worker_deployments_total',
      'Deployments of a Worker, by outcome.',
    );
    for (const outcome of ['done', 'refused', 'rolled back']) this.#deployments.with({ worker, outcome });
    this.#own = [
      this.#deployments,
      new Reading('gatehouse_worker_up', 'Whether the process of a Worker is in service.', () => [
        [{ worker }, this.isRunning ? 1 : 0],
      ]),
    ];
  }

  get isRunning(): boolean {
    return this.#supervised?.state.state === 'running';
  }

  /** Undefined until a version has started. */
  get current(): V | undefined {
    return this.#current;
  }

  /** Runs changes one after the other. */
  inTurn<Result>(change: () => Promise<Result>): Promise<Result> {
    const done = this.#changing.then(() => {
      if (this.#isStopping) throw new DeployError('the program is stopping');
      return change();
    });
    this.#changing = done.catch(() => {});
    return done;
  }

  /**
   * Starts a process that loads a version and then waits for the objects; rejects with the reason if it does not load.
   */
  async load(version: V, code?: VersionCode): Promise<Candidate<V> & { readonly loaded: LoadedCode }> {
    if (this.#isStopping) throw new DeployError('the program is stopping');
    const child = this.#spawn(version, { isHeld: true, code });
    const loaded = await this.#links.get(child)!.loaded;
    return { version, child, loaded };
  }

  /** Starts the first version, or one after a pause; resolves once it serves. */
  async start(version: V, child?: ChildProcess): Promise<void> {
    // A switch that failed during a pause has restarted the previous version.
    await this.pause();
    if (child !== undefined) await this.#open(child);
    const supervised = this.#supervise(version, child);
    this.#supervised = supervised;
    await supervised.firstReady;
    this.#take(version);
  }

  /** Switches to a candidate; rejects with a `DeployError` if the previous version runs again. */
  async switchTo({ version, child }: Candidate<V>, { onFailed }: SwitchOptions): Promise<void> {
    const before = this.#current;
    assert(before !== undefined, 'a version that is replaced has started');
    const { log, name, settings } = this.#options;
    log.info('replacing a Worker', { worker: name, from: before.number, to: version.number });
    await this.#supervised?.stop({ graceMs: settings.shutdownGrace });
    if (this.#isStopping) {
      await child.stop({ graceMs: 0 });
      throw new DeployError('the program is stopping');
    }
    await this.#open(child);
    const supervised = this.#supervise(version, child);
    this.#supervised = supervised;
    try {
      await supervised.firstReady;
    } catch (error) {
      await this.#goBack(before, supervised);
      this.count('rolled back');
      onFailed();
      throw new DeployError(
        `version ${before.number} is running again: version ${version.number} does not start: ${describeFailure(error)}`,
        { cause: error },
      );
    }
    this.#take(version);
    this.count('done');
    log.info('a version of a Worker is running', { worker: name, version: version.number });
  }

  count(outcome: 'done' | 'refused' | 'rolled back'): void {
    this.#deployments.with({ worker: this.#options.name, outcome }).add();
  }

  /** Stops the serving process, so that another can have the objects; requests wait. */
  async pause(): Promise<void> {
    await this.#supervised?.stop({ graceMs: this.#options.settings.shutdownGrace });
  }

  /** Calls `queue()` in the serving process; undefined if there is none. */
  async deliver(batch: QueueBatch): Promise<QueueOutcome | undefined> {
    const child = this.#supervised?.child;
    return child === undefined ? undefined : await this.#links.get(child)?.deliver(batch);
  }

  /** Sends a message to all of its processes. */
  async send(message: ToWorkerProcess): Promise<void> {
    await Promise.all(Array.from(this.#links.values(), (link) => link.send(message)));
  }

  async readMetrics(): Promise<readonly Metric[]> {
    await Promise.all(Array.from(this.#links.values(), (link) => link.readMetrics()));
    const families = [...this.#links.values()].flatMap((link) => link.families);
    const summed = sumFamilies([...this.#countedBefore, ...families]);
    return [...this.#own, ...summed.map((data) => ({ name: data.name, read: () => data }))];
  }

  async stop({ graceMs }: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    // Does not wait for a version that is still loading.
    for (const child of this.#links.keys())
      if (child !== this.#supervised?.child) void child.stop({ graceMs: 0 });
    await this.#supervised?.stop({ graceMs });
    await this.#changing.catch(() => {});
    await this.#supervised?.stop({ graceMs });
  }

  async #open(child: ChildProcess): Promise<void> {
    await this.#links.get(child)?.send({ kind: 'open', cronsSince: this.#cronsSince });
  }

  async #goBack(version: V, failed: SupervisedProcess): Promise<void> {
    await failed.stop({ graceMs: 0 });
    if (this.#isStopping) return;
    const supervised = this.#supervise(version);
    this.#supervised = supervised;
    await supervised.firstReady.catch(() => {});
  }

  /** Crons that were due long ago are skipped. */
  get #cronsSince(): number | undefined {
    const at = this.#endedAtMs;
    return at !== undefined && Date.now() - at <= cronsLateMsMax ? at : undefined;
  }

  #take(version: V): void {
    this.#current = version;
    this.#pauses.clear();
  }

  /** `first` is a process that has already loaded the version. */
  #supervise(version: V, first?: ChildProcess): SupervisedProcess {
    let next = first;
    return new SupervisedProcess({
      log: this.#options.log,
      // A version that ran before is retried; for a new one, a caller waits for the reason.
      isFirstNeeded: version.number !== this.#current?.number,
      start: () => {
        const child = next ?? this.#spawn(version, { isHeld: false });
        next = undefined;
        return child;
      },
    });
  }

  #spawn(
    version: V,
    {
      isHeld,
      code = this.#locate(version),
    }: { readonly isHeld: boolean; readonly code?: VersionCode | undefined },
  ): ChildProcess {
    const { name, log, listeners, settings } = this.#options;
    const link = new ProcessLink(name, this.#options.onCall);
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const program = {
      module: new URL(`./worker-main.${extension}`, import.meta.url),
      heapBytesMax: settings.objectHostBytes,
      confined: this.#confine(code),
    };
    const work: ChildWork = {
      name: describePart(name),
      setup: this.#describe(version, code, isHeld),
      handles: listeners.map(({ socket }) => socket.handle),
      log,
      stuckMs: settings.objectHostStuck,
      statementMs: settings.objectStatementStuck,
      silentMs: silentMsMax,
      messageBytesMax,
      onMessage: link.take,
      onKill: (reason) => void this.#pauses.note(reason),
    };
    const ahead = program.confined === undefined ? takePreforked(program) : undefined;
    const child = ahead ?? new ChildProcess({ ...work, ...program, isWaiting: true });
    link.attach(child);
    this.#links.set(child, link);
    child.begin(work);
    void child.ended.then(() => {
      if (child.isReady) this.#endedAtMs = Date.now();
      this.#links.delete(child);
      this.#countedBefore = dropOldVersions(
        sumFamilies([...this.#countedBefore, ...keepCounts(link.families)]),
        version.number,
      );
    });
    return child;
  }

  /**
   * Confines code that was uploaded over the API. A project of the operator is built by the process that runs it. A
   * process with objects of a cluster starts another one, which releases their leases when it ends.
   */
  #confine({ code, cluster }: VersionCode): Confinement | undefined {
    if (code?.kind !== 'uploaded') return undefined;
    if (cluster !== undefined && code.version.classes.length > 0) return undefined;
    const { name, directory, edgeSockets } = this.#options;
    const { files } = code.version;
    const sockets =
      edgeSockets === undefined
        ? undefined
        : { folder: edgeSockets, own: neighbourSocketPath(edgeSockets, name) };
    return {
      reads: [
        `${uploadedFolder}*`,
        ...(sockets === undefined ? [] : [sockets.folder]),
        ...(files === undefined ? [] : [files.folder]),
      ],
      writes: [directory, ...(sockets === undefined ? [] : [sockets.own])],
    };
  }

  #describe(version: V, code: VersionCode, isHeld: boolean): WorkerSetup {
    const { name, directory, settings, logsRequests, listeners, readTls, edgeSockets } = this.#options;
    return {
      name,
      version: version.number,
      cluster: undefined,
      ...code,
      directory,
      durability: settings.durability,
      retentionMs: settings.historyDays * dayMs,
      hosts: this.#options.countObjectProcesses(),
      loadMsMax: this.#options.loadMsMax ?? settings.objectHostStuck,
      hostCpuMs: settings.objectHostStuck,
      hostStatementMs: settings.objectStatementStuck,
      paused: this.#pauses.list(),
      stores: this.#options.findStores?.(),
      isFollowed: this.#options.isFollowed?.() ?? false,
      hostBytes: settings.objectHostBytes,
      outbound: {
        allowPrivate: settings.allowPrivateOrigins,
        forbidden: this.#options.ownListeners,
        socketFolder: join(directory, 'sockets'),
        ...(edgeSockets === undefined ? {} : { edgeSockets }),
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

/** The name of a Worker's part of the data directory in messages and metrics. */
export function describePart(worker: string): string {
  return `Worker ${worker}`;
}

export function describeFailure(error: unknown): string {
  if (error instanceof ChildEndedError && error.reason.kind === 'failed') return error.reason.message;
  return error instanceof Error ? error.message : String(error);
}

/** How many versions have counts of their own besides the newest one, so that deployments do not add series forever. */
const countedVersionsMax = 25;

function dropOldVersions(families: readonly MetricData[], newest: number): MetricData[] {
  return families.map((family) => ({
    ...family,
    points: family.points.filter(
      ({ labels: { version } }) => version === undefined || Number(version) > newest - countedVersionsMax,
    ),
  }));
}
