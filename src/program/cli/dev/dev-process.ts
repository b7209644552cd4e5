/** The process in which `gatehouse dev` runs a Worker and its objects. */
import { runChild } from '#processes';
import { passLostReader } from '../terminal/lost-reader.ts';
import type { DevSetup } from './start-dev.ts';

passLostReader();
runChild(async (parent, setup) => {
  const [{ startDev }, { reportFailure }] = await Promise.all([
    import('./start-dev.ts'),
    import('../report-failure.ts'),
  ]);
  try {
    const worker = await startDev(parent, setup as DevSetup);
    return { value: worker.url, stop: () => worker.stop() };
  } catch (error) {
    process.exit(await reportFailure(error));
  }
});
