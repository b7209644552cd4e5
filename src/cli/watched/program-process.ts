/**
 * The process in which a program runs, below its watchdog. With `gatehouse serve`, a worker of the edge is started first, so
 * that both load their code at the same time.
 */
import { letChildrenOutlive, runChild } from '#processes';
import { endEdgeProcessAhead, startEdgeProcessAhead } from '../edge-process-ahead.ts';
import { outliveReader } from '../terminal/lost-reader.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { ProgramSetup } from './program-facts.ts';

const args = process.argv.slice(2);
const load = () => Promise.all([import('./start-watched.ts'), import('../report-failure.ts')]);

hideSecrets(args, 'program');
outliveReader();
if (args[0] === 'serve') {
  letChildrenOutlive();
  startEdgeProcessAhead(args, process.env);
}
runChild(
  async (parent, setup) => {
    const [{ startWatched }, { reportFailure }] = await load();
    try {
      return await startWatched(parent, args, setup as ProgramSetup);
    } catch (error) {
      const code = await reportFailure(error);
      endEdgeProcessAhead();
      process.exit(code);
    }
  },
  { load },
);
