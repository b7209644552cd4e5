/** The code of a Worker in one of the hosts of its objects: everything but its default export. */
import { createBindingClasses } from '#bindings';
import type { HostContext, HostModule } from '#hosts';
import { BackgroundWork } from './background.ts';
import { forgetFiles } from './modules/module-loader.ts';
import { makePlan, type Plan } from './plan.ts';
import { platform, usePlatform } from './platform.ts';
import { bucketDirectory, consumerService, type HostedWorkerData } from './worker-objects.ts';

/** What a module exports that hosts load for the objects of a Worker. */
export function hostWorkerObjects(
  onError: (error: unknown) => void,
): Required<Pick<HostModule, 'classes' | 'createEnv'>> {
  const background = new BackgroundWork(onError);
  let host: HostContext | undefined;
  let loaded: Plan | undefined;
  const adopt = (): void => usePlatform(loaded!, (className) => host!.namespace(className), background);
  return {
    async classes(data) {
      const files = new Set<string>();
      try {
        loaded = await makePlan(data as HostedWorkerData, files);
      } finally {
        // The main process watches them.
        forgetFiles(files);
      }
      // The first time, there is no host yet to reach objects by.
      if (host !== undefined) adopt();
      const bindingClasses = createBindingClasses(loaded.config.declared, {
        namespaceOf: (className) => host!.namespace(className),
        consumer: () => host!.service(consumerService),
        bucketDirectory: bucketDirectory((data as HostedWorkerData).directory),
        log: onError,
      });
      return { ...loaded.classes, ...bindingClasses };
    },
    createEnv(context) {
      host = context;
      adopt();
      return platform.env;
    },
  };
}
