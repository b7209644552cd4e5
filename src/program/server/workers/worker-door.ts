/**
 * The operator calls of a Worker in production: this process answers for its versions, the Worker's process for its
 * objects.
 */
import type { Log, PrivateListener } from '#base';
import { createDeploymentHandlers, type DeployedWorker } from '#deployments';
import { openDoor } from '#operator';

export function openWorkerDoor(
  worker: DeployedWorker,
  { directory, log }: { readonly directory: string; readonly log: Log },
): Promise<PrivateListener | undefined> {
  return openDoor({
    directory,
    handlers: createDeploymentHandlers(worker, log),
    hasWorker: true,
    onError: (error) => log.error('a request of an operator failed', { error }),
    warn: (message) => log.warn(message),
  });
}
