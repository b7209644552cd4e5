/**
 * Workers as resources with ids: they exist before they have a version, with the properties that do not belong to a
 * version.
 */
import { fault, ok, pageOf, type Result, workerCodes } from '#contract';
import { toMicroseconds } from '../../../context/timestamps.ts';
import {
  changeSettings,
  noScriptSettings,
  type ScriptSettings,
  type WorkerRow,
} from '../../../stores/workers.ts';
import type { ObjectsContext, ObjectsHandlers } from '../../several-objects.ts';
import { initiator } from '../../stores/find-store.ts';
import { requireHost, requireWorker } from '../change-worker.ts';
import type { WorkerContent } from '../commit-worker.ts';
import { editSecrets, findHostName, removeWorker } from '../deploy-handlers.ts';
import { refuseUnsupported } from '../read-upload.ts';
import { createWorker } from '../upload-handlers.ts';
import { toVersionJson } from '../worker-json.ts';

type Ids =
  | 'workers.listAll'
  | 'workers.create'
  | 'workers.get'
  | 'workers.replace'
  | 'workers.edit'
  | 'workers.remove'
  | 'workers.editLatestVersion';

type WorkerJson = Result<'workers.get'>;

export const workerResourceHandlers: ObjectsHandlers<Ids> = {
  async 'workers.listAll'(context, { query }) {
    const states = await context.account.listWorkerStates();
    return pageOf(await Promise.all(states.map(({ worker }) => toJson(context, worker))), query);
  },

  async 'workers.create'(context, { body: { name, ...sent } }) {
    const host = requireHost(context);
    return await host.inTurn(name, async () => {
      const added = await createWorker(context, host, name);
      const content = configure(context, added, sent);
      if (!(await context.account.configureWorker(initiator(context), content, added)))
        throw fault(workerCodes.nameTaken, { fill: { name } });
      await context.refresh();
      return ok(await toJson(context, (await requireWorker(context, name)).worker));
    });
  },

  async 'workers.get'(context, { path }) {
    const { worker } = await requireWorker(context, await findName(context, path));
    return ok(await toJson(context, worker));
  },

  'workers.replace': (context, { path, body }) => change(context, path, { body, isWhole: true }),
  'workers.edit': (context, { path, body }) => change(context, path, { body, isWhole: false }),
  'workers.remove': async (context, { path }) => removeWorker(context, await findName(context, path)),

  async 'workers.editLatestVersion'(context, { path, body }) {
    const entries = Object.entries(body.env).map(([name, secret]) => {
      if (secret !== null && secret.type !== 'secret_text')
        throw refuseUnsupported(
          `env.${name}: only secrets of the type secret_text can be changed separately`,
        );
      return [name, secret?.text ?? null] as const;
    });
    const version = await editSecrets(context, await findName(context, path), {
      changes: Object.fromEntries(entries),
      annotations: body.annotations ?? {},
    });
    return ok(toVersionJson(version));
  },
};

export async function findName(
  { account }: ObjectsContext,
  path: Readonly<Record<string, string>>,
): Promise<string> {
  const name = await account.findWorkerName(path['worker_id']!);
  if (name === undefined) throw fault(workerCodes.workerNotFound);
  return name;
}

interface SentContent {
  readonly logpush?: boolean;
  readonly observability?: Observability;
  readonly subdomain?: { readonly enabled?: boolean; readonly previews_enabled?: boolean };
  readonly tags?: readonly string[];
  readonly tail_consumers?: readonly { readonly name: string }[];
}

interface Change {
  readonly body: SentContent & { readonly name?: string };
  /** Whether omitted fields get their initial values. */
  readonly isWhole: boolean;
}

