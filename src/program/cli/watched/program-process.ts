/**
 * The process in which a program runs, below its watchdog. A process that it will need is started first, so that both
 * load their code concurrently.
 */
import { letChildrenOutlive, runChild } from '#processes';
import { endPreforkedProcesses, preforkProcesses } from '../prefork-processes.ts';
import { outliveReader } from '../terminal/lost-reader.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { ProgramSetup } from './program-facts.ts';

const args = process.argv.slice(2);
const load = () => Promise.all([import('./start-watched.ts'), import('../report-failure.ts')]);

hideSecrets(args, 'program');
outliveReader();
if (args[0] === 'serve') letChildrenOutlive();
preforkProcesses(args, process.env);
runChild(
  async (parent, setup) => {
    const [{ startWatched }, { reportFailure }] = await load();
    try {
      return await startWatched(parent, args, setup as ProgramSetup);
    } catch (error) {
      const code = await reportFailure(error);
      endPreforkedProcesses();
      process.exit(code);
    }
  },
  { load },
);
