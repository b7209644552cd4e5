/**
 * Workers and their versions as resources with ids, as Terraform and the SDKs have them: a Worker exists before it has
 * a version, and a version is uploaded as JSON. The same Workers are under `/workers/scripts`.
 */
import { workerCodes as codes } from '../../codes/workers.ts';
import { operationsOf } from '../../operation.ts';
import { binding, loading, uploading, workersRead, workersWrite } from './worker-rows.ts';
import { annotations, changedSecret, sentAnnotations, uuid, version } from './worker-versions.ts';
import {
  array,
  choiceParameter,
  decimal,
  flag,
  ignored,
  json,
  listOf,
  map,
  named,
  nothing,
  nullable,
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

const all = '/accounts/{account_id}/workers/workers';
const one = `${all}/{worker_id}` as const;
const versions = `${one}/versions` as const;
/** A name also counts as an id: Wrangler uses names. */
const workerId = /^[a-z0-9_][a-z0-9_-]{0,62}$/;
const common = { api: 'workers', answeredBy: 'several objects', segments: { worker_id: workerId } } as const;

const operation = operationsOf({ ...common, read: workersRead, write: workersWrite });

const destinations = optional(array(text({ max: 200 }), { max: 20 }));
const rate = optional(decimal({ min: 0, max: 1 }));
const observability = named(
  'WorkerObservability',
  object({
    enabled: optional(flag()),
    head_sampling_rate: rate,
    logs: optional(
      named(
        'WorkerLogSettings',
        object({
          enabled: optional(flag()),
          head_sampling_rate: rate,
          invocation_logs: optional(flag()),
          persist: optional(flag()),
          destinations,
        }),
      ),
    ),
    traces: optional(
      named(
        'WorkerTraceSettings',
        object({
          enabled: optional(flag()),
          head_sampling_rate: rate,
          persist: optional(flag()),
          propagation_policy: optional(text({ max: 40 })),
          destinations,
        }),
      ),
    ),
  }),
);
const tailConsumer = named('WorkerTailConsumer', object({ name: text({ max: 63 }) }));
const settings = {
  logpush: optional(flag()),
  observability: optional(observability),
  subdomain: optional(
    named(
      'WorkerHostWanted',
      object({
        enabled: optional(flag()),
        previews_enabled: optional(flag()),
        url: ignored(),
        preview_url_suffix: ignored(),
      }),
    ),
  ),
  tags: optional(array(text({ max: 1_000 }), { max: 100 })),
  tail_consumers: optional(array(tailConsumer, { max: 100 })),
};
const name = text({
  pattern: workerId,
  what: 'a name of lower-case letters, digits, dashes and underscores',
});

const worker = named(
  'Worker',
  record({
    id: string,
    name: string,
    created_on: timestamp,
    updated_on: timestamp,
    deployed_on: nullable(timestamp),
    logpush: flag(),
    observability: json,
    tags: listOf(string),
    tail_consumers: listOf(named('WorkerTailedBy', record({ name: string }))),
    subdomain: named(
      'WorkerHost',
      record({ enabled: flag(), previews_enabled: flag(), url: optional(string) }),
    ),
    references: named(
      'WorkerUses',
      record({
        dispatch_namespace_outbounds: listOf(json),
        domains: listOf(
          named(
            'WorkerDomainUse',
            record({ id: string, hostname: string, zone_id: string, zone_name: string }),
          ),
        ),
        durable_objects: listOf(json),
        queues: listOf(
          named(
            'WorkerQueueUse',
            record({ queue_consumer_id: string, queue_id: string, queue_name: string }),
          ),
        ),
        workers: listOf(json),
      }),
    ),
  }),
);

const sentModule = named(
  'NewWorkerModule',
  object({
    name: text({ min: 1, max: 500 }),
    content_type: text({ max: 100 }),
    content_base64: text({ max: 45_000_000 }),
  }),
);
const newVersion = named(
  'NewWorkerVersion',
  object({
    main_module: optional(text({ min: 1, max: 500 })),
    modules: optional(array(sentModule, { max: 1_000 })),
    compatibility_date: optional(text({ max: 40 })),
    compatibility_flags: optional(array(text({ max: 100 }), { max: 100 })),
    bindings: optional(array(unread({ type: 'object' }), { max: 1_000 })),
    annotations: sentAnnotations,
    assets: optional(unread({ description: 'The token of a session, and how the files are served.' })),
    migrations: optional(unread({ description: 'Applied when the version is deployed.' })),
    exports: optional(unread({ description: 'Applied when the version is deployed.' })),
    limits: optional(unread({ description: 'Kept, and shown again.' })),
    placement: optional(unread({ description: 'Kept, and shown again.' })),
    containers: optional(unread({ description: 'There are none: a list that is not empty is refused.' })),
    usage_model: ignored(),
    package_dependencies: ignored(),
    cache_options: ignored(),
  }),
);
const shownVersion = named(
  'WorkerVersionResource',
  record({
    id: string,
    number: whole,
    created_on: timestamp,
    source: string,
    main_module: string,
    modules: optional(
      listOf(named('WorkerModule', record({ name: string, content_type: string, content_base64: string }))),
    ),
    compatibility_date: optional(string),
    compatibility_flags: listOf(string),
    bindings: listOf(binding),
    annotations,
    limits: json,
    placement: optional(json),
    assets: optional(json),
    migrations: optional(json),
    exports: optional(json),
    cache_options: json,
    migration_tag: optional(string),
    startup_time_ms: whole,
    usage_model: string,
    urls: listOf(string),
  }),
);
const included = choiceParameter(['modules'], 'Additional parts of the response.');

export const workerResourceOperations = {
  'workers.listAll': operation(`GET ${all}`, {
    summary: 'List the Workers of the account, with ids',
    query: pageParameters({ fallback: 10, max: 100 }),
    result: listOf(worker),
  }),
  'workers.create': operation(`POST ${all}`, {
    summary: 'Add a Worker that has no version yet',
    body: named('NewWorker', object({ name, ...settings })),
    result: worker,
    codes: [codes.notUploadable, codes.nameTaken, codes.invalid, codes.tooManyWorkers, codes.noDomain],
  }),
  'workers.get': operation(`GET ${one}`, {
    summary: 'Get a Worker with its host name, by its id or its name',
    result: worker,
    codes: [codes.workerNotFound],
  }),
  'workers.replace': operation(`PUT ${one}`, {
    summary: 'Set the properties of a Worker that belong to no version; omitted properties get their default',
    body: named('WorkerContent', object({ name, ...settings })),
    result: worker,
    codes: [codes.workerNotFound, codes.notUploadable, codes.unsupported, codes.noDomain],
  }),
  'workers.edit': operation(`PATCH ${one}`, {
    summary: 'Change the properties of a Worker that belong to no version; omitted properties stay',
    body: named('WorkerChange', object({ name: optional(name), ...settings })),
    result: worker,
    codes: [codes.workerNotFound, codes.notUploadable, codes.unsupported, codes.noDomain],
  }),
  'workers.remove': operation(`DELETE ${one}`, {
    summary: 'Delete a Worker with its versions, secrets, routes and objects, by its id or its name',
    result: nothing,
    codes: [codes.workerNotFound, codes.notUploadable],
  }),
  'workers.listAllVersions': operation(`GET ${versions}`, {
    summary: 'List the stored versions of a Worker, the newest first',
    query: pageParameters({ fallback: 10, max: 100 }),
    result: listOf(shownVersion),
    codes: [codes.workerNotFound],
  }),
  'workers.createVersion': operation(`POST ${versions}`, {
    summary: 'Add a version of a Worker without deploying it; its migrations wait for that',
    body: newVersion,
    bodyBytesMax: 48 * 1024 * 1024,
    result: shownVersion,
    codes: [
      ...uploading,
      codes.workerNotFound,
      codes.migratedClassNotExported,
      codes.migrationImpossible,
      codes.migrationTag,
      codes.exportsRefused,
    ],
  }),
  'workers.readVersion': operation(`GET ${versions}/{version_id}`, {
    segments: { ...common.segments, version_id: uuid },
    summary: 'Get a version of a Worker, with its modules if requested',
    query: { include: included },
    result: shownVersion,
    codes: [codes.workerNotFound, codes.versionNotFound, codes.notUploadable],
  }),
  'workers.editLatestVersion': operation(`PATCH ${versions}/latest`, {
    summary: 'Create a version that differs from the latest in its secrets, without deploying it',
    body: named(
      'WorkerVersionChange',
      object({ env: map(nullable(changedSecret), { max: 100 }), annotations: sentAnnotations }),
    ),
    result: version,
    codes: [
      ...loading,
      codes.workerNotFound,
      codes.versionNotFound,
      codes.latestNotDeployed,
      codes.noVersions,
    ],
  }),
};
