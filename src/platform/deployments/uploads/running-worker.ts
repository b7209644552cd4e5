/**
 * An uploaded Worker on this host: its socket, the process with the version that was started last, and at most one
 * process with an uploaded version that waits for its deployment. `ServedWorker` lists the promises about changing
 * versions.
 */
import { type Log, workerSocketPath } from '#base';
import type { PrivateListener } from '#listeners';
import type { ForbiddenEndpoint } from '#outbound';
import { type Fault, fault, workerCodes } from '#contract';
import type { LoadedVersion, RunnableVersion } from '#control';
import { BoundSocket, ChildEndedError } from '#processes';
import type { Metric } from '#metrics';
import { uploadLoadMsMax } from '../limits.ts';
import {
  type Candidate,
  DeployError,
  describeFailure,
  ServedWorker,
  type ServedWorkerOptions,
} from '../served-worker.ts';
import type { CompleteVersion, QueueBatch, QueueOutcome, WorkerSetup } from '../worker-messages.ts';

type StartState =
  | { readonly state: 'new' }
  /** Its schedule is that of the last start or change; undefined while it starts. */
  | { readonly state: 'started'; readonly versionId: string; readonly crons: string | undefined }
  /** It waits for a version that another host deploys, or for the next attempt to start one. */
  | { readonly state: 'waiting'; readonly versionId: string | undefined; readonly timer: NodeJS.Timeout };

/** A version in a process that has loaded it and waits. */
interface LoadedProcess extends Pick<LoadedVersion, 'exports' | 'loadMs'> {
  readonly candidate: Candidate<CompleteVersion>;
  state: 'waiting' | 'held' | 'switched to' | 'ended';
}

interface HeldVersion {
  /** Equal for equal versions. */
  readonly key: string;
  readonly loaded: LoadedProcess;
  readonly timer: NodeJS.Timeout;
}

/** How long an uploaded version waits for its deployment in a process. */
const heldMs = 10_000;

export interface RunningWorkerOptions extends Pick<
  ServedWorkerOptions,
  'name' | 'directory' | 'settings' | 'isFollowed' | 'onCall' | 'findStores'
> {
  /** The id of the Worker in the account. */
  readonly id: string;
  readonly log: Log;
  readonly ownListeners: readonly ForbiddenEndpoint[];
  /** The folder of the sockets of all Workers. */
  readonly sockets: string;
  /** The cluster with the objects of a version; undefined if they are in the directory. */
  readonly findCluster: (versionId: string) => WorkerSetup['cluster'];
  /** Opens the socket for operators in its directory. */
  readonly openDoor: (directory: string) => Promise<PrivateListener | undefined>;
}

export class RunningWorker {
  readonly #options: RunningWorkerOptions;
  readonly #socket: BoundSocket;
  readonly #served: ServedWorker<CompleteVersion>;
  #state: StartState = { state: 'new' };
  #held: HeldVersion | undefined;
  #door: PrivateListener | undefined;

