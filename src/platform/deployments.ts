/**
 * Versions of a Worker on this machine: built, stored, served by a process of its own, and replaced without refusing a
 * connection.
 *
 * ```ts
 * const worker = await DeployedWorker.start({ name: 'shop', project, directory, settings, listeners, ... });
 * await worker.deploy(nextProject);   // DeployError: the running version stays
 * await worker.rollBack(1);
 * ```
 */
export { createDeploymentHandlers, describeVersions } from './deployments/deployment-handlers.ts';
export { DeployedWorker, type Deployment } from './deployments/deployed-worker.ts';
export { DeployError } from './deployments/served-worker.ts';
export { LoadError, type LoadedVersion, UploadedWorker } from './deployments/uploaded-worker.ts';
export {
  type Project,
  readDeclared,
  type Version,
  VersionStore,
  type WorkerBindings,
} from './deployments/version-store.ts';
export type { ListenerKind, QueueBatch, QueueOutcome } from './deployments/worker-messages.ts';
