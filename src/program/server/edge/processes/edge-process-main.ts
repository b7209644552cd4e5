/** The entry point of an edge process. */
import { runChild } from '#processes';
import type { EdgeProcessSetup } from './edge-process-messages.ts';

const load = (): Promise<typeof import('./edge-process.ts')> => import('./edge-process.ts');

runChild(
  async (parent, setup) => {
    const { EdgeProcess } = await load();
    return EdgeProcess.start(parent, setup as EdgeProcessSetup);
  },
  { load },
);
