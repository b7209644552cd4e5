/**
 * Accounts, zones, tokens and every operation on them. State lives in two classes of stateful objects: `Account`, of which
 * there is one, and `Zone`. A request is routed and checked outside of them, then answered inside, in one transaction.
 *
 * ```ts
 * const control = await Control.open({ directory: './data', bootstrap: { accountName: 'Home', email: 'me@example.com' }, onError });
 * control.bootstrapped?.key; // the owner's key, returned only once
 * await control.answer({ method: 'GET', target: '/client/v4/zones', headers, address: '127.0.0.1', readBody });
 * await control.close();
 * ```
 *
 * Its layers, top down; each imports only those below it:
 * - `pipeline/`: the stages of every request: authenticate, limit, permit, read, dispatch.
 * - `objects/`: the classes `Account` and `Zone`, and their base class, which provides transactions and audit entries.
 * - `operations/<resource>/`: the handlers; a resource has the same name in `contract/operations`.
 * - `migration/`: the conversion of the legacy managed rules, and its obstacles.
 * - `configuration/`: the edge's configuration of a zone, assembled from the stores.
 * - `stores/<resource>`: the tables of the resource.
 * - `context/`: the inputs of a handler: the caller, the directory of accounts, SQL, limits.
 *
 * A row of `contract/operations` defines which object answers an operation (`answeredBy`): the zone in its path, the
 * account, or a handler outside objects that calls several of them. The router, the checks, the OpenAPI document and
 * the authorization tests are derived from the same rows.
 */
export type { Alert } from './control/stores/notifications.ts';
export type { AcmeSettings } from './control/context/acme-settings.ts';
export { Control } from './control/control.ts';
export type { ControlHosts, ControlOptions } from './control/control-options.ts';
export type {
  AssetHost,
  AssetManifest,
  KeptCode,
  LoadedVersion,
  RunnableVersion,
  ScriptBinding,
  ScriptCode,
  TailFilters,
  TailHost,
  ObjectTransfer,
  TransferredClass,
  WorkerHost,
  WorkerSite,
} from './control/context/worker-host.ts';
export type { StoreHost } from './control/operations/stores/store-host.ts';
export { StoreTransfers } from './control/operations/stores/store-transfers.ts';
export type { ControlCluster } from './control/clustered/control-cluster.ts';
export {
  type KeptCounts,
  readCountsOf,
  readOldEventsOf,
  readStateFile,
  readZonesOf,
  writeCountsFile,
  writeStateFile,
} from './control/clustered/cluster-files.ts';
export { readAccountFiles } from './control/objects/account-files.ts';
export { clusterStateName } from './control/objects/cluster-state.ts';
export {
  certificatesKeyFile,
  clusterStorageKinds,
  readCertificatesKey,
} from './control/object-process-environment.ts';
export { accountName as accountObjectName } from './control/objects/account.ts';
export type {
  RecentRequest,
  RecentRequests,
  RequestsRead,
} from './control/operations/rule-effects/recent-requests.ts';
export type { MetricReading, SiteProbe } from './control/operations/several-objects.ts';
export type { BootstrappedAccount } from './control/objects/bootstrap.ts';
export {
  type FeedMessage,
  type FeedSource,
  readConfigurations,
  type WantedZones,
} from './control/operations/edge/configuration-feed.ts';
export {
  certificateStates,
  urgentStates,
  type ZoneCertificate,
} from './control/stores/certificates/zone-certificates.ts';
export type { ResponseReport } from './control/pipeline/pipeline.ts';
