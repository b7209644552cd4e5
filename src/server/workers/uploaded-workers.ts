/**
 * Runs the Workers that are uploaded over the API. Each has a process of its own, which only the edge reaches, through a
 * socket of the file system, and a directory for its objects. What is deployed is known to the account; this only follows.
 *
 * A Worker that does not start keeps neither the others nor the program from starting: its requests are answered with 502.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ForbiddenEndpoint,
  type Log,
  otherSockets,
  type PrivateListener,
  workerSocketPath,
} from '#base';
import { type Fault, fault, workerCodes } from '#contract';
import type { Control, KeptCode, LoadedScript, RunnableVersion, ScriptCode, WorkerHost } from '#control';
import {
  DeployError,
  type LoadedVersion,
  LoadError,
  type QueueBatch,
  type QueueOutcome,
  UploadedWorker,
} from '#deployments';
import type { Metric } from '#observability';
import { openDoor } from '#operator';
import { BoundSocket } from '#processes';
import type { Config } from '../config/read-config.ts';
import { claimDataDirectory } from '../data-directory.ts';
import { wantsEdge } from '../edge/served-edge.ts';
import { uploadLoadMsMax } from '../limits.ts';
import { AssetUploads } from './asset-uploads.ts';
import { AccountStores } from './account-stores.ts';
import { SocketFolder } from './socket-folder.ts';
import { WorkerCode } from './worker-code.ts';
import { WorkerTails } from './worker-tails.ts';
import { workersFolder } from './zone-workers.ts';

interface RunningWorker {
  readonly id: string;
  readonly directory: string;
  readonly socket: BoundSocket;
  readonly worker: UploadedWorker;
  /** The version that was started last. */
  versionId: string | undefined;
  /** A version that was loaded and not deployed, for a moment. */
  held: HeldVersion | undefined;
  door: PrivateListener | undefined;
}

interface HeldVersion {
  /** Equal for equal versions. */
  readonly key: string;
  readonly loaded: LoadedVersion;
  readonly timer: NodeJS.Timeout;
}

/** How long a version that was uploaded waits for its deployment in a process. */
const heldMs = 10_000;

/** Bindings to stores of the account. */
const storeTypes: ReadonlySet<string> = new Set(['kv_namespace', 'd1', 'queue', 'r2_bucket']);

/** What the directories of their objects begin with; names of Workers of the configuration do not. */
const idMark = '@';

export interface UploadedWorkersOptions {
  readonly config: Config;
  readonly log: Log;
  /** URLs of the edge, once it listens. */
  readonly findUrls: () => { readonly edge?: string | undefined; readonly edge_https?: string | undefined };
}

export class UploadedWorkers implements WorkerHost {
  readonly #options: UploadedWorkersOptions;
  readonly #code: WorkerCode;
  readonly assets: AssetUploads;
  /** Of the account, which they are bound to. */
  readonly stores: AccountStores;
  readonly tails = new WorkerTails({
    onChange: (name) => void this.#running.get(name)?.worker.follow(this.tails.isFollowed(name)),
  });
  readonly #folder: SocketFolder | undefined;
  readonly #running = new Map<string, RunningWorker>();
  readonly #changing = new Map<string, Promise<unknown>>();
  #ownListeners: readonly ForbiddenEndpoint[] = [];
  #isStopping = false;

