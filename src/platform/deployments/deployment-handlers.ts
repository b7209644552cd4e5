/** The handlers by which operators change the version of a Worker, through the socket in its data directory. */
import { type Log, StartError } from '#base';
import { fault, ok, operatorCodes, type OperatorOperations, type ResultOf } from '#contract';
import type { OperatorHandlers } from '#operator';
import type { DeployedWorker } from './deployed-worker.ts';
import { DeployError } from './served-worker.ts';
import type { Version } from './version-store.ts';

type Handlers = Pick<OperatorHandlers, 'deployments.list' | 'deployments.create' | 'deployments.rollBack'>;
type Deployed = ResultOf<OperatorOperations['deployments.create']>;

export function createDeploymentHandlers(worker: DeployedWorker, log: Log): Handlers {
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
  versions: readonly Version[],
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
