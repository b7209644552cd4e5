/** The code of Workers in one of the hosts of their objects. */
import type { HostContext, HostModule } from '#hosts';
import type { Plan } from './plan.ts';
import type { BuiltProject } from './project.ts';
import { WorkerSet } from './worker-set.ts';

/** What the main process passes to its hosts. */
export interface HostedWorkerData {
  readonly projects: readonly BuiltProject[];
}

/** What a module exports that hosts load for the objects of Workers. */
export function hostWorkerObjects(
  onError: (error: unknown) => void,
): Required<Pick<HostModule, 'classes' | 'createEnv'>> {
  const workers = new WorkerSet({ onError });
  let host: HostContext | undefined;
  let loaded: Plan | undefined;
  const adopt = (): void => workers.adopt(loaded!, (className) => host!.namespace(className));
  return {
    async classes(data) {
      loaded = await workers.load((data as HostedWorkerData).projects);
      // The first time, there is no host yet to reach objects by.
      if (host !== undefined) adopt();
      return loaded.classes;
    },
    createEnv(context) {
      host = context;
      adopt();
      return workers.first.platform.env;
    },
  };
}
