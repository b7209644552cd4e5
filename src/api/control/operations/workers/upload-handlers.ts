/** Uploading Workers: a version from a form, and the properties of the Worker itself in an upload. */
import { randomBytes } from 'node:crypto';
import { fault, type FormPart, ok, workerCodes } from '#contract';
import { workersMax } from '../../context/limits.ts';
import type { ScriptAssets, WorkerHost } from '../../context/worker-host.ts';
import {
  changeSettings,
  noScriptSettings,
  type VersionRow,
  type WorkerRow,
  type WorkerState,
} from '../../stores/workers.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { checkStores } from '../stores/find-store.ts';
import { checkTargets } from './bound-workers.ts';
import {
  deployVersion,
  createDeployment,
  createVersion,
  openSecrets,
  requireHost,
  requireWorker,
} from './change-worker.ts';
import { checkClasses, listTransferSources, migrateClasses, noClasses } from './migrate-classes.ts';
import {
  readAssetsConfig,
  readUpload,
  refuseUnsupported,
  refuseUpload,
  type ScriptUpload,
} from './read-upload.ts';
import { joinBindings, type VersionBindings } from './script-bindings.ts';
import { describeReleases, readSources } from './release-classes.ts';
import { describeForWrangler, listMessages } from './upload/upload-notes.ts';
import { toScriptJson, toVersionJson } from './worker-json.ts';

export const uploadHandlers: ObjectsHandlers<'workers.upload' | 'workers.uploadVersion'> = {
  async 'workers.upload'(context, { path, form }) {
    const version = await upload(context, path['script_name']!, form!, { isDeployed: true });
    const { worker } = await requireWorker(context, version.worker);
    return ok(
      {
        ...toScriptJson(worker, version),
        // Wrangler prints it as the id of the version.
        deployment_id: version.id,
        startup_time_ms: version.loadMs,
        ...describeForWrangler(version, worker.settings),
      },
      listMessages(version, worker.settings),
    );
  },

  async 'workers.uploadVersion'(context, { path, form }) {
    const version = await upload(context, path['script_name']!, form!, { isDeployed: false });
    return ok(toVersionJson(version), listMessages(version));
  },
};

interface UploadOptions {
  readonly isDeployed: boolean;
  /** Whether it is stored exactly as sent: its migrations wait for its deployment, and no secrets are inherited. */
  readonly isExact?: boolean;
}

export async function upload(
  context: ObjectsContext,
  name: string,
  form: readonly FormPart[],
  options: UploadOptions,
): Promise<VersionRow> {
  const host = requireHost(context);
  const given = readUpload(form, context.nowMs);
  // In a fixed order, so that no two changes wait for each other.
  const names = [...new Set([name, ...listTransferSources(given.metadata)])].toSorted();
  return await inTurns(host, names, async () => {
    const before = await context.account.readWorker(name);
    if (before === undefined && !options.isDeployed) throw fault(workerCodes.workerNotFound);
    const kept = await host.keepCode(given.code);
    try {
      return await addVersion(context, host, { name, given, before, codeDigest: kept.digest, ...options });
    } catch (error) {
      kept[Symbol.dispose]();
      const used = await context.account.listWorkerCode();
      if (!used.includes(kept.digest)) await host.dropCode([kept.digest]);
      throw error;
    } finally {
      kept[Symbol.dispose]();
    }
  });
}

async function inTurns<T>(
  host: WorkerHost,
  [name, ...others]: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  if (name === undefined) return await change();
  return await host.inTurn(name, () => inTurns(host, others, change));
}

interface Addition extends UploadOptions {
  readonly name: string;
  readonly given: ScriptUpload;
  readonly before: WorkerState | undefined;
  readonly codeDigest: string;
}

