/** The entry point of a process that runs a Worker. */
import { runChild } from '#processes';
import type { WorkerSetup } from './worker-messages.ts';

const load = (): Promise<typeof import('./worker-process.ts')> => import('./worker-process.ts');

runChild(
  async (parent, setup) => {
    const { WorkerProcess } = await load();
    return WorkerProcess.start(parent, setup as WorkerSetup);
  },
  { load },
);
