/**
 * Uploaded Workers as rows of the account's database: their settings, their versions, the deployed one, and their
 * routes. The code of a version is a file named by its digest; its secrets are sealed.
 */
import type { WorkerRoute } from '#firewall';
import type { ScriptAssets, ScriptBinding, ScriptClass } from '../context/worker-host.ts';
import { added, flag, json, nullable, text, whole } from '../context/tables/columns.ts';
import type { Sql } from '../context/tables/sql.ts';
import { type RowOf, Table } from '../context/tables/table.ts';
import { workerDeploymentsKept, workerVersionsKept } from '../context/limits.ts';

/** Settings that do not belong to a version; they are stored and shown. */
export interface ScriptSettings {
  readonly tags: readonly string[];
  readonly logpush: boolean;
  readonly observability: unknown;
  readonly tailConsumers: unknown;
}

export const noScriptSettings: ScriptSettings = {
  tags: [],
  logpush: false,
  observability: null,
  tailConsumers: null,
};

/** Settings that are not sent stay as they are. */
export function changeSettings(
  before: ScriptSettings,
  sent: { readonly [Name in keyof ScriptSettings]: ScriptSettings[Name] | undefined },
): ScriptSettings {
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return { ...before, ...(Object.fromEntries(given) as Partial<ScriptSettings>) };
}

const workerTable = new Table('workers', {
  key: ['name'],
  columns: {
    name: text(),
    id: text({ isUnique: true }),
    createdAtMs: whole(),
    modifiedAtMs: whole(),
    /** The number of the newest version, counting all that ever existed. */
    versionCount: whole(),
    migrationTag: nullable(text()),
    classes: json<readonly ScriptClass[]>(),
    /** All storage keys ever used, including those of deleted classes: none of them is reused. */
    classKeys: json<readonly string[]>(),
    crons: json<readonly { readonly cron: string; readonly createdAtMs: number }[]>(),
    /** Its own host name, if it has one. */
    host: nullable(text()),
    hasPreviews: flag(),
    settings: json<ScriptSettings>(),
  },
  order: 'name',
});

const versionTable = new Table('worker_versions', {
  columns: {
    id: text(),
    worker: text(),
    number: whole(),
    createdAtMs: whole(),
    author: text(),
    source: text(),
    annotations: json<Readonly<Record<string, string>>>(),
    codeDigest: text(),
    main: text(),
    compatibilityDate: nullable(text()),
    compatibilityFlags: json<readonly string[]>(),
    /** Bindings of secrets have no text. */
    bindings: json<readonly ScriptBinding[]>(),
    /** Texts of secrets by name, as JSON. */
    sealedSecrets: text(),
    handlers: json<readonly string[]>(),
    exportedClasses: json<readonly string[]>(),
    /** Limits and placement as they were sent: they are stored to be shown again. */
    runtime: json<{ readonly limits: unknown; readonly placement: unknown }>(),
    loadMs: whole(),
    assets: added(nullable(json<ScriptAssets>()), null),
    /** Migrations as they were sent with it; they are applied at its first deployment. */
    classChanges: added(nullable(json<{ readonly sent: object; readonly isApplied: boolean }>()), null),
  },
  attached: ['CREATE INDEX IF NOT EXISTS worker_versions_by_worker ON worker_versions (worker, number)'],
});

const deploymentTable = new Table('worker_deployments', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    worker: text(),
    versionId: text(),
    createdAtMs: whole(),
    author: text(),
    source: text(),
    annotations: json<Readonly<Record<string, string>>>(),
  },
  attached: ['CREATE INDEX IF NOT EXISTS worker_deployments_by_worker ON worker_deployments (worker)'],
});

const routeTable = new Table('worker_routes', {
  sequence: 'autoincrement',
  columns: {
    id: text({ isUnique: true }),
    zoneId: text(),
    /** As it was given: host and path. */
    pattern: text(),
    host: text(),
    path: text(),
    /** Null for requests that no Worker answers. */
    worker: nullable(text()),
    /** A custom domain is a host name whose requests are all answered by the Worker. */
    isDomain: flag(),
  },
  order: 'sequence',
  attached: [
    'CREATE UNIQUE INDEX IF NOT EXISTS worker_routes_by_pattern ON worker_routes (host, path)',
    `CREATE TRIGGER IF NOT EXISTS zones_have_worker_routes AFTER DELETE ON zones BEGIN
      DELETE FROM worker_routes WHERE zone_id = OLD.id;
    END`,
  ],
});

/** Must be created after the zones. */
export const workerTables = [workerTable, versionTable, deploymentTable, routeTable];

export type WorkerRow = RowOf<typeof workerTable>;
export type VersionRow = RowOf<typeof versionTable>;
export type DeploymentRow = RowOf<typeof deploymentTable>;
export type RouteRow = RowOf<typeof routeTable>;

/** A Worker with the versions that affect the next one. */
export interface WorkerState {
  readonly worker: WorkerRow;
  readonly latest: VersionRow | undefined;
  readonly deployed: VersionRow | undefined;
}

