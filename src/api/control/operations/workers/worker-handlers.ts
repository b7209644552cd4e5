/** Reads about uploaded Workers, and those of their settings that processes need not know. */
import { listReferences } from './bound-workers.ts';
import { fault, ok, pageOf, workerCodes } from '#contract';
import type { Context, Handlers } from '../../context/handler.ts';
import type { ScriptBinding } from '../../context/worker-host.ts';
import { listMessages } from './upload/upload-notes.ts';
import { changeSettings, type WorkerRow, WorkerStore } from '../../stores/workers.ts';
import {
  toDeploymentJson,
  toNamespaceId,
  toScriptJson,
  toScriptSettingsJson,
  toSettingsJson,
  toVersionJson,
  toVersionSummary,
} from './worker-json.ts';

type Ids =
  | 'workers.list'
  | 'workers.getService'
  | 'workers.getSettings'
  | 'workers.getScriptSettings'
  | 'workers.listBindings'
  | 'workers.editScriptSettings'
  | 'workers.listVersions'
  | 'workers.getVersion'
  | 'workers.listDeployments'
  | 'workers.getDeployment'
  | 'workers.listSecrets'
  | 'workers.getHost'
  | 'workers.getReferences'
  | 'workers.listTailing'
  | 'workers.listObjectNamespaces';

export const workerHandlers: Handlers<Context, Ids> = {
  'workers.list'({ sql }) {
    const store = new WorkerStore(sql);
    return ok(store.list().map((worker) => toScriptJson(worker, store.findDeployed(worker.name))));
  },

  'workers.getService'({ sql }, { path }) {
    const store = new WorkerStore(sql);
    const worker = store.get(path['script_name']!);
    if (worker === undefined) throw fault(workerCodes.serviceNotFound);
    const script = toScriptJson(worker, store.findDeployed(worker.name));
    const { created_on, modified_on } = script;
    return ok({
      id: worker.name,
      default_environment: { environment: 'production', created_on, modified_on, script },
    });
  },

  'workers.getSettings'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    return ok(toSettingsJson(worker, store.findLatest(worker.name)));
  },

  'workers.getScriptSettings': ({ sql }, { path }) =>
    ok(toScriptSettingsJson(find(sql, path).worker.settings)),

  'workers.editScriptSettings'({ sql, nowMs, audit, addMessage }, { path, body }) {
    const { store, worker } = find(sql, path);
    const { tags, logpush, observability, tail_consumers: tailConsumers } = body;
    const settings = changeSettings(worker.settings, { tags, logpush, observability, tailConsumers });
    const [before, after] = [worker.settings, settings].map(toScriptSettingsJson);
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      store.put({ ...worker, settings, modifiedAtMs: nowMs });
      audit({ resource: 'worker_settings', id: worker.name, before, after });
    }
    if (tailConsumers !== undefined)
      for (const message of listMessages(nothingBound, settings)) addMessage(message);
    return ok(after!);
  },

  'workers.listBindings'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    const bindings = store.findLatest(worker.name)?.bindings ?? [];
    return ok(bindings.map((binding) => fillBinding(worker.name, binding)));
  },

  'workers.listVersions'({ sql }, { path, query }) {
    const { store, worker } = find(sql, path);
    const from = (query.page - 1) * query.per_page;
    const versions = store.listVersions(worker.name).slice(from, from + query.per_page);
    return ok({ items: versions.map(toVersionSummary) });
  },

  'workers.getVersion'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    const version = store.getVersion(worker.name, path['version_id']!);
    if (version === undefined) throw fault(workerCodes.versionNotFound);
    return ok(toVersionJson(version));
  },

  'workers.listDeployments'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    return ok({ deployments: store.listDeployments(worker.name).map(toDeploymentJson) });
  },

  'workers.getDeployment'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    const found = store.listDeployments(worker.name).find(({ id }) => id === path['deployment_id']);
    if (found === undefined) throw fault(workerCodes.deploymentNotFound);
    return ok(toDeploymentJson(found));
  },

  'workers.listSecrets'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    const secrets = (store.findLatest(worker.name)?.bindings ?? []).filter(
      ({ type }) => type === 'secret_text',
    );
    return ok(secrets.map(({ name, type }) => ({ name, type })));
  },

  'workers.getHost'({ sql }, { path }) {
    const { worker } = find(sql, path);
    return ok({ enabled: worker.host !== null, previews_enabled: worker.hasPreviews });
  },

  'workers.getReferences'({ sql }, { path }) {
    const { store, worker } = find(sql, path);
    const states = store.list().map((each) => ({ worker: each, deployed: store.findDeployed(each.name) }));
    const { services: incoming, objects } = listReferences(states, worker.name);
    return ok({
      services: { incoming, outgoing: [] },
      durable_objects: objects,
      dispatch_outbounds: [],
    });
  },

  'workers.listTailing': () => ok([]),

  'workers.listObjectNamespaces'({ sql }, { query }) {
    const namespaces = new WorkerStore(sql).list().flatMap(({ id, name: script, classes }) =>
      classes.map(({ name, storage, uniqueKey }) => ({
        id: toNamespaceId(id, { uniqueKey }),
        name: `${script}_${name}`,
        script,
        class: name,
        use_sqlite: storage === 'sql',
      })),
    );
    return pageOf(namespaces, query);
  },
};

const nothingBound = { bindings: [], runtime: { limits: {}, placement: {} } };

/** Adds omitted fields: cloudflare-go 0.x crashes if one of these is missing. */
function fillBinding(script: string, binding: ScriptBinding): ScriptBinding {
  if (binding.type === 'durable_object_namespace') return { script_name: script, ...binding };
  if (binding.type === 'service') return { environment: 'production', ...binding };
  return binding.type === 'd1' ? { database_id: binding['id'], ...binding } : binding;
}

function find(
  sql: Context['sql'],
  path: Readonly<Record<string, string>>,
): { readonly store: WorkerStore; readonly worker: WorkerRow } {
  const store = new WorkerStore(sql);
  const worker = store.get(path['script_name']!);
  if (worker === undefined) throw fault(workerCodes.workerNotFound);
  return { store, worker };
}
