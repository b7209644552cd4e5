/**
 * The crash explorer on demand, for as many states as wanted:
 *
 *     npm run crash -- --states 20000 --kills 200 --seed 7
 *
 * Each round records a run of a journal, of an event store and of a whole runtime, in every other round with disk
 * faults, and tries crashes of each, some of them twice in a row. Then so many real processes are killed. What fails
 * names the seed to start from to see it again.
 */
import { parseArgs } from 'node:util';
import { exploreEventStore, exploreJournal, exploreRuntime } from './explorations.ts';
import { killLoop } from './kill-loop.ts';

/** Crashes tried of one recorded run: enough to meet each of its events. */
const roundStates = 500;

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
  },
});
const [states, kills, firstSeed] = [Number(values.states), Number(values.kills), Number(values.seed)];
if (![states, kills, firstSeed].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('usage: npm run crash -- [--states 20000] [--kills 100] [--seed 1]');
  process.exit(2);
}
for (let tried = 0, seed = firstSeed; tried < states; tried += roundStates, seed++) {
  const exploration = { seed, states: roundStates, againShare: 0.05, faults: seed % 2 === 0 };
  await exploreRuntime(exploration);
  await exploreJournal(exploration);
  await exploreEventStore(exploration);
  console.log(
    `seed ${seed}: ${tried + roundStates} crash states of runtimes, and as many of journals and of event stores`,
  );
}
if (kills > 0) {
  const { acknowledged, checked } = await killLoop({ seed: firstSeed, rounds: kills });
  console.log(
    `${kills} processes killed: ${acknowledged} edits acknowledged, books looked at ${checked} times`,
  );
}
