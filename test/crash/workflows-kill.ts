/**
 * Kills a program with workflows at random moments:
 *
 *     npm run verify -- crash:workflows --rounds 200
 */
import { readOptions } from '../../tools/read-options.ts';
import { killWorkflows } from './workflows-kill-loop.ts';

const usage = `usage: npm run verify -- crash:workflows [options]

Kills a program with workflows again and again, and fails if a step was run again whose result was used, if a result was
taken back, or if an instance does not end.

  --rounds COUNT   how often it is killed; 50 by default
  --seed NUMBER    when it is killed; 1 by default
  --help           this text`;
const options = readOptions(usage, {
  rounds: { type: 'string', default: '50' },
  seed: { type: 'string', default: '1' },
});
const { instances, attempts, repeated, problems } = await killWorkflows({
  seed: Number(options.seed),
  rounds: Number(options.rounds),
});
console.log(
  `${options.rounds} kills: ${instances} instances, ${attempts} attempts of steps, ${repeated} of them repeated, ${problems.length} problems`,
);
for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