async function change(
  context: ObjectsContext,
  path: Readonly<Record<string, string>>,
  { body: { name: wanted, ...sent }, isWhole }: Change,
) {
  const host = requireHost(context);
  const name = await findName(context, path);
  if (wanted !== undefined && wanted !== name)
    throw refuseUnsupported(
      `a Worker cannot be renamed: ${name} cannot be called ${wanted}, create another one`,
    );
  return await host.inTurn(name, async () => {
    const { worker } = await requireWorker(context, name);
    const before = isWhole
      ? { ...worker, settings: noScriptSettings, host: null, hasPreviews: false }
      : worker;
    const content = configure(context, before, sent);
    if (!(await context.account.configureWorker(initiator(context), content)))
      throw fault(workerCodes.workerNotFound);
    await context.refresh();
    return ok(await toJson(context, (await requireWorker(context, name)).worker));
  });
}

/** Changes the configuration of a Worker. */
function configure(
  context: ObjectsContext,
  { name, settings, host, hasPreviews }: WorkerRow,
  { logpush, observability, subdomain, tags, tail_consumers: tailConsumers }: SentContent,
): WorkerContent {
  const isHosted = subdomain?.enabled ?? host !== null;
  return {
    name,
    settings: changeSettings(settings, {
      ...{ logpush, observability, tags },
      tailConsumers: tailConsumers?.map(({ name: service }) => ({ service })),
    }),
    host: isHosted ? (host ?? findHostName(context, name, requireHost(context).site.domain)) : null,
    hasPreviews: isHosted && (subdomain?.previews_enabled ?? hasPreviews),
  };
}

async function toJson(context: ObjectsContext, worker: WorkerRow): Promise<WorkerJson> {
  const { id, name, host: own, hasPreviews, createdAtMs, modifiedAtMs, settings } = worker;
  const { account, directory, workers: { site } = {} } = context;
  const { domains, deployedAtMs } = await account.describeWorker(name);
  const queues = await account.listStores('queue');
  return {
    id,
    name,
    created_on: toMicroseconds(createdAtMs),
    updated_on: toMicroseconds(modifiedAtMs),
    deployed_on: deployedAtMs === undefined ? null : toMicroseconds(deployedAtMs),
    logpush: settings.logpush,
    observability: completeObservability(settings.observability),
    tags: settings.tags,
    tail_consumers: listTailConsumers(settings),
    subdomain: {
      enabled: own !== null,
      previews_enabled: hasPreviews,
      ...(site?.domain === undefined ? {} : { url: site.urlOf(own ?? `${name}.${site.domain}`) }),
    },
    references: {
      dispatch_namespace_outbounds: [],
      domains: domains.map((route) => ({
        id: route.id,
        hostname: route.host,
        zone_id: route.zoneId,
        zone_name: directory.zones.get(route.zoneId)?.name ?? '',
      })),
      durable_objects: [],
      queues: queues.flatMap((queue) =>
        (queue.settings.consumers ?? [])
          .filter(({ script }) => script === name)
          .map((consumer) => ({
            queue_consumer_id: consumer.id,
            queue_id: queue.id,
            queue_name: queue.name,
          })),
      ),
      workers: [],
    },
  };
}

interface Observability {
  readonly logs?: object;
  readonly traces?: object;
}

/** Adds Cloudflare's defaults. */
function completeObservability(stored: unknown): object {
  const given = (typeof stored === 'object' && stored !== null ? stored : {}) as Observability;
  const common = { enabled: false, head_sampling_rate: 1, persist: true, destinations: [] };
  return {
    enabled: false,
    head_sampling_rate: 1,
    ...given,
    logs: { ...common, invocation_logs: true, ...given.logs },
    traces: { ...common, ...given.traces },
  };
}

/** Scripts have them as services. */
function listTailConsumers({ tailConsumers }: ScriptSettings): { readonly name: string }[] {
  const listed = Array.isArray(tailConsumers) ? (tailConsumers as { readonly service?: unknown }[]) : [];
  return listed.flatMap(({ service }) => (typeof service === 'string' ? [{ name: service }] : []));
}