  constructor(options: UploadedWorkersOptions) {
    this.#options = options;
    const { data } = options.config.settings;
    this.#code = new WorkerCode(data);
    this.assets = new AssetUploads(data, () => Date.now());
    this.stores = new AccountStores({ ...options, deliver: (name, batch) => this.#deliver(name, batch) });
    this.#folder = findObstacle(options.config) === undefined ? SocketFolder.open(data) : undefined;
  }

  /** Where the edge finds their sockets. */
  get sockets(): Readonly<Record<string, string>> {
    return this.#folder === undefined ? {} : { [otherSockets]: this.#folder.path };
  }

  get obstacle(): string | undefined {
    const { config } = this.#options;
    if (this.#isStopping) return 'the program is stopping';
    return config.settings.scriptUploads ? findObstacle(config) : 'the setting script_uploads is off';
  }

  get domain(): string | undefined {
    return this.#options.config.settings.workersDomain;
  }

  get takenNames(): readonly string[] {
    return Object.keys(this.#options.config.settings.workers);
  }

  urlOf(host: string): string {
    const { edge, edge_https: secure } = this.#options.findUrls();
    const { protocol, port } = new URL(secure ?? edge ?? 'https://localhost');
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  }

  /** Starts, replaces and stops Workers until those run that are deployed. Their code may never connect to the listeners. */
  async follow(
    deployed: readonly RunnableVersion[],
    ownListeners: readonly ForbiddenEndpoint[] = this.#ownListeners,
  ): Promise<void> {
    this.#ownListeners = ownListeners;
    if (this.#folder === undefined) return;
    const ids = new Set(deployed.map(({ workerId }) => workerId));
    const gone = [...this.#running].filter(([, { id }]) => !ids.has(id));
    await Promise.all(gone.map(([name, { id }]) => this.inTurn(name, () => this.remove({ id, name }))));
    this.#removeLeftovers(ids);
    await Promise.all(deployed.map((version) => this.inTurn(version.name, () => this.#run(version))));
  }

  /**
   * Runs what the account says is deployed, with its stores. What interrupted uploads have left is removed first. Called
   * before anything can be uploaded; resolves when everything runs, or does not.
   */
  async resume(control: Control, ownListeners: readonly ForbiddenEndpoint[]): Promise<void> {
    this.#code.dropAllBut(new Set(await control.listWorkerCode()));
    this.assets.dropAllBut(await control.listWorkerAssets());
    await Promise.all([
      this.follow(await control.readDeployedWorkers(), ownListeners),
      this.stores.resume(await control.readQueues()),
    ]);
  }

  inTurn<T>(name: string, change: () => Promise<T>): Promise<T> {
    const done = (this.#changing.get(name) ?? Promise.resolve()).then(change);
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#changing.get(name) === settled) this.#changing.delete(name);
      });
    this.#changing.set(name, settled);
    return done;
  }

  keepCode(code: ScriptCode): Promise<KeptCode> {
    return this.#code.keep(code);
  }

  readCode(digest: string): Promise<ScriptCode> {
    return this.#code.read(digest);
  }

  async dropCode(digests: readonly string[]): Promise<void> {
    this.#code.drop(digests);
  }

  async load(version: RunnableVersion): Promise<LoadedScript> {
    const running = this.#find(version);
    try {
      const loaded = takeHeld(running, version) ?? (await this.#loadAnew(running, version));
      return {
        exports: loaded.exports,
        loadMs: loaded.loadMs,
        switch: async () => {
          await loaded.switch().catch((error: unknown) => {
            throw explain(error);
          });
          running.versionId = version.version.id;
          running.door ??= await this.#openDoor(running);
        },
        hold: () => this.#hold(running, version, loaded),
        discard: async () => {
          if (running.held?.loaded !== loaded) await loaded.discard();
          await this.#forgetUnused(version.name);
        },
      };
    } catch (error) {
      await this.#forgetUnused(version.name);
      throw explain(error);
    }
  }

  async findCronProblem(cron: string): Promise<string | undefined> {
    // Most programs never need the code that runs Workers in this process.
    const { Cron } = await import('#workers');
    try {
      Cron.parse(cron);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  async setCrons(name: string, crons: readonly string[]): Promise<void> {
    await this.#running.get(name)?.worker.setCrons(crons);
  }

  async remove({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    if (this.#running.get(name)?.id === id) await this.#stop(name, { graceMs: 0 });
    rmSync(this.#directoryOf(id), { recursive: true, force: true });
  }

  async readMetrics(): Promise<readonly Metric[]> {
    const all = await Promise.all(Array.from(this.#running.values(), ({ worker }) => worker.readMetrics()));
    return all.flat();
  }

  /** Called before the edge closes: its connections to them carry what they say. */
  async retireSockets(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Array.from(this.#running.values(), ({ worker }) => worker.retireSockets(options)));
  }

  async stop(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    this.tails.close();
    await Promise.all(Array.from(this.#running.keys(), (name) => this.#stop(name, options)));
    await Promise.all(this.#changing.values());
    await this.stores.stop();
    this.#folder?.[Symbol.dispose]();
  }

  async #stop(name: string, options: { readonly graceMs: number }): Promise<void> {
    const running = this.#running.get(name)!;
    const { worker, socket, door } = running;
    this.#running.delete(name);
    dropHeld(running);
    await door?.close();
    await worker.stop(options);
    socket.close();
  }

  async #loadAnew({ worker }: RunningWorker, version: RunnableVersion): Promise<LoadedVersion> {
    return await worker.load({ number: version.number, script: await this.#toScript(version) });
  }

  /** Keeps the process of a version that was uploaded for a moment: Wrangler deploys it right after that. */
  #hold(running: RunningWorker, version: RunnableVersion, loaded: LoadedVersion): void {
    dropHeld(running);
    const timer = setTimeout(() => dropHeld(running), heldMs).unref();
    running.held = { key: JSON.stringify(version), loaded, timer };
  }

  /** Runs what is deployed, unless it runs already. */
  async #run(version: RunnableVersion): Promise<void> {
    const { log } = this.#options;
    const { name, number } = version;
    const running = this.#find(version);
    if (running.versionId === version.version.id) return;
    try {
      if (running.versionId === undefined) {
        running.versionId = version.version.id;
        await running.worker.start({ number, script: await this.#toScript(version) });
        running.door = await this.#openDoor(running);
      } else {
        const loaded = await this.load(version);
        await loaded.switch();
      }
      log.info('a Worker runs', { worker: name, version: number });
    } catch (error) {
      log.error('a Worker does not run; its requests cannot be answered', {
        worker: name,
        reason: (error as Error).message,
      });
    }
  }

  #find({ workerId: id, name }: Pick<RunnableVersion, 'workerId' | 'name'>): RunningWorker {
    const found = this.#running.get(name);
    if (found?.id === id) return found;
    if (this.#isStopping)
      throw fault(workerCodes.notUploadable, { fill: { reason: 'the program is stopping' } });
    const { settings } = this.#options.config;
    const { log } = this.#options;
    const directory = this.#directoryOf(id);
    claimDataDirectory(directory, 'Worker');
    const socket = BoundSocket.bindPath(workerSocketPath(this.#folder!.path, name));
    const worker = new UploadedWorker({
      name,
      directory,
      settings,
      // A process for each Worker is enough: there may be many.
      countObjectProcesses: () => 1,
      loadMsMax: Math.min(uploadLoadMsMax, settings.objectHostStuck),
      logsRequests: false,
      log,
      listeners: [{ kind: 'edge', socket }],
      edgeSockets: this.#folder!.path,
      isFollowed: () => this.tails.isFollowed(name),
      onCall: (text) => this.tails.publish(name, text),
      findStores: () => this.stores.place,
      ownListeners: this.#ownListeners,
    });
    const running: RunningWorker = {
      ...{ id, directory, socket, worker },
      ...{ versionId: undefined, held: undefined, door: undefined },
    };
    this.#running.set(name, running);
    return running;
  }

  /** A Worker whose first version was not deployed leaves nothing. */
  async #forgetUnused(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined || running.versionId !== undefined) return;
    await this.remove({ id: running.id, name });
  }

  /** Calls `queue()` of a Worker; undefined if it does not run. */
  async #deliver(name: string, batch: QueueBatch): Promise<QueueOutcome | undefined> {
    return await this.#running.get(name)?.worker.deliver(batch);
  }

  async #toScript({ codeDigest, name, workerId: _workerId, number: _number, ...version }: RunnableVersion) {
    const assets = version.assets && { ...this.assets.read(version.assets.manifest), ...version.assets };
    if (version.bindings.some(({ type }) => storeTypes.has(type))) await this.stores.open();
    return { name, ...version, ...(await this.#code.read(codeDigest)), assets };
  }

  #openDoor({ directory }: RunningWorker): Promise<PrivateListener | undefined> {
    const { log } = this.#options;
    return openDoor({
      directory,
      handlers: {},
      hasWorker: true,
      onError: (error) => log.error('a request of an operator failed', { error }),
      warn: (message) => log.warn(message),
    });
  }

  #directoryOf(id: string): string {
    return join(this.#options.config.settings.data, workersFolder, `${idMark}${id}`);
  }

  /** Objects of Workers that were deleted when the program ended. */
  #removeLeftovers(ids: ReadonlySet<string>): void {
    const folder = join(this.#options.config.settings.data, workersFolder);
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder)) {
      const isGone = name.startsWith(idMark) && !ids.has(name.slice(idMark.length));
      if (isGone) rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function takeHeld(running: RunningWorker, version: RunnableVersion): LoadedVersion | undefined {
  const { held } = running;
  if (held?.key !== JSON.stringify(version) || held.loaded.hasEnded) return undefined;
  clearTimeout(held.timer);
  running.held = undefined;
  return held.loaded;
}

function dropHeld(running: RunningWorker): void {
  const { held } = running;
  running.held = undefined;
  clearTimeout(held?.timer);
  void held?.loaded.discard();
}

/** Why no uploaded Worker can run; what was uploaded before runs on when uploads are switched off. */
function findObstacle({ settings }: Config): string | undefined {
  if (settings.cluster !== undefined || settings.clusterFile !== undefined)
    return 'uploaded Workers do not run in a cluster yet';
  return wantsEdge(settings)
    ? undefined
    : 'this server has no edge that requests could come from: set edge_port';
}

/** Why a version does not run, for those who uploaded it. */
function explain(error: unknown): unknown {
  const refuse = (reason: string): Fault => fault(workerCodes.invalid, { fill: { reason } });
  if (error instanceof LoadError)
    return refuse(error.isLate ? 'Script startup exceeded CPU time limit.' : error.message);
  return error instanceof DeployError ? refuse(error.message) : error;
}