/** The result of a change to a Worker; each part only if it is new or changed. */
export interface WorkerCommit {
  readonly worker: WorkerRow;
  readonly version: VersionRow | undefined;
  readonly deployment: DeploymentRow | undefined;
  /** The basis of the change; null for a Worker that did not exist. */
  readonly basis: WorkerBasis | null;
}

/** Identifies a state of a Worker: it differs after every change. */
export interface WorkerBasis {
  readonly id: string;
  readonly versionCount: number;
  readonly deployedId: string | null;
}

export function describeBasis(state: WorkerState | undefined): WorkerBasis | null {
  if (state === undefined) return null;
  const { worker, deployed } = state;
  return { id: worker.id, versionCount: worker.versionCount, deployedId: deployed?.id ?? null };
}

export class WorkerStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  list(): WorkerRow[] {
    return workerTable.list(this.#sql);
  }

  get(name: string): WorkerRow | undefined {
    return workerTable.get(this.#sql, name);
  }

  /** The routes of requests to Workers, for the edge. */
  listConfiguredRoutes(): WorkerRoute[] {
    const own = this.list().flatMap(({ name, host }) =>
      host === null ? [] : [{ host, path: '/*', worker: name }],
    );
    const others = routeTable.list(this.#sql);
    return [...own, ...others.map(({ zoneId, host, path, worker }) => ({ zoneId, host, path, worker }))];
  }

  listRoutes(): RouteRow[] {
    return routeTable.list(this.#sql);
  }

  getRoute(id: string): RouteRow | undefined {
    return routeTable.get(this.#sql, id);
  }

  putRoute(route: RouteRow): void {
    routeTable.put(this.#sql, route);
  }

  removeRoute(id: string): void {
    routeTable.remove(this.#sql, id);
  }

  put(worker: WorkerRow): void {
    workerTable.put(this.#sql, worker);
  }

  /** Finds the name of a Worker by its name or id. */
  findName(nameOrId: string): string | undefined {
    if (this.get(nameOrId) !== undefined) return nameOrId;
    return workerTable.select(this.#sql, 'WHERE id = ?', nameOrId)[0]?.name;
  }

  read(name: string): WorkerState | undefined {
    const worker = this.get(name);
    return worker && { worker, latest: this.findLatest(name), deployed: this.findDeployed(name) };
  }

  /** Newest first. */
  listVersions(worker: string): VersionRow[] {
    return versionTable.select(this.#sql, 'WHERE worker = ? ORDER BY number DESC', worker);
  }

  getVersion(worker: string, id: string): VersionRow | undefined {
    return versionTable.select(this.#sql, 'WHERE worker = ? AND id = ?', worker, id)[0];
  }

  findLatest(worker: string): VersionRow | undefined {
    return versionTable.select(this.#sql, 'WHERE worker = ? ORDER BY number DESC LIMIT 1', worker)[0];
  }

  findDeployed(worker: string): VersionRow | undefined {
    const [deployment] = this.listDeployments(worker);
    return deployment && this.getVersion(worker, deployment.versionId);
  }

  /** Newest first. */
  listDeployments(worker: string): DeploymentRow[] {
    return deploymentTable.select(this.#sql, 'WHERE worker = ? ORDER BY sequence DESC', worker);
  }

  putVersion(version: VersionRow): void {
    versionTable.put(this.#sql, version);
  }

  addDeployment(deployment: DeploymentRow): void {
    deploymentTable.insert(this.#sql, deployment);
  }

  /** Deletes old versions and deployments; never deployed ones. Returns the digests that nothing needs any more. */
  prune(worker: string): string[] {
    const deployments = this.listDeployments(worker);
    for (const { id } of deployments.slice(workerDeploymentsKept))
      this.#sql.exec('DELETE FROM worker_deployments WHERE id = ?', id);
    const deployed = deployments[0]?.versionId;
    const old = this.listVersions(worker)
      .slice(workerVersionsKept)
      .filter(({ id }) => id !== deployed);
    for (const { id } of old) versionTable.remove(this.#sql, id);
    return this.#listUnused(old.map(({ codeDigest }) => codeDigest));
  }

  /** Returns the digests that nothing needs any more. */
  remove(worker: string): string[] {
    const digests = this.listVersions(worker).map(({ codeDigest }) => codeDigest);
    for (const table of [versionTable, deploymentTable, routeTable])
      this.#sql.exec(`DELETE FROM ${table.name} WHERE worker = ?`, worker);
    workerTable.remove(this.#sql, worker);
    return this.#listUnused(digests);
  }

  /** The digests of all code that versions use. */
  listCode(): string[] {
    return versionTable.pick(this.#sql, 'codeDigest');
  }

  /** The digests of all asset lists that versions use. */
  listAssets(): string[] {
    return versionTable.pick(this.#sql, 'assets').flatMap((assets) => assets?.manifest ?? []);
  }

  #listUnused(digests: readonly string[]): string[] {
    return [...new Set(digests)].filter(
      (digest) => versionTable.count(this.#sql, 'WHERE code_digest = ?', digest) === 0,
    );
  }
}
