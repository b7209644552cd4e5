/** Deploying uploaded versions, secrets, host names, and deleting a Worker. */
import { fault, ok, type Reply, workerCodes } from '#contract';
import type { VersionRow, WorkerState } from '../../stores/workers.ts';
import type { ObjectsContext, ObjectsHandlers } from '../several-objects.ts';
import { checkStores, initiator } from '../stores/find-store.ts';
import { checkTargets } from './bound-workers.ts';
import { forgetConsumer } from '../stores/queue-handlers.ts';
import {
  createDeployment,
  createVersion,
  deployVersion,
  requireHost,
  requireWorker,
} from './change-worker.ts';
import { checkClasses, migrateWaiting } from './migrate-classes.ts';
import { refuseUnsupported } from './read-upload.ts';
import { toSchedulesJson } from './route-handlers.ts';
import { changeSecrets, listChangedSecrets } from './script-bindings.ts';
import { readBindings, readKeptBindings } from './upload-handlers.ts';
import { toDeploymentJson } from './worker-json.ts';

type Ids =
  | 'workers.deploy'
  | 'workers.putSecret'
  | 'workers.deleteSecret'
  | 'workers.editSecrets'
  | 'workers.getSubdomain'
  | 'workers.setHost'
  | 'workers.setSchedules'
  | 'workers.beginAssets'
  | 'workers.delete'
  | 'workers.deleteService';

export const deployHandlers: ObjectsHandlers<Ids> = {
  'workers.deploy': async (context, { path, query, body }) => {
    const host = requireHost(context);
    const name = path['script_name']!;
    const [chosen, ...others] = body.versions.filter(({ percentage }) => percentage > 0);
    if (chosen?.percentage !== 100 || others.length > 0)
      throw refuseUnsupported('one version gets all requests here: deploy one with a percentage of 100');
    return await host.inTurn(name, async () => {
      const before = await requireWorker(context, name);
      const version = await context.account.readWorkerVersion(name, chosen.version_id);
      if (version === undefined) throw fault(workerCodes.versionNotFound);
      const bound = readBindings(context, version);
      if (before.deployed !== undefined && version.number < before.deployed.number && query.force !== true) {
        const changed = listChangedSecrets(bound, readBindings(context, before.deployed));
        if (changed.length > 0)
          throw fault(workerCodes.secretsChanged, { fill: { names: changed.join(', ') } });
      }
      await checkStores(context, version.bindings);
      await checkTargets(context, name, version.bindings);
      const { classChanges: changes } = version;
      const {
        created,
        deleted,
        transferred: _transferred,
        ...classes
      } = migrateWaiting(before.worker, version);
      checkClasses(
        { ...classes, created, deleted },
        { worker: name, bindings: version.bindings, exported: version.exportedClasses },
      );
      const deployment = createDeployment(context, version, body.annotations);
      await deployVersion(context, host, {
        before,
        worker: { ...before.worker, ...classes, modifiedAtMs: context.nowMs },
        version: { ...version, classChanges: changes && { ...changes, isApplied: true } },
        secrets: bound.secrets,
        isChanged: changes !== null && !changes.isApplied,
        deployment,
        check() {},
      });
      return ok(toDeploymentJson(deployment));
    });
  },

  async 'workers.putSecret'(context, { path, body: { name, text, type } }) {
    await editSecrets(context, path['script_name']!, { changes: { [name]: text } });
    return ok({ name, type });
  },

  async 'workers.deleteSecret'(context, { path }) {
    await editSecrets(context, path['script_name']!, { changes: { [path['secret_name']!]: null } });
    return ok(null);
  },

  async 'workers.editSecrets'(context, { path, body }) {
    const entries = Object.entries(body.secrets).map(
      ([name, secret]) => [name, secret?.text ?? null] as const,
    );
    const version = await editSecrets(context, path['script_name']!, {
      changes: Object.fromEntries(entries),
    });
    const secrets = version.bindings.filter(({ type }) => type === 'secret_text');
    return ok(secrets.map(({ name, type }) => ({ name, type })));
  },

  async 'workers.getSubdomain'(context) {
    const { domain } = requireHost(context).site;
    if (domain === undefined)
      throw fault(workerCodes.noDomain, { fill: { reason: 'the setting workers_domain is not set' } });
    return ok({ subdomain: domain });
  },

  async 'workers.setHost'(context, { path, body: { enabled, previews_enabled: previews = false } }) {
    const host = requireHost(context);
    const { worker } = await requireWorker(context, path['script_name']!);
    const own = enabled ? findHostName(context, worker.name, host.site.domain) : null;
    const hosting = { name: worker.name, host: own, hasPreviews: enabled && previews };
    await context.account.hostWorker(initiator(context), hosting);
    await context.refresh();
    return ok({ enabled, previews_enabled: enabled && previews });
  },

  async 'workers.setSchedules'(context, { path, body }) {
    const host = requireHost(context);
    const name = path['script_name']!;
    const wanted = [...new Set(body.map(({ cron }) => cron.trim()))];
    for (const cron of wanted) {
      const reason = await host.findCronProblem(cron);
      if (reason !== undefined) throw fault(workerCodes.cronInvalid, { fill: { reason } });
    }
    return await host.inTurn(name, async () => {
      const crons = await context.account.scheduleWorker(initiator(context), name, wanted);
      if (crons === undefined) throw fault(workerCodes.workerNotFound);
      await host.setCrons(name, wanted);
      await context.refresh();
      await host.spread();
      return ok(toSchedulesJson({ crons }));
    });
  },

  async 'workers.beginAssets'(context, { path, body: { manifest } }) {
    const { assets } = requireHost(context);
    const versions = await context.account.listWorkerVersions(path['script_name']!);
    return ok(
      await assets.begin(
        manifest,
        versions.flatMap((version) => version.assets?.manifest ?? []),
      ),
    );
  },

  'workers.delete': (context, { path }) => removeWorker(context, path['script_name']!),
  'workers.deleteService': (context, { path }) => removeWorker(context, path['script_name']!),
};

