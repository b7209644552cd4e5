/** Changes of uploaded Workers inside the account: what is stored together, with its entry in the audit log. */
import { isDeepStrictEqual } from 'node:util';
import type { Actor, Context } from '../../context/handler.ts';
import {
  describeBasis,
  type WorkerCommit,
  type WorkerRow,
  type WorkerState,
  WorkerStore,
} from '../../stores/workers.ts';
import { toScriptSettingsJson } from './worker-json.ts';

/** The actor and the operation that change a Worker. */
export interface WorkerInitiator {
  readonly actor: Actor;
  readonly operation: string;
}

export type WorkerHosting = Pick<WorkerRow, 'name' | 'host' | 'hasPreviews'>;

/** Whether the Worker is unchanged since the change started: another host of a cluster may have changed it. */
export function isUnchanged(store: WorkerStore, { worker, basis }: WorkerCommit): boolean {
  return isDeepStrictEqual(describeBasis(store.read(worker.name)), basis);
}

/** Returns the digests of code that no version uses any more. */
export function commitWorker(
  { sql, audit }: Context,
  { worker, version, deployment }: WorkerCommit,
): string[] {
  const store = new WorkerStore(sql);
  const before = store.read(worker.name);
  store.put(worker);
  if (version !== undefined) store.putVersion(version);
  if (deployment !== undefined) store.addDeployment(deployment);
  const unused = store.prune(worker.name);
  audit({
    resource: deployment === undefined ? 'worker_version' : 'worker',
    id: worker.name,
    before: before && describeState(before),
    after: describeState(store.read(worker.name)!),
  });
  return unused;
}

/** The properties of a Worker that do not belong to a version. */
export type WorkerContent = Pick<WorkerRow, 'name' | 'settings' | 'host' | 'hasPreviews'>;

/** False if the Worker does not exist, or, for one that is to be added, if another one has its name. */
export function configureWorker(
  { sql, audit, nowMs }: Context,
  content: WorkerContent,
  added: WorkerRow | undefined,
): boolean {
  const store = new WorkerStore(sql);
  const before = store.get(content.name);
  if ((before === undefined) === (added === undefined)) return false;
  const after = { ...(before ?? added!), ...content, modifiedAtMs: nowMs };
  const [old, now] = [before, after].map((worker) => worker && describeContent(worker));
  if (JSON.stringify(old) === JSON.stringify(now)) return true;
  store.put(after);
  audit({
    resource: before === undefined ? 'worker' : 'worker_settings',
    id: content.name,
    before: old,
    after: now,
  });
  return true;
}

function describeContent({ settings, host, hasPreviews }: WorkerContent): object {
  return { ...toScriptSettingsJson(settings), host, previews_enabled: hasPreviews };
}

export function isHostChanged(store: WorkerStore, { name, host, hasPreviews }: WorkerHosting): boolean {
  const before = store.get(name);
  return before !== undefined && (before.host !== host || before.hasPreviews !== hasPreviews);
}

export function hostWorker({ sql, audit, nowMs }: Context, { name, host, hasPreviews }: WorkerHosting): void {
  const store = new WorkerStore(sql);
  const before = store.get(name)!;
  store.put({ ...before, host, hasPreviews, modifiedAtMs: nowMs });
  audit({
    resource: 'worker_host',
    id: name,
    before: { host: before.host },
    after: { host },
  });
}

/** Schedules that stay keep their time of creation. */
export function scheduleWorker(
  { sql, audit, nowMs }: Context,
  name: string,
  wanted: readonly string[],
): WorkerRow['crons'] {
  const store = new WorkerStore(sql);
  const before = store.get(name)!;
  const crons = wanted.map(
    (cron) => before.crons.find((each) => each.cron === cron) ?? { cron, createdAtMs: nowMs },
  );
  const [old, now] = [before.crons, crons].map((list) => ({ crons: list.map(({ cron }) => cron) }));
  if (JSON.stringify(old) !== JSON.stringify(now)) {
    store.put({ ...before, crons, modifiedAtMs: nowMs });
    audit({ resource: 'worker_schedules', id: name, before: old, after: now });
  }
  return crons;
}

/** Returns the digests of code that no version uses any more. */
export function removeWorker({ sql, audit }: Context, name: string): string[] {
  const store = new WorkerStore(sql);
  const before = store.read(name);
  const unused = store.remove(name);
  audit({ resource: 'worker', id: name, before: before && describeState(before), after: undefined });
  return unused;
}

/** The running version and the last upload, without the values of variables. */
function describeState({ worker, latest, deployed }: WorkerState): object {
  return {
    deployed_version: deployed?.id ?? null,
    latest_version: latest?.id ?? null,
    code: latest?.codeDigest ?? null,
    bindings: latest?.bindings.map(({ type, name }) => ({ type, name })) ?? [],
    classes: worker.classes.map(({ name }) => name),
    migration_tag: worker.migrationTag,
  };
}
