/** The entry point of a worker process of the edge. */
import { runChild } from '#processes';
import type { WorkerSetup } from './worker-messages.ts';

const load = (): Promise<typeof import('./edge-worker.ts')> => import('./edge-worker.ts');

runChild(
  async (parent, setup) => {
    const { EdgeWorker } = await load();
    return EdgeWorker.start(parent, setup as WorkerSetup);
  },
  { load },
);
