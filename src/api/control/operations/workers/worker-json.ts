/** Workers, versions and deployments as the API shows them. */
import type { Result } from '#contract';
import { toMicroseconds } from '../../context/timestamps.ts';
import type { ScriptClass } from '../../context/worker-host.ts';
import type { DeploymentRow, VersionRow, WorkerRow } from '../../stores/workers.ts';

type ScriptJson = Result<'workers.list'>[number];
type VersionJson = Result<'workers.getVersion'>;
type DeploymentJson = Result<'workers.getDeployment'>;

/** The billing model that every Worker has on Cloudflare. */
export const usageModel = 'standard';

export function toScriptJson(worker: WorkerRow, deployed: VersionRow | undefined): ScriptJson {
  const { name, id, settings, createdAtMs, modifiedAtMs, migrationTag } = worker;
  return {
    id: name,
    tag: id,
    tags: settings.tags,
    created_on: toMicroseconds(createdAtMs),
    modified_on: toMicroseconds(modifiedAtMs),
    handlers: deployed?.handlers ?? [],
    compatibility_flags: deployed?.compatibilityFlags ?? [],
    usage_model: usageModel,
    logpush: settings.logpush,
    ...(deployed === undefined
      ? {}
      : {
          etag: deployed.codeDigest,
          last_deployed_from: deployed.source,
          ...dateOf(deployed),
        }),
    ...tagOf(migrationTag),
  };
}

export function toSettingsJson(
  { settings, migrationTag }: WorkerRow,
  latest: VersionRow | undefined,
): Result<'workers.getSettings'> {
  return {
    bindings: latest?.bindings ?? [],
    compatibility_flags: latest?.compatibilityFlags ?? [],
    ...(latest === undefined ? {} : dateOf(latest)),
    usage_model: usageModel,
    placement: latest?.runtime.placement ?? {},
    ...(isEmpty(latest?.runtime.limits) ? {} : { limits: latest?.runtime.limits }),
    ...toScriptSettingsJson(settings),
    ...tagOf(migrationTag),
  };
}

/** Whether a setting is empty. */
export function isEmpty(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Object.keys(value).length === 0;
}

export function toScriptSettingsJson({
  tags,
  logpush,
  observability,
  tailConsumers,
}: WorkerRow['settings']): Result<'workers.getScriptSettings'> {
  return { tags, logpush, observability, tail_consumers: tailConsumers };
}

export function toVersionJson(version: VersionRow): VersionJson {
  const { bindings, handlers, codeDigest, source, compatibilityFlags, runtime, loadMs } = version;
  return {
    ...toVersionSummary(version),
    resources: {
      bindings,
      script: { etag: codeDigest, handlers, last_deployed_from: source },
      script_runtime: {
        ...dateOf(version),
        compatibility_flags: compatibilityFlags,
        usage_model: usageModel,
        limits: runtime.limits ?? {},
      },
    },
    startup_time_ms: loadMs,
  };
}

/** The form in lists. */
export function toVersionSummary({
  id,
  number,
  createdAtMs,
  source,
  author,
  annotations,
}: VersionRow): VersionJson {
  const createdOn = toMicroseconds(createdAtMs);
  return {
    id,
    number,
    metadata: {
      created_on: createdOn,
      modified_on: createdOn,
      source,
      author_email: author,
      // A version that is not deployed has no host name.
      has_preview: false,
    },
    annotations,
  };
}

export function toDeploymentJson(deployment: DeploymentRow): DeploymentJson {
  const { id, source, author, createdAtMs, annotations, versionId } = deployment;
  return {
    id,
    source,
    strategy: 'percentage',
    author_email: author,
    created_on: toMicroseconds(createdAtMs),
    annotations,
    versions: [{ version_id: versionId, percentage: 100 }],
  };
}

export function dateOf({ compatibilityDate }: VersionRow): { readonly compatibility_date?: string } {
  return compatibilityDate === null ? {} : { compatibility_date: compatibilityDate };
}

function tagOf(migrationTag: string | null): { readonly migration_tag?: string } {
  return migrationTag === null ? {} : { migration_tag: migrationTag };
}

/** The id of a class in the API: the key contains a character that is not printable. */
export function toNamespaceId(workerId: string, { uniqueKey }: Pick<ScriptClass, 'uniqueKey'>): string {
  return `${workerId}-${uniqueKey.replaceAll(/\p{Cc}/gu, '~')}`;
}
