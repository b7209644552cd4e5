/** Versions of Workers as resources: uploaded as JSON without any additions, and returned with their modules. */
import { fault, type FormPart, ok, pageOf, type Result, workerCodes } from '#contract';
import { toMicroseconds } from '../../../context/timestamps.ts';
import type { ScriptBinding, ScriptModule } from '../../../context/worker-host.ts';
import type { VersionRow, WorkerRow, WorkerState } from '../../../stores/workers.ts';
import type { ObjectsContext, ObjectsHandlers } from '../../several-objects.ts';
import { requireHost, requireWorker } from '../change-worker.ts';
import { moduleTypes, refuseUpload } from '../read-upload.ts';
import { upload } from '../upload-handlers.ts';
import { listMessages } from '../upload/upload-notes.ts';
import { dateOf, isEmpty, toNamespaceId, usageModel } from '../worker-json.ts';
import { findName } from './worker-resource-handlers.ts';

type VersionJson = Result<'workers.readVersion'>;

export const versionResourceHandlers: ObjectsHandlers<
  'workers.listAllVersions' | 'workers.createVersion' | 'workers.readVersion'
> = {
  async 'workers.listAllVersions'(context, { path, query }) {
    const state = await requireWorker(context, await findName(context, path));
    const versions = await context.account.listWorkerVersions(state.worker.name);
    return pageOf(
      versions.map((version) => toJson(state, version)),
      query,
    );
  },

  async 'workers.createVersion'(context, { path, body: { modules = [], ...sent } }) {
    const name = await findName(context, path);
    const form: FormPart[] = [
      toPart('metadata', 'application/json', Buffer.from(JSON.stringify(sent))),
      ...modules.map(({ name: module, content_type: type, content_base64: content }) =>
        toPart(module, type.toLowerCase(), readBase64(module, content)),
      ),
    ];
    const version = await upload(context, name, form, { isDeployed: false, isExact: true });
    return ok(await show(context, version), listMessages(version));
  },

  async 'workers.readVersion'(context, { path, query }) {
    const name = await findName(context, path);
    const version = await context.account.readWorkerVersion(name, path['version_id']!);
    if (version === undefined) throw fault(workerCodes.versionNotFound);
    if (query.include === 'modules') return ok(await show(context, version));
    return ok(toJson(await requireWorker(context, name), version));
  },
};

function toPart(name: string, type: string, bytes: Uint8Array): FormPart {
  return { name, filename: undefined, type, bytes };
}

function readBase64(name: string, content: string): Uint8Array {
  const bytes = Buffer.from(content, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') === content.replace(/=+$/, '')) return bytes;
  throw refuseUpload(`content_base64 of the module ${name.slice(0, 100)} is not base64`);
}

async function show(context: ObjectsContext, version: VersionRow): Promise<VersionJson> {
  const { modules } = await requireHost(context).readCode(version.codeDigest);
  return {
    ...toJson(await requireWorker(context, version.worker), version),
    modules: Object.entries(modules).map(([name, module]) => ({
      name: module.sentAs ?? name,
      content_type: moduleTypes[module.type],
      content_base64: encode(module),
    })),
  };
}

function encode(module: ScriptModule): string {
  return Buffer.from('text' in module ? module.text : module.bytes).toString('base64');
}

function toJson({ worker, deployed }: WorkerState, version: VersionRow): VersionJson {
  const { runtime, assets, migrationTag } = { ...version, migrationTag: worker.migrationTag };
  return {
    id: version.id,
    number: version.number,
    created_on: toMicroseconds(version.createdAtMs),
    source: version.source,
    main_module: version.main,
    ...dateOf(version),
    compatibility_flags: version.compatibilityFlags,
    bindings: version.bindings
      .map((binding) => toBindingJson(worker, binding))
      .toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    annotations: version.annotations,
    limits: runtime.limits ?? {},
    ...(isEmpty(runtime.placement) ? {} : { placement: runtime.placement }),
    ...version.classChanges?.sent,
    ...(assets === null ? {} : { assets: { config: assets.config } }),
    ...(deployed?.id === version.id && migrationTag !== null ? { migration_tag: migrationTag } : {}),
    startup_time_ms: version.loadMs,
    usage_model: usageModel,
    cache_options: { enabled: false, cross_version_cache: false },
    urls: [],
  };
}

/** With the known facts about the class or the database that it names. */
function toBindingJson({ id, classes }: WorkerRow, binding: ScriptBinding): ScriptBinding {
  if (binding.type === 'd1') return toDatabaseJson(binding);
  const found = classes.find(({ name }) => name === binding['class_name']);
  if (binding.type !== 'durable_object_namespace' || found === undefined) return binding;
  return { ...binding, namespace_id: toNamespaceId(id, found) };
}

/** Uses the field name in which the id was sent. */
function toDatabaseJson({ id, ...rest }: ScriptBinding): ScriptBinding {
  return rest['database_id'] === undefined ? { ...rest, id, database_id: id } : rest;
}
