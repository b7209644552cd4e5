/**
 * Runs uploaded Workers. Each has a process of its own, which only the edge can reach, through a socket of the file
 * system, and a directory for its objects. The account holds the deployments; this class only applies them.
 *
 * In a cluster, every host runs every Worker. Their objects are in the database, where versions exclude each other: a
 * host that deploys one first makes the others stop theirs, and they then run the version in the account.
 *
 * If a Worker does not start, the others and the program still do: its requests get 502 until it starts.
 */
import { type Log, otherSockets, Turns } from '#base';
import type { ForbiddenEndpoint } from '#outbound';
import type { Cluster } from '#cluster';
import { fault, workerCodes } from '#contract';
import type {
  Control,
  KeptCode,
  LoadedScript,
  ObjectTransfer,
  RunnableVersion,
  ScriptCode,
  WorkerHost,
} from '#control';
import type { LoadedVersion } from '#deployments';
import type { Metric } from '#metrics';
import type { OutOfService } from '../out-of-service.ts';
import { AssetUploads } from './asset-uploads.ts';
import { AccountStores } from './account-stores.ts';
import { AccountFollower } from './clustered/account-follower.ts';
import { ClusterPlaces } from './clustered/cluster-place.ts';
import { SharedFiles } from './clustered/shared-files.ts';
import { WorkerPeers } from './clustered/worker-peers.ts';
import {
  dropHeld,
  endPause,
  explainFailure,
  findCronProblem,
  holdVersion,
  isCurrent,
  isWaiting,
  openRunning,
  type RunningWorker,
  takeHeld,
} from './running-worker.ts';
import { SocketFolder } from './socket-folder.ts';
import { findWorker, type MoveInSource, moveInObjects } from './objects/move-in-objects.ts';
import { removeLeftovers } from './objects/remove-leftovers.ts';
import { transferObjects } from './objects/transfer-objects.ts';
import { WorkerCode } from './worker-code.ts';
import { WorkerDirectories } from './worker-directories.ts';
import { readScript } from './worker-script.ts';
import { describePart, findObstacle, WorkerSite, type WorkerSiteOptions } from './worker-site.ts';
import { WorkerTails } from './worker-tails.ts';

export interface UploadedWorkersOptions extends WorkerSiteOptions {
  readonly log: Log;
  readonly outOfService: OutOfService;
  /** The cluster that this program is a host of. */
  readonly cluster?: Cluster | undefined;
}

export class UploadedWorkers extends WorkerSite implements WorkerHost {
  readonly #options: UploadedWorkersOptions;
  readonly #code: WorkerCode;
  readonly directories: WorkerDirectories;
  readonly assets: AssetUploads;
  /** The stores of the account, to which they are bound. */
  readonly stores: AccountStores;
  readonly tails = new WorkerTails({
    onChange: (name) => {
      this.#notifyFollowed(name);
      void this.#peers?.notifyFollowed();
    },
  });
  readonly #places: ClusterPlaces | undefined;
  readonly #peers: WorkerPeers | undefined;
  #control: Control | undefined;
  readonly #folder: SocketFolder | undefined;
  readonly #running = new Map<string, RunningWorker>();
  readonly #turns = new Turns();
  readonly #follower: AccountFollower;
  #ownListeners: readonly ForbiddenEndpoint[] = [];
  #isStopping = false;

  constructor(options: UploadedWorkersOptions) {
    super(options);
    this.#options = options;
    this.#follower = new AccountFollower((asked) => this.#followAccount(asked), options.log);
    const { data } = options.config.settings;
    this.#places = ClusterPlaces.read(options.config);
    const share = (folder: string): SharedFiles | undefined =>
      this.#places && new SharedFiles(() => this.stores.open(), folder);
    this.directories = new WorkerDirectories(data, options.log);
    this.#code = new WorkerCode(data, share('code'));
    this.assets = new AssetUploads(data, { now: () => Date.now(), shared: share('assets') });
    this.stores = new AccountStores({
      ...options,
      places: this.#places,
      deliver: async (name, batch) => await this.#running.get(name)?.worker.deliver(batch),
    });
    this.#peers = options.cluster && this.#meet(options.cluster);
    if (findObstacle(options.config) === undefined) this.#folder = SocketFolder.open(data);
  }

