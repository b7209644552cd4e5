/** The Workers that were uploaded to an account, and its stores, with their settings. */
import type { AccountContext } from '../context/handler.ts';
import { ControlObject } from './control-object.ts';
import {
  commitWorker,
  configureWorker,
  hostWorker,
  isHostChanged,
  isUnchanged,
  removeWorker,
  scheduleWorker,
  type WorkerContent,
  type WorkerHosting,
  type WorkerInitiator,
} from '../operations/workers/commit-worker.ts';
import { putStore, removeStore } from '../operations/stores/commit-store.ts';
import { type StoreKind, StoreRegistry, type StoreRow } from '../stores/stores.ts';
import {
  type RouteRow,
  type VersionRow,
  type WorkerCommit,
  type WorkerRow,
  type WorkerState,
  WorkerStore,
} from '../stores/workers.ts';

/** A host takes less than this to put a version in force; if it dies meanwhile, it blocks others for this long. */
const changeMsMax = 120_000;

export abstract class WorkerAccount extends ControlObject<AccountContext> {
  /**
   * By the name of a Worker: the change that is putting a version of it in force. After a restart only the basis
   * decides.
   */
  readonly #changing = new Map<string, { readonly change: string; readonly untilMs: number }>();

  get #workers(): WorkerStore {
    return new WorkerStore(this.ctx.storage.sql);
  }

  countWorkers(): number {
    return this.#workers.list().length;
  }

  readWorker(name: string): WorkerState | undefined {
    return this.#workers.read(name);
  }

  listWorkerStates(): WorkerState[] {
    return this.#workers.list().map(({ name }) => this.#workers.read(name)!);
  }

  listWorkerCode(): string[] {
    return this.#workers.listCode();
  }

  listWorkerAssets(): string[] {
    return this.#workers.listAssets();
  }

  /** Finds the name of a Worker by its name or id. */
  findWorkerName(nameOrId: string): string | undefined {
    return this.#workers.findName(nameOrId);
  }

  /** The routes to a Worker, and the time of its last deployment. */
  describeWorker(name: string): { readonly domains: RouteRow[]; readonly deployedAtMs: number | undefined } {
    const store = this.#workers;
    return {
      domains: store.listRoutes().filter(({ worker, isDomain }) => isDomain && worker === name),
      deployedAtMs: store.listDeployments(name)[0]?.createdAtMs,
    };
  }

  /**
   * Sets the properties of a Worker that do not belong to a version; with a row, adds the Worker. False if that is
   * impossible.
   */
  configureWorker(by: WorkerInitiator, content: WorkerContent, added?: WorkerRow): boolean {
    let isDone = false;
    this.perform(by, (context) => void (isDone = configureWorker(context, content, added)));
    return isDone;
  }

  /** Newest first. */
  listWorkerVersions(name: string): VersionRow[] {
    return this.#workers.listVersions(name);
  }

  readWorkerVersion(name: string, id: string): VersionRow | undefined {
    return this.#workers.getVersion(name, id);
  }

  /**
   * Whether a change may put its versions in force: no other change is doing so, and the Workers have not changed since
   * it started. Two hosts of a cluster that both switched would take the objects from each other.
   */
  reserveWorkers(change: string, commits: readonly WorkerCommit[]): boolean {
    const nowMs = Date.now();
    const names = commits.map(({ worker }) => worker.name);
    const isOthers = (name: string): boolean => {
      const holder = this.#changing.get(name);
      return holder !== undefined && holder.change !== change && holder.untilMs > nowMs;
    };
    if (names.some(isOthers) || !commits.every((commit) => isUnchanged(this.#workers, commit))) return false;
    for (const name of names) this.#changing.set(name, { change, untilMs: nowMs + changeMsMax });
    return true;
  }

  releaseWorkers(change: string): void {
    for (const [name, holder] of this.#changing) if (holder.change === change) this.#changing.delete(name);
  }

  /**
   * Stores changes of several Workers, all or none. Returns the digests of code that no version uses any more;
   * undefined if another change came first.
   */
  commitWorkers(by: WorkerInitiator, changes: readonly WorkerCommit[]): string[] | undefined {
    if (!changes.every((change) => isUnchanged(this.#workers, change))) return undefined;
    let unused: string[] = [];
    this.perform(by, (context) => {
      unused = changes.flatMap((change) => commitWorker(context, change));
    });
    return unused;
  }

  /** Adds or removes a Worker's own host name. */
  hostWorker(by: WorkerInitiator, host: WorkerHosting): void {
    if (isHostChanged(this.#workers, host)) this.perform(by, (context) => hostWorker(context, host));
  }

  /** Sets the schedule of a Worker; undefined if there is no Worker of that name. */
  scheduleWorker(
    by: WorkerInitiator,
    name: string,
    crons: readonly string[],
  ): WorkerRow['crons'] | undefined {
    if (this.#workers.get(name) === undefined) return undefined;
    let set: WorkerRow['crons'] = [];
    this.perform(by, (context) => void (set = scheduleWorker(context, name, crons)));
    return set;
  }

  /** Returns the digests of code that no version uses any more. */
  removeWorker(by: WorkerInitiator, name: string): string[] {
    let unused: string[] = [];
    this.perform(by, (context) => void (unused = removeWorker(context, name)));
    return unused;
  }

  get #stores(): StoreRegistry {
    return new StoreRegistry(this.ctx.storage.sql);
  }

  listStores(kind: StoreKind): StoreRow[] {
    return this.#stores.list(kind);
  }

  getStore(kind: StoreKind, id: string): StoreRow | undefined {
    return this.#stores.get(kind, id);
  }

  /** Adds or changes a store; false if another store has its name. */
  putStore(by: WorkerInitiator, row: StoreRow): boolean {
    if (this.#stores.isTaken(row)) return false;
    this.perform(by, (context) => putStore(context, row));
    return true;
  }

  removeStore(by: WorkerInitiator, kind: StoreKind, id: string): void {
    if (this.#stores.get(kind, id) !== undefined)
      this.perform(by, (context) => removeStore(context, kind, id));
  }
}