async function addVersion(
  context: ObjectsContext,
  host: WorkerHost,
  { name, given, before, codeDigest, isDeployed, isExact = false }: Addition,
): Promise<VersionRow> {
  const { metadata, code } = given;
  const { migrations, exports } = metadata;
  const waits = isExact && (migrations ?? exports) !== undefined;
  const tag = before?.worker.migrationTag ?? null;
  // A configuration still lists migrations that were applied with an earlier version.
  const isApplied = waits && tag !== null && migrations?.new_tag === tag;
  if (!isDeployed && !waits && migrations !== undefined) throw fault(workerCodes.versionHasMigration);
  const sources = await readSources(context, name, isApplied ? {} : metadata);
  if (waits && sources.size > 0)
    throw refuseUnsupported(
      'transferred_classes need an upload that is deployed immediately, as Wrangler does it',
    );
  const migrated = migrateClasses(
    before?.worker ?? noClasses,
    isApplied ? {} : metadata,
    new Map(Array.from(sources, ([script, state]) => [script, state?.worker])),
  );
  if (!isDeployed && !waits && migrated.created.length + migrated.deleted.length > 0)
    throw fault(workerCodes.versionHasMigration);
  const bound = joinBindings({
    sent: metadata.bindings ?? [],
    keptTypes: isExact ? [] : ['secret_text', ...(metadata.keep_bindings ?? [])],
    before: readKeptBindings(context, before?.latest),
  });
  await checkStores(context, bound.bindings);
  await checkTargets(context, name, bound.bindings);
  checkClasses(migrated, { worker: name, bindings: bound.bindings, exported: undefined });
  const { created, deleted, transferred, ...classes } = migrated;
  const worker = describeWorker(
    before?.worker ?? (await createWorker(context, host, name)),
    metadata,
    context.nowMs,
  );
  const version = createVersion(context, worker, {
    codeDigest,
    main: code.main,
    compatibilityDate: metadata.compatibility_date ?? null,
    compatibilityFlags: metadata.compatibility_flags ?? [],
    assets: await findAssets(host, given, before),
    runtime: { limits: metadata.limits ?? {}, placement: metadata.placement ?? {} },
    annotations: { 'workers/triggered_by': 'upload', ...metadata.annotations },
    classChanges: waits ? { sent: { migrations, exports }, isApplied } : null,
    ...bound,
  });
  const message = metadata.annotations?.['workers/message'];
  return await deployVersion(context, host, {
    before,
    worker: { ...worker, ...(isDeployed ? classes : {}), versionCount: version.number },
    classes: classes.classes,
    version,
    secrets: bound.secrets,
    isChanged: true,
    releases: describeReleases(context, { name, transferred, sources }),
    deployment: isDeployed
      ? createDeployment(context, version, message === undefined ? {} : { 'workers/message': message })
      : undefined,
    check({ handlers, classes: exported }) {
      if (handlers.length === 0 && exported.length === 0) throw fault(workerCodes.noHandlers);
      checkClasses({ ...classes, created, deleted }, { worker: name, bindings: bound.bindings, exported });
    },
  });
}

/** The assets of the upload, or of the previous version. */
async function findAssets(
  host: WorkerHost,
  { metadata: { assets, keep_assets: keeps } }: ScriptUpload,
  before: WorkerState | undefined,
): Promise<ScriptAssets | null> {
  if (assets === undefined) return keeps === true ? (before?.latest?.assets ?? null) : null;
  const { jwt, config = {} } = assets;
  if (jwt !== undefined)
    return { manifest: await host.assets.complete(jwt), config: readAssetsConfig(config) };
  const manifest = before?.latest?.assets?.manifest;
  if (manifest === undefined) throw refuseUpload('metadata.assets has no jwt of a session');
  return { manifest, config: readAssetsConfig(config) };
}

export async function createWorker(
  { account, nowMs }: ObjectsContext,
  host: WorkerHost,
  name: string,
): Promise<WorkerRow> {
  const count = await account.countWorkers();
  if (count >= workersMax) throw fault(workerCodes.tooManyWorkers, { fill: { count } });
  if (host.site.takenNames.includes(name))
    throw refuseUpload(`the setting workers has a Worker of the name ${name} already: choose another name`);
  return {
    name,
    id: randomBytes(16).toString('hex'),
    createdAtMs: nowMs,
    modifiedAtMs: nowMs,
    versionCount: 0,
    ...noClasses,
    crons: [],
    host: null,
    hasPreviews: false,
    settings: noScriptSettings,
  };
}

/** Properties that do not belong to a version change with the upload. */
function describeWorker(worker: WorkerRow, metadata: ScriptUpload['metadata'], nowMs: number): WorkerRow {
  const { observability, logpush, tail_consumers: tailConsumers, tags } = metadata;
  const settings = changeSettings(worker.settings, { observability, logpush, tailConsumers, tags });
  return { ...worker, settings, modifiedAtMs: nowMs };
}

/** For creating another version: without secrets that cannot be read. */
export function readKeptBindings(
  context: Pick<ObjectsContext, 'keySealer'>,
  version: VersionRow | undefined,
): VersionBindings {
  if (version === undefined) return { bindings: [], secrets: {} };
  try {
    return { bindings: version.bindings, secrets: openSecrets(context.keySealer, version) };
  } catch (error) {
    return { bindings: version.bindings, secrets: {}, unreadable: (error as Error).message };
  }
}

/** For running this version. */
export function readBindings(
  context: Pick<ObjectsContext, 'keySealer'>,
  version: VersionRow,
): VersionBindings {
  const bound = readKeptBindings(context, version);
  if (bound.unreadable === undefined) return bound;
  throw refuseUpload(`its secrets cannot be read (${bound.unreadable}): upload it again with them`);
}
