/**
 * How a version is put into force: it is loaded beside the running one, and checked against what it exports; then it
 * takes over from the running one, and the account stores it. After a failure on the way the previous version stays in
 * force: a version that the account does not have yet is never started again.
 */
import { randomUUID } from 'node:crypto';
import { Fault, fault, workerCodes } from '#contract';
import type { KeySealer } from '../../context/key-sealer.ts';
import type {
  LoadedVersion,
  RunnableVersion,
  TransferredClass,
  WorkerHost,
} from '../../context/worker-host.ts';
import {
  type DeploymentRow,
  describeBasis,
  type VersionRow,
  type WorkerCommit,
  type WorkerRow,
  type WorkerState,
} from '../../stores/workers.ts';
import type { ObjectsContext } from '../several-objects.ts';
import { initiator } from '../stores/find-store.ts';
import type { VersionBindings } from './script-bindings.ts';

/** Marks a change as Wrangler's own: it asks before it overwrites those of others. */
const source = 'wrangler';

export interface VersionChange {
  readonly before: WorkerState | undefined;
  readonly worker: WorkerRow;
  readonly version: VersionRow;
  readonly secrets: VersionBindings['secrets'];
  /** The classes that it has once it is deployed, if the Worker only gets them then. */
  readonly classes?: WorkerRow['classes'];
  /** False for a version that the account has in this form. */
  readonly isChanged: boolean;
  /** Undefined if it is not deployed. */
  readonly deployment: DeploymentRow | undefined;
  /** Workers that lose classes to this one when it is deployed. */
  readonly releases?: readonly ClassRelease[];
  readonly check: (exports: LoadedVersion['exports']) => void;
}

/** A Worker without the classes that another one takes, as a version of its own. */
export interface ClassRelease {
  readonly before: WorkerState;
  readonly classes: readonly TransferredClass[];
  readonly commit: WorkerCommit;
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

/** Resolves to the stored version. */
export async function deployVersion(
  context: ObjectsContext,
  host: WorkerHost,
  change: VersionChange,
): Promise<VersionRow> {
  const { before, worker, secrets, isChanged, deployment, classes = worker.classes, releases = [] } = change;
  const loaded = await host.load(toRunnable({ ...worker, classes }, change.version, secrets));
  try {
    change.check(loaded.exports);
    const version: VersionRow = {
      ...change.version,
      handlers: loaded.exports.handlers,
      exportedClasses: loaded.exports.classes,
      loadMs: Math.round(loaded.loadMs),
    };
    const commit: WorkerCommit = {
      ...{ worker, deployment, version: isChanged ? version : undefined },
      basis: describeBasis(before),
    };
    const commits = [commit, ...releases.map((release) => release.commit)];
    await using _reserved = deployment === undefined ? undefined : await reserve(context, commits);
    if (releases.length > 0) await takeOver(context, host, { loaded, releases, commits });
    else await putInForce(context, host, { before, loaded, commit });
    await context.refresh();
    if (deployment === undefined) loaded.hold();
    else await host.spread();
    return version;
  } finally {
    await loaded.discard();
  }
}

/** Until this is disposed, no other host puts versions of these Workers in force. */
async function reserve(
  { account }: ObjectsContext,
  commits: readonly WorkerCommit[],
): Promise<AsyncDisposable> {
  const change = randomUUID();
  if (!(await account.reserveWorkers(change, commits))) throw fault(workerCodes.changedMeanwhile);
  // The reservation also expires by itself, and the change is complete.
  return { [Symbol.asyncDispose]: () => account.releaseWorkers(change).catch(() => {}) };
}

interface Enforcement {
  readonly loaded: LoadedVersion;
  readonly commit: WorkerCommit;
}

async function putInForce(
  context: ObjectsContext,
  host: WorkerHost,
  { before, loaded, commit }: Enforcement & Pick<VersionChange, 'before'>,
): Promise<void> {
  if (commit.deployment !== undefined) await loaded.switch();
  try {
    await store(context, host, [commit]);
  } catch (error) {
    // If another host has deployed meanwhile, the previous version here is outdated, and restoring it would conflict
    // with that deployment.
    if (error instanceof Fault) await host.resumeWaiting([commit.worker.name]);
    else if (commit.deployment !== undefined) await goBack(context, host, before);
    await host.spread();
    throw error;
  }
}

/**
 * Objects belong to one Worker until the account assigns them to the other, together with its version: before that, the
 * copies are unreachable; after that, the originals are. So neither Worker runs meanwhile, and the switch to the
 * version happens once the account has it: an object that the version changed could not be moved back.
 */
async function takeOver(
  context: ObjectsContext,
  host: WorkerHost,
  {
    loaded,
    releases,
    commits,
  }: Pick<Enforcement, 'loaded'> & {
    readonly releases: readonly ClassRelease[];
    /** The commit of the Worker that receives the objects comes first. */
    readonly commits: readonly WorkerCommit[];
  },
): Promise<void> {
  const { worker } = commits[0]!;
  const names = commits.map((each) => each.worker.name);
  try {
    for (const { before, classes } of releases)
      await host.transfer({ from: before.worker, to: worker, classes });
    await store(context, host, commits);
  } catch (error) {
    await host.resumeWaiting(names);
    await host.spread();
    throw error;
  }
  try {
    await loaded.switch();
  } finally {
    await host.resumeWaiting(names);
  }
}

/** All changes, or none. */
async function store(
  context: ObjectsContext,
  host: WorkerHost,
  commits: readonly WorkerCommit[],
): Promise<void> {
  const unused = await context.account.commitWorkers(initiator(context), commits);
  if (unused === undefined) throw fault(workerCodes.changedMeanwhile);
  await host.dropCode(unused);
}

/** The account could not write: its stored versions are in force again. */
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

/** With its secrets. Without their key this Worker cannot run, but the others can. */
export function readRunnable(
  keySealer: KeySealer,
  worker: Parameters<typeof toRunnable>[0],
  version: VersionRow,
): RunnableVersion {
  try {
    return toRunnable(worker, version, openSecrets(keySealer, version));
  } catch (error) {
    return { ...toRunnable(worker, version, {}), obstacle: error as Error };
  }
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

/** The binding of a version's sealed secrets: they cannot be opened for another version. */
function describeSecrets({ id }: Pick<VersionRow, 'id'>): string {
  return `secrets of ${id}`;
}

function sealSecrets(
  keySealer: KeySealer,
  version: Pick<VersionRow, 'id'>,
  secrets: VersionBindings['secrets'],
): string {
  // A version without secrets needs no key.
  return Object.keys(secrets).length === 0
    ? ''
    : keySealer.seal(JSON.stringify(secrets), describeSecrets(version));
}

export function openSecrets(
  keySealer: KeySealer,
  version: Pick<VersionRow, 'id' | 'bindings' | 'sealedSecrets'>,
): VersionBindings['secrets'] {
  if (!version.bindings.some(({ type }) => type === 'secret_text')) return {};
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

/** The next version of a Worker, possibly with the content of another; its exports are known once it is loaded. */
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
