/** Workers that are uploaded over the API, as Wrangler does it. */
import { workerCodes as codes } from '../../codes/workers.ts';
import { operationsOf } from '../../operation.ts';
import {
  binding,
  ofAccount,
  script,
  several,
  uploading,
  uploadQuery,
  workersFollow,
  workersRead,
  workersWrite,
} from './worker-rows.ts';
import {
  array,
  flag,
  flagParameter,
  ignored,
  integer,
  json,
  listOf,
  map,
  named,
  nothing,
  nullable,
  number,
  object,
  optional,
  pageParameters,
  record,
  string,
  text,
  timestamp,
  unread,
  whole,
} from '#shapes';

const operation = operationsOf({ api: 'workers', read: workersRead, write: workersWrite });

const workerFields = {
  id: string,
  tag: string,
  tags: listOf(string),
  created_on: timestamp,
  modified_on: timestamp,
  handlers: listOf(string),
  compatibility_date: optional(string),
  compatibility_flags: listOf(string),
  migration_tag: optional(string),
  usage_model: string,
  logpush: flag(),
  etag: optional(string),
  last_deployed_from: optional(string),
};
const worker = named('WorkerScript', record(workerFields));

const noted = listOf(json);
const reconciliation = named(
  'WorkerExportsReconciliation',
  record(
    {
      created: noted,
      updated: noted,
      deleted: noted,
      renamed: noted,
      transferred: noted,
      transfer_pending: noted,
      warnings: listOf(
        named('WorkerUploadWarning', record({ scenario: string, class: string, message: string })),
      ),
      info: noted,
      removable_entries: noted,
    },
    'What Wrangler prints about an upload. Its warnings list what has no effect here.',
  ),
);

const settings = named(
  'WorkerSettings',
  record({
    bindings: listOf(binding),
    compatibility_date: optional(string),
    compatibility_flags: listOf(string),
    usage_model: string,
    tags: listOf(string),
    logpush: flag(),
    placement: json,
    limits: optional(json),
    observability: json,
    tail_consumers: json,
    migration_tag: optional(string),
  }),
);

const scriptSettings = named(
  'WorkerScriptSettings',
  record({ tags: listOf(string), logpush: flag(), observability: json, tail_consumers: json }),
);

const scriptSettingsChange = named(
  'WorkerScriptSettingsChange',
  object({
    tags: optional(array(text({ max: 1_000 }), { max: 100 })),
    logpush: optional(flag()),
    observability: optional(unread({ description: 'Kept, and shown again.' })),
    tail_consumers: optional(nullable(array(unread({}), { max: 100 }))),
    streaming_tail_consumers: ignored(),
  }),
);

const subdomain = named('WorkerSubdomain', record({ enabled: flag(), previews_enabled: flag() }));

const migrating = [
  codes.migratedClassNotExported,
  codes.migrationImpossible,
  codes.migrationTag,
  codes.exportsRefused,
] as const;

const names = array(text({ max: 200 }), { max: 50 });
const tailFilter = named(
  'WorkerTailFilter',
  object({
    sampling_rate: optional(number),
    outcome: optional(names),
    method: optional(names),
    header: optional(
      named('WorkerTailHeader', object({ key: text({ max: 200 }), query: optional(text({ max: 1_000 })) })),
    ),
    client_ip: optional(names),
    query: optional(text({ max: 1_000 })),
    scriptVersion: optional(text({ max: 64 })),
  }),
);

/** The client chooses the hash as the name of the file's content. */
const asset = named(
  'WorkerAsset',
  object({ hash: text({ pattern: /^[0-9a-f]{32}$/ }), size: integer({ min: 0, max: 25 * 1024 * 1024 }) }),
);

