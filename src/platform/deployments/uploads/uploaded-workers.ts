/**
 * Runs uploaded Workers. Each has a process of its own, which only the edge can reach, through a socket of the file
 * system, and a directory for its objects. The account holds the deployments; this class only applies them.
 *
 * In a cluster, every host runs every Worker. Their objects are in the database, where versions exclude each other: a
 * host that deploys one first makes the others stop theirs, and they then run the version in the account.
 *
 * If a Worker does not start, the others and the program still do: its requests get 502 until it starts.
 */
import { type Log, otherSockets } from '#base';
import { Turns } from '#work';
import type { ForbiddenEndpoint } from '#outbound';
import type { Cluster } from '#cluster';
import { fault, workerCodes } from '#contract';
import type {
  Control,
  KeptCode,
  LoadedVersion,
  ObjectTransfer,
  RunnableVersion,
  ScriptCode,
  WorkerHost,
  WorkerSite,
} from '#control';
import type { HostsPlace } from '#hosts';
import type { Metric } from '#metrics';
import type { ObjectRuntime } from '#objects';
import type { CompleteVersion, QueueBatch, QueueOutcome } from '../worker-messages.ts';
import { AssetUploads } from './asset-uploads.ts';
import { AccountFollower } from './clustered/account-follower.ts';
import type { ClusterPlaces } from './clustered/cluster-place.ts';
import { SharedFiles } from './clustered/shared-files.ts';
import { WorkerPeers } from './clustered/worker-peers.ts';
import { completeVersion } from './complete-version.ts';
import { explainFailure, RunningWorker } from './running-worker.ts';
import { describePart, type WorkerSettings } from '../served-worker.ts';
import { SocketFolder } from './socket-folder.ts';
import { findWorker, type MoveInSource, moveInObjects } from './objects/move-in-objects.ts';
import type { TransferPlaces } from './objects/open-asleep.ts';
import { removeLeftovers } from './objects/remove-leftovers.ts';
import { transferObjects } from './objects/transfer-objects.ts';
import { WorkerCode } from './worker-code.ts';
import { WorkerDirectories } from './worker-directories.ts';
import { WorkerTails } from './worker-tails.ts';

/** The account, as this room reads it. */
type DeployedAccount = Pick<
  Control,
  | 'findClassKey'
  | 'listWorkerAssets'
  | 'listWorkerCode'
  | 'listWorkerIds'
  | 'readDeployedWorkers'
  | 'readQueues'
>;

/** The stores of the account, to which Workers are bound. */
interface BoundStores {
  /** The place at which Workers reach them; undefined until they are open. */
  readonly place: HostsPlace | undefined;
  open(): Promise<Pick<ObjectRuntime, 'namespace'>>;
  useConsumers(queues: readonly { readonly name: string; readonly script: string | undefined }[]): void;
}

export interface UploadedWorkersOptions {
  /** The data directory of the program. */
  readonly data: string;
  readonly settings: WorkerSettings;
  readonly site: WorkerSite;
  /** Whether there is an edge: no other client can reach them. */
  readonly hasEdge: boolean;
  readonly log: Log;
  /** Receives the reason why a Worker does not run. */
  readonly outOfService: {
    note(part: string, error: unknown, isOver: () => boolean): void;
    clear(part: string): void;
  };
  /** Marks a directory as that of a Worker; throws if it has other content. */
  readonly claim: (directory: string) => void;
  readonly stores: BoundStores;
  /** The cluster that this program is a host of, and the place of the objects of Workers in it. */
  readonly cluster: Cluster | undefined;
  readonly places: ClusterPlaces | undefined;
}

export class UploadedWorkers implements WorkerHost {
  readonly #options: UploadedWorkersOptions;
  readonly #code: WorkerCode;
  readonly directories: WorkerDirectories;
  readonly assets: AssetUploads;
  readonly tails = new WorkerTails({
    onChange: (name) => {
      this.#notifyFollowed(name);
      void this.#peers?.notifyFollowed();
    },
  });
  readonly #peers: WorkerPeers | undefined;
  #account: DeployedAccount | undefined;
  readonly #folder: SocketFolder | undefined;
  readonly #running = new Map<string, RunningWorker>();
  readonly #turns = new Turns();
  readonly #follower: AccountFollower;
  #ownListeners: readonly ForbiddenEndpoint[] = [];
  #isStopping = false;

