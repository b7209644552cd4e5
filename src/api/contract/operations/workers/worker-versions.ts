/** Versions, deployments and secrets of uploaded Workers. To change a secret is to deploy another version. */
import { workerCodes as codes } from '../../codes/workers.ts';
import { operationsOf } from '../../operation.ts';
import {
  binding,
  loading,
  ofAccount,
  script,
  several,
  uploading,
  uploadQuery,
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
  mapOf,
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
  whole,
} from '#shapes';

const operation = operationsOf({ api: 'workers', read: workersRead, write: workersWrite });

export const annotations = named('WorkerAnnotations', mapOf(string));
export const sentAnnotations = optional(map(text({ max: 1_000 }), { max: 20 }));
export const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/**
 * Also accepts a word that is not the id of a version, such as `latest`: the answer is then that the version was not
 * found, not that the path is unknown.
 */
const versionId = /^[\w-]{1,64}$/;
const bindingName = /^[A-Za-z_$][\w$]{0,127}$/;

export const version = named(
  'WorkerVersion',
  record({
    id: string,
    number: whole,
    metadata: named(
      'WorkerVersionMetadata',
      record({
        created_on: timestamp,
        modified_on: timestamp,
        source: string,
        author_email: string,
        has_preview: flag(),
      }),
    ),
    annotations,
    resources: optional(
      named(
        'WorkerVersionResources',
        record({
          bindings: listOf(binding),
          script: named(
            'WorkerVersionScript',
            record({ etag: string, handlers: listOf(string), last_deployed_from: string }),
          ),
          script_runtime: named(
            'WorkerVersionRuntime',
            record({
              compatibility_date: optional(string),
              compatibility_flags: listOf(string),
              usage_model: string,
              limits: json,
            }),
          ),
        }),
      ),
    ),
    startup_time_ms: optional(whole),
  }),
);

const deployment = named(
  'WorkerDeployment',
  record({
    id: string,
    source: string,
    strategy: string,
    author_email: string,
    created_on: timestamp,
    annotations,
    versions: listOf(named('WorkerDeployedVersion', record({ version_id: string, percentage: number }))),
  }),
);

const newDeployment = named(
  'NewWorkerDeployment',
  object({
    strategy: optional(text({ max: 100 })),
    versions: array(
      named(
        'WantedWorkerVersion',
        object({
          version_id: text({ pattern: uuid, what: 'the id of a version' }),
          percentage: integer({ min: 0, max: 100 }),
        }),
      ),
      { min: 1, max: 10 },
    ),
    annotations: sentAnnotations,
    code_update_strategy: ignored(),
  }),
);

/** The value of a secret; Cloudflare's limit is 5 kB. */
const secretText = text({ max: 10_240 });
const newSecret = named(
  'NewWorkerSecret',
  object({
    name: text({ max: 128, pattern: bindingName, what: 'the name of a variable' }),
    text: secretText,
    type: text({ max: 20, pattern: /^secret_text$/, what: 'secret_text' }),
  }),
);
export const changedSecret = named(
  'ChangedWorkerSecret',
  object({ type: text({ max: 20 }), text: secretText, name: ignored() }),
);
const secret = named('WorkerSecret', record({ name: string, type: string }));

const changing = [
  codes.workerNotFound,
  codes.versionNotFound,
  codes.latestNotDeployed,
  codes.noVersions,
] as const;

export const workerVersionOperations = {
  'workers.listVersions': operation(`GET ${script}/versions`, {
    ...ofAccount,
    summary: 'List the stored versions, the newest first',
    query: {
      deployable: flagParameter('Ignored: all stored versions can be deployed.'),
      // More than are kept: a client that does not ask for pages gets all.
      ...pageParameters({ fallback: 100, max: 100 }),
    },
    result: named('WorkerVersions', record({ items: listOf(version) })),
    codes: [codes.workerNotFound],
  }),
  'workers.uploadVersion': operation(`POST ${script}/versions`, {
    ...several,
    summary: 'Upload a version of a Worker without deploying it',
    query: uploadQuery,
    upload: ['multipart/form-data'],
    result: version,
    codes: [...uploading, codes.workerNotFound, codes.versionHasMigration],
  }),
  'workers.getVersion': operation(`GET ${script}/versions/{version_id}`, {
    ...ofAccount,
    segments: { ...ofAccount.segments, version_id: versionId },
    summary: 'Get a version',
    result: version,
    codes: [codes.workerNotFound, codes.versionNotFound],
  }),
  'workers.listDeployments': operation(`GET ${script}/deployments`, {
    ...ofAccount,
    summary: 'List the deployments, the newest first',
    result: named('WorkerDeployments', record({ deployments: listOf(deployment) })),
    codes: [codes.workerNotFound],
  }),
  'workers.deploy': operation(`POST ${script}/deployments`, {
    ...several,
    summary: 'Deploy a version, or go back to one',
    query: { force: flagParameter('Go back even if secrets have changed since.') },
    body: newDeployment,
    result: deployment,
    codes: [...loading, ...changing, codes.secretsChanged, codes.classNotBindable, codes.classNotExported],
  }),
  'workers.getDeployment': operation(`GET ${script}/deployments/{deployment_id}`, {
    ...ofAccount,
    segments: { ...ofAccount.segments, deployment_id: uuid },
    summary: 'Get a deployment',
    result: deployment,
    codes: [codes.workerNotFound, codes.deploymentNotFound],
  }),
  'workers.listSecrets': operation(`GET ${script}/secrets`, {
    ...ofAccount,
    summary: 'List the names of the secrets of the latest version',
    result: listOf(secret),
    codes: [codes.workerNotFound],
  }),
  'workers.putSecret': operation(`PUT ${script}/secrets`, {
    ...several,
    summary: 'Set a secret: a new version is deployed that has it',
    body: newSecret,
    result: secret,
    codes: [...loading, ...changing],
  }),
  'workers.deleteSecret': operation(`DELETE ${script}/secrets/{secret_name}`, {
    ...several,
    segments: { ...ofAccount.segments, secret_name: bindingName },
    summary: 'Delete a secret: a new version is deployed that does not have it',
    query: { url_encoded: flagParameter('Ignored: names of secrets need no encoding.') },
    result: nothing,
    codes: [...loading, ...changing, codes.secretNotFound],
  }),
  'workers.editSecrets': operation(`PATCH ${script}/secrets-bulk`, {
    ...several,
    summary: 'Set and delete several secrets by one version',
    body: named('WorkerSecretsChange', object({ secrets: map(nullable(newSecret), { max: 100 }) })),
    result: listOf(secret),
    codes: [...loading, ...changing],
  }),
};
