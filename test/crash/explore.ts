/**
 * The crash explorer on demand, for as many states as wanted:
 *
 *     npm run crash -- --states 20000 --seed 7
 *
 * Each round records one run of the journal with disk faults, one without, and one of a whole runtime, and tries
 * crashes of each. What fails names the seed and the state that replay it: `--seed` and `--round-states` as told.
 */
import { parseArgs } from 'node:util';
import { exploreJournal, exploreRuntime } from './explorations.ts';

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    'round-states': { type: 'string', default: '500' },
  },
});
const statesMax = Number(values.states);
const roundStates = Number(values['round-states']);
let seed = Number(values.seed);
if (
  ![statesMax, roundStates].every((number) => Number.isInteger(number) && number > 0) ||
  !Number.isInteger(seed)
) {
  console.error('usage: npm run crash -- [--states 20000] [--seed 1] [--round-states 500]');
  process.exit(2);
}
for (let tried = 0; tried < statesMax; seed++) {
  const states = Math.min(roundStates, statesMax - tried);
  await exploreRuntime({ seed, states });
  await exploreJournal({ seed, states, faults: false });
  await exploreJournal({ seed, states, faults: true });
  tried += states;
  console.log(
    `seed ${seed}: ${states} crash states of a runtime, ${2 * states} of a journal; ${tried} of ${statesMax}`,
  );
}