  constructor(options: UploadedWorkersOptions) {
    const { data, log, stores, places, cluster, hasEdge, claim } = options;
    this.#options = options;
    this.#follower = new AccountFollower((asked) => this.#followAccount(asked), log);
    const share = (folder: string): SharedFiles | undefined =>
      places && new SharedFiles(() => stores.open(), folder);
    this.directories = new WorkerDirectories(data, { log, claim });
    this.#code = new WorkerCode(data, share('code'));
    this.assets = new AssetUploads(data, share('assets'));
    this.#peers = cluster && this.#meet(cluster);
    if (hasEdge) this.#folder = SocketFolder.open(data);
  }

  get site(): WorkerSite {
    return this.#options.site;
  }

  get sockets(): Readonly<Record<string, string>> {
    return this.#folder === undefined ? {} : { [otherSockets]: this.#folder.path };
  }

  get obstacle(): string | undefined {
    return this.#isStopping ? 'the program is stopping' : this.site.obstacle;
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
      (await this.#account?.readDeployedWorkers()) ?? deployed;
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
   * Runs the deployed versions of the account. Remains of interrupted uploads are deleted first.
   * Called before anything can be uploaded; resolves when every Worker runs or has failed. Their code may never connect
   * to the listeners.
   */
  async resume(account: DeployedAccount, ownListeners: readonly ForbiddenEndpoint[]): Promise<void> {
    this.#account = account;
    this.#ownListeners = ownListeners;
    const { assets, directories } = this;
    const { settings, cluster, log } = this.#options;
    await removeLeftovers(
      account,
      { historyDays: settings.historyDays, isClustered: cluster !== undefined, log },
      { code: this.#code, assets, directories },
    );
    await this.follow(await account.readDeployedWorkers());
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

  /** Calls `queue()` of a Worker; undefined if it is not running. */
  async deliver(name: string, batch: QueueBatch): Promise<QueueOutcome | undefined> {
    return await this.#running.get(name)?.deliver(batch);
  }

  async load(version: RunnableVersion): Promise<LoadedVersion> {
    const running = this.#find(version);
    try {
      const loaded = await running.load(version, () => this.#complete(version));
      return {
        exports: loaded.exports,
        loadMs: loaded.loadMs,
        switch: async () => {
          if (version.classes.length > 0) await this.#peers?.pause(version.name);
          await running.switchTo(loaded, this.#ownCrons(version.crons)).catch(async (error: unknown) => {
            await this.spread();
            throw explainFailure(error);
          });
        },
        hold: () => running.hold(version, loaded),
        discard: async () => {
          await running.discard(loaded);
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
    await transferObjects(transfer, this.#transferPlaces);
  }

  /** Moves the objects of a standalone Worker into an uploaded one, whose requests wait meanwhile. */
  async moveIn(name: string, source: MoveInSource): ReturnType<typeof moveInObjects> {
    return await this.inTurn(name, async () => {
      const deployed = (await this.#account?.readDeployedWorkers()) ?? [];
      const worker = findWorker(deployed, name, this.obstacle);
      try {
        await this.#pause(name);
        using _paused = await this.#peers?.keepPaused([name]);
        return await moveInObjects(worker, source, this.#transferPlaces);
      } finally {
        await this.resumeWaiting([name]);
        await this.spread();
      }
    });
  }

  async resumeWaiting(names: readonly string[]): Promise<void> {
    const deployed = (await this.#account?.readDeployedWorkers()) ?? [];
    await Promise.all(deployed.filter(({ name }) => names.includes(name)).map((each) => this.#run(each)));
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
    await this.#running.get(name)?.setCrons(this.#ownCrons(crons));
  }

  async remove(worker: { readonly id: string; readonly name: string }): Promise<void> {
    await this.#stopHere(worker);
    this.directories.remove(worker.id);
    await this.#options.places?.removeWorker(worker.id, this.#options.log);
  }

  /** In a cluster, all hosts share the objects, and local ones are deleted. */
  async #stopHere({ id, name }: { readonly id: string; readonly name: string }): Promise<void> {
    if (this.#running.get(name)?.id === id) await this.#stop(name, { graceMs: 0 });
    this.#options.outOfService.clear(describePart(name));
    if (this.#options.places !== undefined) this.directories.remove(id);
  }

  async readMetrics(): Promise<readonly Metric[]> {
    const all = Array.from(this.#running.values(), (running) => running.readMetrics());
    return (await Promise.all(all)).flat();
  }

  /** Called before the edge closes: the messages travel over its connections to them. */
  async retireSockets(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    await Promise.all(Array.from(this.#running.values(), (running) => running.retireSockets(options)));
  }

  async stop(options: { readonly graceMs: number }): Promise<void> {
    this.#isStopping = true;
    this.tails.close();
    this.#peers?.[Symbol.dispose]();
    await Promise.all(Array.from(this.#running.keys(), (name) => this.#stop(name, options)));
    await this.#turns.settle();
    this.#folder?.[Symbol.dispose]();
  }

  async #stop(name: string, options: { readonly graceMs: number }): Promise<void> {
    const running = this.#running.get(name)!;
    this.#running.delete(name);
    await running.stop(options);
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
      if (running.runs(version)) return await this.setCrons(name, version.crons);
      await running.run(version, () => this.#complete(version));
      outOfService.clear(describePart(name));
      log.info('a Worker is running', { worker: name, version: number });
    } catch (error) {
      const isRunning = (): boolean => this.#running.get(name)?.isRunning === true;
      outOfService.note(describePart(name), error, isRunning);
      if (this.#peers === undefined && isRunning()) return;
      // The obstacle may disappear: other hosts of a cluster, or damage.
      const again = this.#follower.later();
      running?.waitFor(again);
    }
  }

  /** Whether this version is running, with this schedule. */
  #isCurrent(version: RunnableVersion): boolean {
    const running = this.#running.get(version.name);
    return running?.runs(version) === true && running.hasSchedule(this.#ownCrons(version.crons));
  }

  #find({ workerId: id, name }: Pick<RunnableVersion, 'workerId' | 'name'>): RunningWorker {
    const found = this.#running.get(name);
    if (found?.id === id) return found;
    if (this.#isStopping)
      throw fault(workerCodes.notUploadable, { fill: { reason: 'the program is stopping' } });
    const { settings, log, stores, places } = this.#options;
    const running = new RunningWorker({
      ...{ id, name, settings, log },
      directory: this.directories.claim(id),
      sockets: this.#folder!.path,
      isFollowed: () => this.#isFollowed(name),
      onCall: (text) => {
        this.tails.publish(name, text);
        this.#peers?.publish(name, text);
      },
      findCluster: (versionId) => places?.ofWorker(id, versionId),
      findStores: () => stores.place,
      ownListeners: this.#ownListeners,
      openDoor: (directory) => this.directories.openDoor(directory),
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
    if (!this.#isStopping) await this.#running.get(name)?.pause(() => this.#follower.later());
  }

  /**
   * Runs the current deployments of the account. A version that makes room for another one waits, unless a caller
   * requests it: the account may not have the other one yet.
   */
  async #followAccount({ isAsked }: { readonly isAsked: boolean }): Promise<void> {
    if (this.#isStopping || this.#account === undefined) return;
    const deployed = await this.#account.readDeployedWorkers();
    await this.follow(
      deployed,
      (version) => isAsked || this.#running.get(version.name)?.makesRoom(version) !== true,
    );
    this.#options.stores.useConsumers((await this.#account.readQueues()) ?? []);
  }

  #isFollowed(name: string): boolean {
    return this.tails.isFollowed(name) || this.#peers?.isFollowed(name) === true;
  }

  #notifyFollowed(name: string): void {
    void this.#running.get(name)?.follow(this.#isFollowed(name));
  }

  /** Deletes a Worker whose first version was never deployed. */
  async #forgetUnused(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running === undefined || running.hasStarted) return;
    // It may already have another Worker's objects, although it did not start.
    const known = await this.#account?.readDeployedWorkers().catch(() => undefined);
    if (known === undefined || known.some(({ workerId }) => workerId === running.id)) return;
    await this.remove({ id: running.id, name });
  }

  get #transferPlaces(): TransferPlaces {
    const { places, log } = this.#options;
    return { directories: this.directories, places, log };
  }

  #complete(version: RunnableVersion): Promise<CompleteVersion> {
    return completeVersion(
      { ...version, crons: this.#ownCrons(version.crons) },
      {
        code: this.#code,
        assets: this.assets,
        openStores: () => this.#options.stores.open(),
        control: this.#account,
      },
    );
  }
}