export const workerOperations = {
  'workers.list': operation('GET /accounts/{account_id}/workers/scripts', {
    ...ofAccount,
    summary: 'List the Workers that were uploaded',
    result: listOf(worker),
  }),
  'workers.upload': operation(`PUT ${script}`, {
    ...several,
    summary: 'Upload a version of a Worker and deploy it',
    query: uploadQuery,
    upload: ['multipart/form-data', 'application/javascript'],
    result: named(
      'UploadedWorker',
      record({
        ...workerFields,
        deployment_id: string,
        startup_time_ms: whole,
        exports_reconciliation: optional(reconciliation),
      }),
    ),
    codes: [...uploading, ...migrating],
  }),
  'workers.download': operation(`GET ${script}`, {
    ...several,
    summary:
      'Read the code of the latest version: the module, or a form with all of them, the main one first',
    result: string,
    media: ['application/javascript', 'multipart/form-data'],
    codes: [codes.workerNotFound, codes.notUploadable, codes.noVersions],
  }),
  'workers.getContent': operation(`GET ${script}/content/v2`, {
    ...several,
    summary: 'Read the code of the latest version, as `GET` of the script does',
    result: string,
    media: ['application/javascript', 'multipart/form-data'],
    codes: [codes.workerNotFound, codes.notUploadable, codes.noVersions],
  }),
  'workers.delete': operation(`DELETE ${script}`, {
    ...several,
    summary: 'Delete a Worker with its versions, secrets, routes and objects',
    query: { force: flagParameter('Ignored.') },
    result: nothing,
    codes: [codes.workerNotFound, codes.notUploadable],
  }),
  'workers.getService': operation('GET /accounts/{account_id}/workers/services/{script_name}', {
    ...ofAccount,
    summary: 'Get a Worker, as Wrangler asks before it deploys',
    result: named(
      'WorkerService',
      record({
        id: string,
        default_environment: named(
          'WorkerEnvironment',
          record({ environment: string, created_on: timestamp, modified_on: timestamp, script: worker }),
        ),
      }),
    ),
    codes: [codes.serviceNotFound],
  }),
  'workers.deleteService': operation('DELETE /accounts/{account_id}/workers/services/{script_name}', {
    ...several,
    summary: 'Delete a Worker, as Wrangler does it',
    query: { force: flagParameter('Ignored.') },
    result: nothing,
    codes: [codes.workerNotFound, codes.notUploadable],
  }),
  'workers.getSettings': operation(`GET ${script}/settings`, {
    ...ofAccount,
    summary: 'Get the bindings and settings of the latest version',
    result: settings,
    codes: [codes.workerNotFound],
  }),
  'workers.listBindings': operation(`GET ${script}/bindings`, {
    ...ofAccount,
    summary: 'List the bindings of the latest version',
    result: listOf(binding),
    codes: [codes.workerNotFound],
  }),
  'workers.getBindingContent': operation(`GET ${script}/bindings/{binding_name}/content`, {
    ...several,
    segments: { ...several.segments, binding_name: /^[\w$-]{1,200}$/ },
    summary: 'Read the module, text or data that a binding of the latest version is',
    result: string,
    media: ['application/octet-stream'],
    codes: [codes.workerNotFound, codes.notUploadable, codes.noVersions, codes.bindingNotFound],
  }),
  'workers.getScriptSettings': operation(`GET ${script}/script-settings`, {
    ...ofAccount,
    summary: 'Get the settings that belong to no version',
    result: scriptSettings,
    codes: [codes.workerNotFound],
  }),
  'workers.editScriptSettings': operation(`PATCH ${script}/script-settings`, {
    ...ofAccount,
    summary: 'Change settings that belong to no version',
    body: scriptSettingsChange,
    result: scriptSettings,
    codes: [codes.workerNotFound],
  }),
  'workers.getSubdomain': operation('GET /accounts/{account_id}/workers/subdomain', {
    ...several,
    summary: 'Get the domain of the host names of Workers',
    result: named('WorkersDomain', record({ subdomain: string })),
    codes: [codes.noDomain, codes.notUploadable],
  }),
  'workers.getHost': operation(`GET ${script}/subdomain`, {
    ...ofAccount,
    summary: 'Whether the Worker has a host name of its own',
    result: subdomain,
    codes: [codes.workerNotFound],
  }),
  'workers.setHost': operation(`POST ${script}/subdomain`, {
    ...several,
    summary: 'Give the Worker a host name of its own, or take it away',
    body: named('WorkerSubdomainChange', object({ enabled: flag(), previews_enabled: optional(flag()) })),
    result: subdomain,
    codes: [codes.workerNotFound, codes.noDomain, codes.notUploadable],
  }),
  'workers.getReferences': operation(`GET ${script}/references`, {
    ...ofAccount,
    summary: 'List the Workers that have bindings to this one or to its objects',
    result: named(
      'WorkerReferences',
      record({
        services: named(
          'WorkerServiceReferences',
          record({ incoming: listOf(json), outgoing: listOf(json) }),
        ),
        durable_objects: listOf(json),
        dispatch_outbounds: listOf(json),
      }),
    ),
    codes: [codes.workerNotFound],
  }),
  'workers.listTailing': operation('GET /accounts/{account_id}/workers/tails/by-consumer/{script_name}', {
    ...ofAccount,
    summary: 'List Workers that send their logs to this one; none does here',
    result: listOf(named('TailedWorker', record({ script: string }))),
  }),
  'workers.createTail': operation(`POST ${script}/tails`, {
    ...several,
    summary: 'Follow the logs of a Worker: returns the address of a WebSocket',
    permissions: workersFollow,
    isWrite: false,
    takesText: true,
    needsHost: true,
    body: optional(named('WorkerTailFilters', object({ filters: optional(array(tailFilter, { max: 50 })) }))),
    result: named('WorkerTail', record({ id: string, url: string, expires_at: timestamp })),
    codes: [codes.workerNotFound, codes.notUploadable, codes.tooManyTails],
  }),
  'workers.listTails': operation(`GET ${script}/tails`, {
    ...several,
    summary: 'List the clients that follow the logs of a Worker',
    permissions: workersFollow,
    result: listOf(named('WorkerTailId', record({ id: string }))),
    codes: [codes.workerNotFound, codes.notUploadable],
  }),
  'workers.deleteTail': operation(`DELETE ${script}/tails/{tail_id}`, {
    ...several,
    summary: 'Stop following the logs of a Worker; a tail that does not exist counts as stopped',
    permissions: workersFollow,
    isWrite: false,
    result: nothing,
    codes: [codes.workerNotFound, codes.notUploadable],
  }),
  'workers.beginAssets': operation(`POST ${script}/assets-upload-session`, {
    ...several,
    summary: 'Start an upload of static assets: returns the missing files and the token to send them with',
    body: named('WorkerAssetsSession', object({ manifest: map(asset, { max: 100_000 }) })),
    bodyBytesMax: 32 * 1024 * 1024,
    result: named('WorkerAssetsMissing', record({ jwt: string, buckets: listOf(listOf(string)) })),
    codes: [codes.notUploadable, codes.assetsRefused],
  }),
  'workers.listObjectNamespaces': operation('GET /accounts/{account_id}/workers/durable_objects/namespaces', {
    ...ofAccount,
    summary: 'List the classes of objects of all Workers',
    query: pageParameters({ fallback: 100, max: 1_000 }),
    result: listOf(
      named(
        'WorkerObjectNamespace',
        record({ id: string, name: string, script: string, class: string, use_sqlite: flag() }),
      ),
    ),
  }),
};