/** The name belongs to a zone, whose rules are applied before the Worker. */
export function findHostName(
  { directory }: ObjectsContext,
  name: string,
  domain: string | undefined,
): string {
  const refuse = (reason: string): ReturnType<typeof fault> =>
    fault(workerCodes.noDomain, { fill: { reason } });
  if (domain === undefined) throw refuse('the setting workers_domain is not set');
  const zones = [...directory.zones.values()];
  if (!zones.some((zone) => domain === zone.name || domain.endsWith(`.${zone.name}`)))
    throw refuse(
      `workers_domain is ${domain}, which is not in a zone of this account: add the zone ${domain} with POST /zones`,
    );
  if (name.includes('_') || name.endsWith('-'))
    throw refuse(
      `${name} cannot be a part of a host name: give the Worker a name of letters, digits and dashes`,
    );
  return `${name}.${domain}`;
}

interface SecretsEdit {
  /** Null removes a secret. */
  readonly changes: Readonly<Record<string, string | null>>;
  /** Present if the version with the change is not deployed. */
  readonly annotations?: Readonly<Record<string, string>>;
}

export async function editSecrets(
  context: ObjectsContext,
  name: string,
  { changes, annotations }: SecretsEdit,
): Promise<VersionRow> {
  const host = requireHost(context);
  return await host.inTurn(name, async () => {
    const before = await requireWorker(context, name);
    const { worker, latest } = before;
    if (latest === undefined) throw fault(workerCodes.noVersions);
    const isDeployed = annotations === undefined;
    if (isDeployed && latest.id !== before.deployed?.id) throw fault(workerCodes.latestNotDeployed);
    const bound = changeSecrets(readKeptBindings(context, latest), changes);
    const version = createVersion(context, worker, {
      ...latest,
      ...bound,
      annotations: { 'workers/triggered_by': 'secret', ...annotations },
    });
    return await deployVersion(context, host, {
      before,
      worker: { ...worker, versionCount: version.number, modifiedAtMs: context.nowMs },
      version,
      secrets: bound.secrets,
      classes: migrateWaiting(worker, version).classes,
      isChanged: true,
      deployment: isDeployed ? createDeployment(context, version) : undefined,
      check() {},
    });
  });
}

export async function removeWorker(context: ObjectsContext, name: string): Promise<Reply<null>> {
  const host = requireHost(context);
  await host.inTurn(name, async () => {
    const { worker }: WorkerState = await requireWorker(context, name);
    host.directories.markRemoval(worker.id);
    const unused = await context.account.removeWorker(initiator(context), name).catch((error: unknown) => {
      host.directories.keep(worker.id);
      throw error;
    });
    await context.refresh();
    await forgetConsumer(context, name);
    await host.spread();
    await host.remove(worker);
    await host.dropCode(unused);
  });
  return ok(null);
}