  get sockets(): Readonly<Record<string, string>> {
    return this.#folder === undefined ? {} : { [otherSockets]: this.#folder.path };
  }

  override get obstacle(): string | undefined {
    return this.#isStopping ? 'the program is stopping' : super.obstacle;
  }

  /** Starts, replaces and stops Workers until the deployed versions are running. */
  async follow(
    deployed: readonly RunnableVersion[],
    isWanted: (version: RunnableVersion) => boolean = () => true,
  ): Promise<void> {
    if (this.#folder === undefined) return;
    const isDeployed = ({ id }: RunningWorker, now: typeof deployed): boolean =>
      now.some(({ workerId }) => workerId === id);
    // Read again in its turn: an earlier change at this host may have changed it.
    const read = async (): Promise<readonly RunnableVersion[]> =>
      (await this.#control?.readDeployedWorkers()) ?? deployed;
    const gone = [...this.#running].filter(([, running]) => !isDeployed(running, deployed));
    const changed = deployed.filter((version) => !this.#isCurrent(version) && isWanted(version));
    await Promise.all([
      ...gone.map(([name, running]) =>
        this.inTurn(name, async () => {
          if (!isDeployed(running, await read())) await this.#stopHere({ id: running.id, name });
        }),
      ),
      ...changed.map(({ name }) =>
        this.inTurn(name, async () => {
          for (const version of await read()) if (version.name === name) await this.#run(version);
        }),
      ),
    ]);
  }

  /**
   * Runs the deployed versions of the account, with its stores. Remains of interrupted uploads are deleted first.
   * Called before anything can be uploaded; resolves when every Worker runs or has failed. Their code may never connect
   * to the listeners.
   */
  async resume(control: Control, ownListeners: readonly ForbiddenEndpoint[]): Promise<void> {
    this.#control = control;
    this.#ownListeners = ownListeners;
    const { assets, directories } = this;
    await removeLeftovers({ control, ...this.#options }, { code: this.#code, assets, directories });
    const deployed = await control.readDeployedWorkers();
    await Promise.all([this.follow(deployed), this.stores.resume(await control.readQueues())]);
    this.#folder?.noteStarted();
  }

  onAccountChange(): void {
    if (this.#peers !== undefined) this.#follower.soon({ isAsked: false });
  }

  async spread(): Promise<void> {
    if (this.#peers === undefined) return;
    // Another host's changes must be applied here, too; not awaited, because a change is in progress.
    this.#follower.soon({ isAsked: false });
    await this.#peers.follow();
  }

  inTurn<T>(name: string, change: () => Promise<T>): Promise<T> {
    return this.#turns.take(name, change);
  }

  keepCode(code: ScriptCode): Promise<KeptCode> {
    return this.#code.keep(code);
  }

  readCode(digest: string): Promise<ScriptCode> {
    return this.#code.read(digest);
  }

  async dropCode(digests: readonly string[]): Promise<void> {
    await this.#code.drop(digests);
  }

  async load(version: RunnableVersion): Promise<LoadedScript> {
    const running = this.#find(version);
    try {
      const loaded = takeHeld(running, version) ?? (await this.#loadAnew(running, version));
      return {
        exports: loaded.exports,
        loadMs: loaded.loadMs,
        switch: async () => {
          if (version.classes.length > 0) await this.#peers?.pause(version.name);
          await loaded.switch().catch(async (error: unknown) => {
            await this.spread();
            throw explainFailure(error);
          });
          endPause(running);
          running.versionId = version.version.id;
          running.crons = this.#ownCrons(version.crons).join();
          running.door ??= await this.directories.openDoor(running.directory);
        },
        hold: () => holdVersion(running, version, loaded),
        discard: async () => {
          if (running.held?.loaded !== loaded) await loaded.discard();
          await this.#forgetUnused(version.name);
        },
      };
    } catch (error) {
      await this.#forgetUnused(version.name);
      throw explainFailure(error);
    }
  }

  async transfer(transfer: ObjectTransfer): Promise<void> {
    const names = [transfer.from.name, transfer.to.name];
    await Promise.all(names.map((name) => this.#pause(name)));
    using _paused = await this.#peers?.keepPaused(names);
    const { log } = this.#options;
    await transferObjects(transfer, { directories: this.directories, places: this.#places, log });
  }

  /** Moves the objects of a standalone Worker into an uploaded one, whose requests wait meanwhile. */
  async moveIn(name: string, source: MoveInSource): ReturnType<typeof moveInObjects> {
    return await this.inTurn(name, async () => {
      const deployed = (await this.#control?.readDeployedWorkers()) ?? [];
      const worker = findWorker(deployed, name, this.obstacle);
      try {
        await this.#pause(name);
        using _paused = await this.#peers?.keepPaused([name]);
        const places = { directories: this.directories, places: this.#places, log: this.#options.log };
        return await moveInObjects(worker, source, places);
      } finally {
        await this.resumeWaiting([name]);
        await this.spread();
      }
    });
  }

  async resumeWaiting(names: readonly string[]): Promise<void> {
    const deployed = (await this.#control?.readDeployedWorkers()) ?? [];
    await Promise.all(deployed.filter(({ name }) => names.includes(name)).map((each) => this.#run(each)));
  }

  readonly findCronProblem = findCronProblem;

  async setCrons(name: string, crons: readonly string[]): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined) return;
    running.crons = this.#ownCrons(crons).join();
    await running.worker.setCrons(this.#ownCrons(crons));
  }

  async remove(worker: { readonly id: string; readonly name: string }): Promise<void> {
    await this.#stopHere(worker);
    this.directories.remove(worker.id);
    await this.#places?.removeWorker(worker.id, this.#options.log);
  }

  /** In a cluster, all hosts share the objects, and local ones are deleted. */
  async #stopHere({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    if (this.#running.get(name)?.id === id) await this.#stop(name, { graceMs: 0 });
    this.#options.outOfService.clear(describePart(name));
    if (this.#places !== undefined) this.directories.remove(id);
  }

  async readMetrics(): Promise<readonly Metric[]> {
    const all = Array.from(this.#running.values(), ({ worker }) => worker.readMetrics());
    return (await Promise.all(all)).flat();
  }

  /** Called before the edge closes: the messages travel over its connections to them. */
  async retireSockets(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Array.from(this.#running.values(), ({ worker }) => worker.retireSockets(options)));
  }

  async stop(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    this.tails.close();
    this.#peers?.[Symbol.dispose]();
    await Promise.all(Array.from(this.#running.keys(), (name) => this.#stop(name, options)));
    await this.#turns.settle();
    await this.stores.stop();
    this.#folder?.[Symbol.dispose]();
  }

  async #stop(name: string, options: { readonly graceMs: number }): Promise<void> {
    const running = this.#running.get(name)!;
    const { worker, socket, door } = running;
    this.#running.delete(name);
    endPause(running);
    dropHeld(running);
    await door?.close();
    await worker.stop(options);
    socket.close();
  }

  async #loadAnew({ worker }: RunningWorker, version: RunnableVersion): Promise<LoadedVersion> {
    return await worker.load({ number: version.number, script: await this.#readScript(version) });
  }

  /** Runs the deployed version, unless it is already running. */
  async #run(version: RunnableVersion): Promise<void> {
    const { log, outOfService } = this.#options;
    const { name, number } = version;
    if (this.#isCurrent(version)) return;
    let running: RunningWorker | undefined;
    try {
      running = this.#find(version);
      if (version.obstacle !== undefined) throw version.obstacle;
      if (running.versionId === version.version.id && running.paused === undefined)
        return await this.setCrons(name, version.crons);
      if (running.versionId === undefined || running.paused !== undefined) {
        endPause(running);
        running.versionId = version.version.id;
        await running.worker.start({ number, script: await this.#readScript(version) });
        running.door ??= await this.directories.openDoor(running.directory);
      } else {
        const loaded = await this.#loadAnew(running, version);
        await loaded.switch();
        running.versionId = version.version.id;
      }
      running.crons = this.#ownCrons(version.crons).join();
      outOfService.clear(describePart(name));
      log.info('a Worker is running', { worker: name, version: number });
    } catch (error) {
      const isRunning = (): boolean => this.#running.get(name)?.worker.isRunning === true;
      outOfService.note(describePart(name), error, isRunning);
      if (this.#peers === undefined && isRunning()) return;
      // The obstacle may disappear: other hosts of a cluster, or damage.
      const again = this.#follower.later();
      if (running !== undefined) running.paused = again;
    }
  }

  /** Whether this version is running, with this schedule. */
  #isCurrent(version: RunnableVersion): boolean {
    return isCurrent(this.#running.get(version.name), { ...version, crons: this.#ownCrons(version.crons) });
  }

  #find({ workerId: id, name }: Pick<RunnableVersion, 'workerId' | 'name'>): RunningWorker {
    const found = this.#running.get(name);
    if (found?.id === id) return found;
    if (this.#isStopping)
      throw fault(workerCodes.notUploadable, { fill: { reason: 'the program is stopping' } });
    const { config, log } = this.#options;
    const running = openRunning({
      ...{ id, name, config, log },
      directory: this.directories.claim(id),
      sockets: this.#folder!.path,
      isFollowed: () => this.#isFollowed(name),
      onCall: (text) => {
        this.tails.publish(name, text);
        this.#peers?.publish(name, text);
      },
      findCluster: (versionId) => this.#places?.ofWorker(id, versionId),
      findStores: () => this.stores.place,
      ownListeners: this.#ownListeners,
    });
    this.#running.set(name, running);
    return running;
  }

  /** In a cluster, only one host fires crons. */
  #ownCrons(crons: readonly string[]): readonly string[] {
    return this.#peers?.isFirst === false ? [] : crons;
  }

  #meet(cluster: Cluster): WorkerPeers {
    return new WorkerPeers({
      cluster,
      pause: (name) => this.#pause(name),
      follow: () => this.#followAccount({ isAsked: true }),
      listFollowed: () => this.tails.listFollowed(),
      onFirst: () => this.#follower.soon({ isAsked: false }),
      onFollowed: (names) => names.forEach((name) => this.#notifyFollowed(name)),
      publish: (name, text) => this.tails.publish(name, text),
    });
  }

  /** Another host deploys a version: awaits its notification, or a timeout, then runs the version in the account. */
  async #pause(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined || this.#isStopping) return;
    endPause(running);
    running.paused = this.#follower.later();
    await running.worker.pause();
  }

  /**
   * Runs the current deployments of the account. A version that makes room for another one waits, unless a caller
   * requests it: the account may not have the other one yet.
   */
  async #followAccount({ isAsked }: { readonly isAsked: boolean }): Promise<void> {
    if (this.#isStopping || this.#control === undefined) return;
    const deployed = await this.#control.readDeployedWorkers();
    await this.follow(deployed, (version) => isAsked || !isWaiting(this.#running.get(version.name), version));
    this.stores.useConsumers((await this.#control.readQueues()) ?? []);
  }

  #isFollowed(name: string): boolean {
    return this.tails.isFollowed(name) || this.#peers?.isFollowed(name) === true;
  }

  #notifyFollowed(name: string): void {
    void this.#running.get(name)?.worker.follow(this.#isFollowed(name));
  }

  /** Deletes a Worker whose first version was never deployed. */
  async #forgetUnused(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined || running.versionId !== undefined) return;
    // It may already have another Worker's objects, although it did not start.
    const known = await this.#control?.readDeployedWorkers().catch(() => undefined);
    if (known === undefined || known.some(({ workerId }) => workerId === running.id)) return;
    await this.remove({ id: running.id, name });
  }

  #readScript(version: RunnableVersion): ReturnType<typeof readScript> {
    const parts = { assets: this.assets, stores: this.stores, code: this.#code, control: this.#control };
    return readScript({ ...version, crons: this.#ownCrons(version.crons) }, parts);
  }
}
