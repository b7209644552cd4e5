/**
 * The crash explorer on demand, for as many states as wanted:
 *
 *     npm run crash -- --states 20000 --seed 7
 *
 * Each round records a run of a journal and one of a whole runtime, in every other round with disk faults, and
 * tries crashes of both, some of them twice in a row. What fails names the seed to start from to see it again.
 */
import { parseArgs } from 'node:util';
import { exploreJournal, exploreRuntime } from './explorations.ts';

/** Crashes tried of one recorded run: enough to meet each of its events. */
const roundStates = 500;

const { values } = parseArgs({
  options: { states: { type: 'string', default: '20000' }, seed: { type: 'string', default: '1' } },
});
const states = Number(values.states);
const firstSeed = Number(values.seed);
if (!Number.isSafeInteger(states) || states < 1 || !Number.isSafeInteger(firstSeed)) {
  console.error('usage: npm run crash -- [--states 20000] [--seed 1]');
  process.exit(2);
}
for (let tried = 0, seed = firstSeed; tried < states; tried += roundStates, seed++) {
  const exploration = { seed, states: roundStates, againShare: 0.05, faults: seed % 2 === 0 };
  await exploreRuntime(exploration);
  await exploreJournal(exploration);
  console.log(`seed ${seed}: ${tried + roundStates} crash states of runtimes, and as many of journals`);
}
