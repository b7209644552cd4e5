/** The `env` and `exports` of a Worker and its objects. */
import { explainWhenUsed } from '#base';
import { createBindings } from '#bindings';
import { deferNamespace, DurableObject, type DurableObjectNamespace } from '#objects';
import { AssetEntry } from './assets/asset-server.ts';
import { WorkerEntrypoint } from './modules/cloudflare-workers.ts';
import {
  declaredClass,
  findOwner,
  placeOf,
  type WorkerPlan,
  type PlannedWorker,
  type PreparedWorker,
  runtimeName,
} from './planned-worker.ts';
import { droppingMethods } from './config/platform-keys.ts';
import type { Neighbours } from './services/neighbours.ts';
import type { RemoteStores } from './remote/remote-stores.ts';
import {
  createFetcher,
  createLoopback,
  createServiceStub,
  type ServiceOptions,
} from './services/service-stub.ts';
import type { Surroundings } from './services/service-entry.ts';

/** Where bindings in `env` are looked up when they are used. */
export interface EnvSources {
  readonly namespaceOf: (className: string) => DurableObjectNamespace;
  readonly surroundings: Surroundings;
  /** The stores of the account for `remote: true`; without it, they are stored here. */
  readonly remote?: RemoteStores;
  /** The other Workers of the account. */
  readonly neighbours?: Neighbours | undefined;
}

/** All properties exist before the modules run; they can be used once they have run. */
export function fillEnv(
  worker: PreparedWorker,
  workers: readonly PreparedWorker[],
  sources: EnvSources,
): void {
  const { namespaceOf, surroundings, remote, neighbours } = sources;
  const { config, assets, env } = worker;
  const { queueContentType, leavesOutEmptyFields } = config.compatibility;
  const openRemote = remote && remote.open.bind(remote);
  const settings = { namespaceOf, openRemote, queueContentType, leavesOutEmptyFields };
  Object.assign(env, config.vars, createBindings(config.declared, settings));
  for (const [name, explanation] of config.absent)
    env[name] = explainWhenUsed(explanation, droppingMethods[config.dropping?.get(name) ?? '']);
  bindObjects(worker, workers, sources);
  for (const { name, ...target } of config.services)
    env[name] =
      neighbours === undefined || target.service === config.name
        ? createServiceStub(target, surroundings, seenBy(config))
        : neighbours.openService(target);
  for (const { name, ...objects } of config.elsewhere ?? []) env[name] = neighbours?.openNamespace(objects);
  if (assets !== undefined && config.assets?.binding !== undefined) {
    env[config.assets.binding] = createFetcher(new AssetEntry(assets));
  }
}

/** The namespaces of its bindings. */
export function bindObjects(
  worker: PreparedWorker,
  workers: readonly PreparedWorker[],
  { namespaceOf }: Pick<EnvSources, 'namespaceOf'>,
): void {
  const { bindings, env } = worker;
  for (const binding of bindings) {
    const { name, className } = binding;
    const owner = findOwner(workers, worker, binding);
    if (owner === undefined) env[name] = explainWhenUsed(explainAbsentOwner(name, binding.script!));
    else {
      const { uniqueKey } = placeOf(declaredClass(owner, className), owner, workers);
      const known = runtimeName(workers, owner, className);
      env[name] = deferNamespace({ className: known, uniqueKey }, () => namespaceOf(known));
    }
  }
}

export function describeExports(
  worker: PlannedWorker,
  plan: WorkerPlan,
  { namespaceOf, surroundings }: EnvSources,
): Record<string, unknown> {
  const { config, exports } = worker;
  const shown: Record<string, unknown> = {};
  for (const [name, exported] of Object.entries(exports)) {
    const prototype: unknown = typeof exported === 'function' ? exported.prototype : undefined;
    const entrypoint = name === 'default' ? undefined : name;
    if (prototype instanceof DurableObject) {
      const className = runtimeName(plan.workers, worker, name);
      if (className in plan.classes) shown[name] = namespaceOf(className);
    } else if (name === 'default' || prototype instanceof WorkerEntrypoint) {
      const target = { service: config.name, entrypoint, props: {} };
      shown[name] = createLoopback(target, surroundings, seenBy(config));
    }
  }
  return shown;
}

export function seenBy({ compatibility }: PlannedWorker['config']): ServiceOptions {
  return { hasExtraHandlers: compatibility.hasExtraHandlers ?? false };
}

function explainAbsentOwner(name: string, script: string): string {
  return `the objects of ${name} are those of the Worker "${script}", which is not running here`;
}
