/** The code of Workers in one of their object hosts. */
import { createBindingClasses } from '#bindings';
import type { HostContext, HostModule } from '#hosts';
import type { WorkerPlan } from './planned-worker.ts';
import { bucketDirectory, consumerService, type ObjectProcessData } from './worker-objects.ts';
import { WorkerSet } from './worker-set.ts';

/** The exports of a module that hosts load for the objects of Workers. */
export function exportWorkerObjects(
  onError: (error: unknown) => void,
): Required<Pick<HostModule, 'classes' | 'createEnv'>> {
  const workers = new WorkerSet({ onError });
  let host: HostContext | undefined;
  let loaded: WorkerPlan | undefined;
  const adopt = (): void => workers.adopt(loaded!, (className) => host!.namespace(className));
  return {
    async classes(data) {
      const { projects, directory } = data as ObjectProcessData;
      loaded = await workers.load(projects);
      // The first time, there is no host yet through which objects can be reached.
      if (host !== undefined) adopt();
      const bindingClasses = createBindingClasses(loaded.declared, {
        namespaceOf: (className) => host!.namespace(className),
        consumer: () => host!.service(consumerService),
        bucketDirectory: bucketDirectory(directory),
        workflowOf: (name) => workers.workflowOf(name),
        log: onError,
      });
      return { ...loaded.classes, ...bindingClasses };
    },
    createEnv(context) {
      host = context;
      adopt();
      return workers.first.platform.env;
    },
  };
}
