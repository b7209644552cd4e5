/**
 * Workers in production: built from a project on this machine, or uploaded over the API. Each version is served by a
 * process of its own, and replaced without refusing a connection.
 *
 * ```ts
 * const worker = await DeployedWorker.start({ name: 'shop', project, directory, settings, listeners, ... });
 * await worker.deploy(nextProject);   // DeployError: the running version stays
 * await worker.rollBack(1);
 * ```
 *
 * An uploaded version is handed over step by step: `#control` stores it as a row and asks its `WorkerHost` to run it as a
 * `RunnableVersion`; `uploads/` is that host, and completes it with its code and files (`CompleteVersion`);
 * `served-worker.ts` starts a process for it; in the process, `uploaded-project.ts` makes of it what `#workers` runs.
 */
export { describeVersions, openWorkerDoor } from './deployments/deployment-handlers.ts';
export { DeployedWorker, type DeployResult } from './deployments/deployed-worker.ts';
export { DeployError, describePart } from './deployments/served-worker.ts';
export { loadNamedFiles, loadUploads } from './deployments/load-uploads.ts';
export { createSocketFolder } from './deployments/uploads/socket-folder.ts';
export type { UploadedWorkers } from './deployments/uploads/uploaded-workers.ts';
export {
  type ClusterPlace,
  ClusterPlaces,
  type ProgramPlace,
} from './deployments/uploads/clustered/cluster-place.ts';
export { storesFolder, workersFolder } from './deployments/uploads/folders.ts';
export {
  type Project,
  readDeclared,
  type StoredVersion,
  VersionStore,
  type WorkerBindings,
} from './deployments/version-store.ts';
export type { ListenerKind, QueueBatch, QueueOutcome } from './deployments/worker-messages.ts';
