/** A running uploaded Worker, and a version of it that waits for its deployment. */
import { type PrivateListener, workerSocketPath } from '#base';
import { type Fault, fault, workerCodes } from '#contract';
import type { RunnableVersion } from '#control';
import { DeployError, type LoadedVersion, LoadError, UploadedWorker } from '#deployments';
import { BoundSocket } from '#processes';
import type { Config } from '../config/read-config.ts';
import { uploadLoadMsMax } from '../limits.ts';

export interface RunningWorker {
  readonly id: string;
  readonly directory: string;
  readonly socket: BoundSocket;
  readonly worker: UploadedWorker;
  /** The version that was started last. */
  versionId: string | undefined;
  /** The last schedule that it received. */
  crons: string;
  /** Set while it waits for the version that another host deploys. */
  paused: NodeJS.Timeout | undefined;
  /** A version that was loaded but not deployed, kept for a moment. */
  held: HeldVersion | undefined;
  door: PrivateListener | undefined;
}

type ProcessOptions = Pick<
  ConstructorParameters<typeof UploadedWorker>[0],
  'name' | 'directory' | 'log' | 'isFollowed' | 'onCall' | 'findCluster' | 'findStores' | 'ownListeners'
>;

interface RunningOptions extends ProcessOptions {
  readonly id: string;
  readonly config: Config;
  /** The folder of the sockets of all Workers. */
  readonly sockets: string;
}

/** A Worker without a running version. */
export function openRunning({ id, config, sockets, ...options }: RunningOptions): RunningWorker {
  const { settings } = config;
  const socket = BoundSocket.bindPath(workerSocketPath(sockets, options.name));
  const worker = new UploadedWorker({
    ...options,
    settings,
    // A process for each Worker is enough: there may be many.
    countObjectProcesses: () => 1,
    loadMsMax: Math.min(uploadLoadMsMax, settings.objectHostStuck),
    logsRequests: false,
    listeners: [{ kind: 'edge', socket }],
    edgeSockets: sockets,
  });
  return {
    ...{ id, directory: options.directory, socket, worker },
    ...{ versionId: undefined, crons: '', paused: undefined, held: undefined, door: undefined },
  };
}

/** Whether this version is running, with this schedule. */
export function isCurrent(
  running: RunningWorker | undefined,
  { workerId, version, crons }: Pick<RunnableVersion, 'workerId' | 'version' | 'crons'>,
): boolean {
  return (
    running?.id === workerId &&
    running.versionId === version.id &&
    running.paused === undefined &&
    running.crons === crons.join()
  );
}

/** Whether it makes room for another version, which the account may not have yet. */
export function isWaiting(
  running: RunningWorker | undefined,
  { version }: Pick<RunnableVersion, 'version'>,
): boolean {
  return running?.paused !== undefined && running.versionId === version.id;
}

/** Bindings to stores of the account. */
const storeTypes: ReadonlySet<string> = new Set(['kv_namespace', 'd1', 'queue', 'r2_bucket']);

export function usesStores({ bindings }: Pick<RunnableVersion, 'bindings'>): boolean {
  return bindings.some(({ type }) => storeTypes.has(type));
}

interface HeldVersion {
  /** Equal for equal versions. */
  readonly key: string;
  readonly loaded: LoadedVersion;
  readonly timer: NodeJS.Timeout;
}

/** How long an uploaded version waits for its deployment in a process. */
const heldMs = 10_000;

/** Keeps the process of an uploaded version for a moment: Wrangler deploys it immediately afterwards. */
export function holdVersion(running: RunningWorker, version: RunnableVersion, loaded: LoadedVersion): void {
  dropHeld(running);
  const timer = setTimeout(() => dropHeld(running), heldMs).unref();
  running.held = { key: JSON.stringify(version), loaded, timer };
}

export function takeHeld(running: RunningWorker, version: RunnableVersion): LoadedVersion | undefined {
  const { held } = running;
  if (held?.key !== JSON.stringify(version) || held.loaded.hasEnded) return undefined;
  clearTimeout(held.timer);
  running.held = undefined;
  return held.loaded;
}

export function dropHeld(running: RunningWorker): void {
  const { held } = running;
  running.held = undefined;
  clearTimeout(held?.timer);
  void held?.loaded.discard();
}

/** Why a version does not run, for the client that uploaded it. */
export function explainFailure(error: unknown): unknown {
  const refuse = (reason: string): Fault => fault(workerCodes.invalid, { fill: { reason } });
  if (error instanceof LoadError)
    return refuse(error.isLate ? 'Script startup exceeded CPU time limit.' : error.message);
  return error instanceof DeployError ? refuse(error.message) : error;
}

/** Called when it runs, or is about to. */
export function endPause(running: RunningWorker): void {
  clearTimeout(running.paused);
  running.paused = undefined;
}

/** The problem in a cron expression; undefined if it is valid. */
export async function findCronProblem(cron: string): Promise<string | undefined> {
  // Most programs never need the code that runs Workers in this process.
  const { Cron } = await import('#workers');
  try {
    Cron.parse(cron);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
