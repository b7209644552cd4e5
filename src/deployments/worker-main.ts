/** The entry point of a process that runs a Worker. */
import { runChild } from '#processes';
import type { WorkerSetup } from './worker-messages.ts';

runChild(async (parent, setup) => {
  const { WorkerProcess } = await import('./worker-process.ts');
  return WorkerProcess.start(parent, setup as WorkerSetup);
});
