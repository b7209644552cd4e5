/** The process in which `gatehouse dev` runs a Worker and its objects. */
import { runChild } from '#processes';
import type { DevSetup } from './start-dev.ts';

runChild(async (parent, setup) => {
  const [{ startDev }, { reportFailure }] = await Promise.all([
    import('./start-dev.ts'),
    import('./report-failure.ts'),
  ]);
  try {
    const worker = await startDev(setup as DevSetup);
    return {
      value: worker.url,
      async stop() {
        // Its parent need not wait for code that holds this process.
        void parent.send('stopping');
        await worker.stop();
      },
    };
  } catch (error) {
    process.exit(reportFailure(error));
  }
});
