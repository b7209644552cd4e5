/**
 * The operator calls of a Worker in production, through the socket in its data directory: this process answers for its
 * versions, the Worker's process for its objects.
 */
import { type Log, StartError } from '#base';
import type { PrivateListener } from '#listeners';
import { fault, ok, operatorCodes, type OperatorOperations, type ResultOf } from '#contract';
import { openDoor, type OperatorHandlers } from '#operator';
import type { DeployedWorker } from './deployed-worker.ts';
import { DeployError } from './served-worker.ts';
import type { StoredVersion } from './version-store.ts';

type DeploymentHandlers = Pick<
  OperatorHandlers,
  'deployments.list' | 'deployments.create' | 'deployments.rollBack'
>;
type Deployed = ResultOf<OperatorOperations['deployments.create']>;

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

function createDeploymentHandlers(worker: DeployedWorker, log: Log): DeploymentHandlers {
  const change = async (work: () => Promise<{ readonly isNew: boolean }>): Promise<Deployed> => {
    try {
      const { isNew } = await work();
      return { ...describeVersions(worker.list(), worker.current.number), is_changed: isNew };
    } catch (error) {
      if (!(error instanceof DeployError) && !(error instanceof StartError)) throw error;
      log.error('could not deploy a Worker', { reason: error.message });
      throw fault(operatorCodes.deploymentRefused, { fill: { reason: error.message } });
    }
  };
  return {
    'deployments.list': async () => ok(describeVersions(worker.list(), worker.current.number)),
    async 'deployments.create'(_call, { body: { path, environment, workers = [] } = {} }) {
      const project = path === undefined ? undefined : { path, environment, workers };
      return ok(await change(() => worker.deploy(project)));
    },
    'deployments.rollBack': async (_call, { body }) => ok(await change(() => worker.rollBack(body?.version))),
  };
}

export function describeVersions(
  versions: readonly StoredVersion[],
  current: number | undefined,
): ResultOf<OperatorOperations['deployments.list']> {
  return {
    ...(current === undefined ? {} : { current }),
    versions: versions.map(({ number, createdAt, path, environment, workers }) => ({
      number,
      created_on: createdAt,
      path,
      ...(environment === undefined ? {} : { environment }),
      workers,
    })),
  };
}
