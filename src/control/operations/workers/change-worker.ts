/**
 * The way of a version into force: it is loaded beside the one that runs, checked against what it exports, lets the other
 * go and takes over, and then the account has it. What fails on the way leaves the version before in force: a version that
 * the account does not have yet is not started again by anybody.
 */
import { randomUUID } from 'node:crypto';
import { fault, workerCodes } from '#contract';
import type { KeySealer } from '../../context/key-sealer.ts';
import type { LoadedScript, RunnableVersion, WorkerHost } from '../../context/worker-host.ts';
import {
  type DeploymentRow,
  describeBasis,
  type VersionRow,
  type WorkerRow,
  type WorkerState,
} from '../../stores/worker-store.ts';
import type { ObjectsContext } from '../several-objects.ts';
import type { VersionBindings } from './script-bindings.ts';

/** What Wrangler takes for its own work: it asks before it overwrites that of others. */
const source = 'wrangler';

export interface VersionChange {
  readonly before: WorkerState | undefined;
  readonly worker: WorkerRow;
  readonly version: VersionRow;
  readonly secrets: VersionBindings['secrets'];
  /** Classes that it has once it is deployed, if the Worker gets them only then. */
  readonly classes?: WorkerRow['classes'];
  /** False for a version that the account has as it is. */
  readonly isChanged: boolean;
  /** Undefined if it is not deployed. */
  readonly deployment: DeploymentRow | undefined;
  readonly check: (exports: LoadedScript['exports']) => void;
}

export function requireHost({ workers }: ObjectsContext): WorkerHost {
  const reason = workers === undefined ? 'this program runs no Workers' : workers.obstacle;
  if (workers === undefined || reason !== undefined)
    throw fault(workerCodes.notUploadable, { fill: { reason: reason ?? '' } });
  return workers;
}

export async function requireWorker({ account }: ObjectsContext, name: string): Promise<WorkerState> {
  const state = await account.readWorker(name);
  if (state === undefined) throw fault(workerCodes.workerNotFound);
  return state;
}

/** Resolves to the version as it is stored. */
export async function bringIn(
  context: ObjectsContext,
  host: WorkerHost,
  change: VersionChange,
): Promise<VersionRow> {
  const { before, worker, secrets, isChanged, deployment, classes = worker.classes } = change;
  const loaded = await host.load(toRunnable({ ...worker, classes }, change.version, secrets));
  try {
    change.check(loaded.exports);
    const version: VersionRow = {
      ...change.version,
      handlers: loaded.exports.handlers,
      exportedClasses: loaded.exports.classes,
      loadMs: Math.round(loaded.loadMs),
    };
    if (deployment !== undefined) await loaded.switch();
    try {
      const unused = await context.account.commitWorker(
        { actor: context.actor, operation: context.call.operation },
        { worker, deployment, version: isChanged ? version : undefined, basis: describeBasis(before) },
      );
      if (unused === undefined) throw fault(workerCodes.changedMeanwhile);
      await host.dropCode(unused);
    } catch (error) {
      if (deployment !== undefined) await goBack(context, host, before);
      await host.spread();
      throw error;
    }
    await context.refresh();
    if (deployment === undefined) loaded.hold();
    else await host.spread();
    return version;
  } finally {
    await loaded.discard();
  }
}

/** The account could not write: what it has is in force again. */
async function goBack(
  { keySealer }: ObjectsContext,
  host: WorkerHost,
  before: WorkerState | undefined,
): Promise<void> {
  if (before?.deployed === undefined) return;
  const { worker, deployed } = before;
  const loaded = await host.load(toRunnable(worker, deployed, openSecrets(keySealer, deployed)));
  await loaded.switch();
}

export function toRunnable(
  worker: Pick<WorkerRow, 'id' | 'name' | 'classes' | 'crons'>,
  version: VersionRow,
  secrets: VersionBindings['secrets'],
): RunnableVersion {
  const { number, codeDigest, compatibilityDate, compatibilityFlags, createdAtMs, annotations } = version;
  return {
    workerId: worker.id,
    name: worker.name,
    number,
    codeDigest,
    compatibilityDate: compatibilityDate ?? undefined,
    compatibilityFlags,
    bindings: version.bindings.map((binding) =>
      binding.type === 'secret_text' ? { ...binding, text: secrets[binding.name]! } : binding,
    ),
    classes: worker.classes,
    crons: worker.crons.map(({ cron }) => cron),
    assets: version.assets,
    version: {
      id: version.id,
      tag: annotations['workers/tag'] ?? '',
      timestamp: new Date(createdAtMs).toISOString(),
    },
  };
}

/** What secrets are sealed for: they open for no other version. */
function describeSecrets({ id }: Pick<VersionRow, 'id'>): string {
  return `secrets of ${id}`;
}

function sealSecrets(
  keySealer: KeySealer,
  version: Pick<VersionRow, 'id'>,
  secrets: VersionBindings['secrets'],
): string {
  return keySealer.seal(JSON.stringify(secrets), describeSecrets(version));
}

export function openSecrets(
  keySealer: KeySealer,
  version: Pick<VersionRow, 'id' | 'sealedSecrets'>,
): VersionBindings['secrets'] {
  return JSON.parse(
    keySealer.open(version.sealedSecrets, describeSecrets(version)),
  ) as VersionBindings['secrets'];
}

export function createDeployment(
  { actor, nowMs }: ObjectsContext,
  version: Pick<VersionRow, 'id' | 'worker'>,
  annotations: Readonly<Record<string, string>> = {},
): DeploymentRow {
  return {
    id: randomUUID(),
    worker: version.worker,
    versionId: version.id,
    createdAtMs: nowMs,
    author: actor.email,
    source,
    annotations: { 'workers/triggered_by': 'deployment', ...annotations },
  };
}

type VersionContent = Pick<
  VersionRow,
  'codeDigest' | 'main' | 'compatibilityDate' | 'compatibilityFlags' | 'runtime' | 'assets' | 'classChanges'
>;

/** The next version of a Worker; what it exports is known when it is loaded. */
export function createVersion(
  { actor, nowMs, keySealer }: ObjectsContext,
  { name, versionCount }: Pick<WorkerRow, 'name' | 'versionCount'>,
  content: VersionContent & { readonly annotations: VersionRow['annotations'] } & VersionBindings,
): VersionRow {
  const { secrets, bindings, ...rest } = content;
  const id = randomUUID();
  return {
    ...rest,
    id,
    worker: name,
    number: versionCount + 1,
    createdAtMs: nowMs,
    author: actor.email,
    source,
    bindings,
    sealedSecrets: sealSecrets(keySealer, { id }, secrets),
    handlers: [],
    exportedClasses: [],
    loadMs: 0,
  };
}
