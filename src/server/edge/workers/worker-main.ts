/** The entry point of a worker process of the edge. */
import { runChild } from '#processes';
import type { WorkerSetup } from './worker-messages.ts';

runChild(async (parent, setup) => {
  const { EdgeWorker } = await import('./edge-worker.ts');
  return EdgeWorker.start(parent, setup as WorkerSetup);
});