  constructor(options: RunningWorkerOptions) {
    const { name, directory, settings, sockets, findCluster } = options;
    this.#options = options;
    this.#socket = BoundSocket.bindPath(workerSocketPath(sockets, name));
    this.#served = new ServedWorker(
      {
        ...options,
        // A process for each Worker is enough: there may be many.
        countObjectProcesses: () => 1,
        loadMsMax: Math.min(uploadLoadMsMax, settings.objectHostStuck),
        logsRequests: false,
        listeners: [{ kind: 'edge', socket: this.#socket }],
        edgeSockets: sockets,
      },
      (version) => ({
        folder: directory,
        code: { kind: 'uploaded', version },
        cluster: findCluster(version.version.id),
      }),
    );
  }

  get id(): string {
    return this.#options.id;
  }

  get isRunning(): boolean {
    return this.#served.isRunning;
  }

  /** Whether a version was ever started here. */
  get hasStarted(): boolean {
    const state = this.#state;
    return state.state === 'started' || (state.state === 'waiting' && state.versionId !== undefined);
  }

  /** Whether this version was started last, and its requests do not wait for another. */
  runs({ workerId, version }: Pick<RunnableVersion, 'workerId' | 'version'>): boolean {
    return this.id === workerId && this.#state.state === 'started' && this.#state.versionId === version.id;
  }

  hasSchedule(crons: readonly string[]): boolean {
    return this.#state.state === 'started' && this.#state.crons === crons.join();
  }

  /** Whether it makes room for another version, which the account may not have yet. */
  makesRoom({ version }: Pick<RunnableVersion, 'version'>): boolean {
    return this.#state.state === 'waiting' && this.#state.versionId === version.id;
  }

  /** Loads a version beside the running one, unless the process that holds it is still there. */
  async load(version: RunnableVersion, complete: () => Promise<CompleteVersion>): Promise<LoadedProcess> {
    return this.#takeHeld(version) ?? (await this.#load(await complete()));
  }

  /** Rejects if the previous version continues. */
  async switchTo(loaded: LoadedProcess, crons: readonly string[]): Promise<void> {
    await this.#switch(loaded);
    await this.#noteStarted(loaded.candidate.version, crons);
  }

  /** Keeps the process of an uploaded version for a moment: Wrangler deploys it immediately afterwards. */
  hold(version: RunnableVersion, loaded: LoadedProcess): void {
    this.#dropHeld();
    const timer = setTimeout(() => this.#dropHeld(), heldMs).unref();
    loaded.state = 'held';
    this.#held = { key: JSON.stringify(version), loaded, timer };
  }

  async discard({ state, candidate }: LoadedProcess): Promise<void> {
    if (state === 'waiting') await candidate.child.stop({ graceMs: 0 });
  }

  /** Runs a deployed version: in place of the running one, or as the one that its requests wait for. */
  async run({ version }: RunnableVersion, complete: () => Promise<CompleteVersion>): Promise<void> {
    const isReplaced = this.#state.state === 'started';
    if (!isReplaced) {
      this.#endWait();
      this.#state = { state: 'started', versionId: version.id, crons: undefined };
    }
    const completed = await complete();
    if (isReplaced) await this.#switch(await this.#load(completed));
    else await this.#served.start(completed);
    await this.#noteStarted(completed, completed.crons);
  }

  /** Stops the running version: its requests wait until one is started, at the latest when the timer fires. */
  async pause(startTimer: () => NodeJS.Timeout): Promise<void> {
    this.waitFor(startTimer());
    await this.#served.pause();
  }

  /** It does not run: the timer makes the next attempt. */
  waitFor(timer: NodeJS.Timeout): void {
    this.#endWait();
    const versionId = this.#state.state === 'new' ? undefined : this.#state.versionId;
    this.#state = { state: 'waiting', versionId, timer };
  }

  async setCrons(crons: readonly string[]): Promise<void> {
    if (this.#state.state === 'started') this.#state = { ...this.#state, crons: crons.join() };
    await this.#served.send({ kind: 'crons', crons });
  }

  /** Calls `queue()`; undefined if no version is running. */
  deliver(batch: QueueBatch): Promise<QueueOutcome | undefined> {
    return this.#served.deliver(batch);
  }

  async follow(isFollowed: boolean): Promise<void> {
    await this.#served.send({ kind: 'follow', isFollowed });
  }

  retireSockets({ graceMs }: { readonly graceMs: number }): Promise<void> {
    return this.#served.send({ kind: 'retire sockets', graceMs });
  }

  readMetrics(): Promise<readonly Metric[]> {
    return this.#served.readMetrics();
  }

  async stop(options: { readonly graceMs: number }): Promise<void> {
    this.#endWait();
    this.#dropHeld();
    await this.#door?.close();
    await this.#served.stop(options);
    this.#socket.close();
  }

  async #noteStarted({ version }: CompleteVersion, crons: readonly string[]): Promise<void> {
    this.#endWait();
    this.#state = { state: 'started', versionId: version.id, crons: crons.join() };
    this.#door ??= await this.#options.openDoor(this.#options.directory);
  }

  #endWait(): void {
    if (this.#state.state === 'waiting') clearTimeout(this.#state.timer);
  }

  async #load(version: CompleteVersion): Promise<LoadedProcess> {
    const startMs = performance.now();
    const { loaded: code, ...candidate } = await this.#served.load(version).catch((error: unknown) => {
      this.#served.count('refused');
      throw new LoadError(error);
    });
    const loadMs = performance.now() - startMs;
    const loaded: LoadedProcess = { candidate, exports: code.exports, loadMs, state: 'waiting' };
    void candidate.child.ended.then(() => (loaded.state = 'ended'));
    return loaded;
  }

  async #switch(loaded: LoadedProcess): Promise<void> {
    const { candidate } = loaded;
    loaded.state = 'switched to';
    if (this.#served.current !== undefined) return await this.#served.switchTo(candidate, { onFailed() {} });
    try {
      await this.#served.start(candidate.version, candidate.child);
      this.#served.count('done');
    } catch (error) {
      this.#served.count('refused');
      throw new DeployError(`it does not start: ${describeFailure(error)}`, { cause: error });
    }
  }

  #takeHeld(version: RunnableVersion): LoadedProcess | undefined {
    const held = this.#held;
    if (held?.key !== JSON.stringify(version) || held.loaded.state !== 'held') return undefined;
    clearTimeout(held.timer);
    this.#held = undefined;
    held.loaded.state = 'waiting';
    return held.loaded;
  }

  #dropHeld(): void {
    const held = this.#held;
    this.#held = undefined;
    clearTimeout(held?.timer);
    void held?.loaded.candidate.child.stop({ graceMs: 0 });
  }
}

/** Code that does not load: for the client that uploaded it. */
class LoadError extends Error {
  override readonly name = 'LoadError';
  /** Whether it was terminated because it took too long. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super(describeFailure(cause), { cause });
    this.isLate = cause instanceof ChildEndedError && cause.reason.kind === 'stuck';
  }
}

/** Why a version does not run, for the client that uploaded it. */
export function explainFailure(error: unknown): unknown {
  const refuse = (reason: string): Fault => fault(workerCodes.invalid, { fill: { reason } });
  if (error instanceof LoadError)
    return refuse(error.isLate ? 'Script startup exceeded CPU time limit.' : error.message);
  return error instanceof DeployError ? refuse(error.message) : error;
}
