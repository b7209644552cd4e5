/**
 * The crash explorer on demand, for any number of states:
 *
 *     npm run verify -- crash --states 20000 --kills 200 --seed 7
 *     npm run verify -- crash --states 5000 --kills 50 --hosts 2
 *
 * With hosts, the objects are in that many: runtimes with a log each for simulated crashes, real processes for kills,
 * of which hosts and the process that has started them are the victims. Crashes of moves to another number of hosts,
 * and recovery against its model, are tried as well.
 *
 * Each round records a run of a journal, of an event store and of a whole runtime, in every other round with disk
 * faults, and tries crashes of each, some of them twice in a row. Then this many real processes are killed. A failure
 * names the seed that reproduces it.
 */
import { parseArgs } from 'node:util';
import { recoverOnHosts } from '../hosts/recovery.ts';
import { exploreEventStore, exploreJournal, exploreRuntime } from './explorations.ts';
import { killLoop } from './kill-loop.ts';
import { exploreMoves } from './moves.ts';

/** Crashes tried of one recorded run: enough to hit each of its events. */
const roundStates = 500;

const { values } = parseArgs({
  options: {
    states: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    hosts: { type: 'string', default: '0' },
  },
});
const [states, kills, firstSeed, hosts] = [values.states, values.kills, values.seed, values.hosts].map(
  Number,
) as [number, number, number, number];
if (![states, kills, firstSeed, hosts].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  console.error('usage: npm run verify -- crash [--states 20000] [--kills 100] [--seed 1] [--hosts 0]');
  process.exit(2);
}
for (let tried = 0, seed = firstSeed; tried < states; tried += roundStates, seed++) {
  const exploration = { seed, states: roundStates, againShare: 0.05, faults: seed % 2 === 0, hosts };
  await exploreRuntime(exploration);
  if (hosts > 0) {
    await exploreMoves({ seed, states: roundStates });
    await recoverOnHosts({ seed, hosts, steps: 300, restores: 100, reopens: 4, kills: 4 });
    console.log(`seed ${seed}: crashes of runtimes with hosts and of moves, recovery on hosts`);
    continue;
  }
  await exploreJournal(exploration);
  await exploreEventStore(exploration);
  console.log(
    `seed ${seed}: ${tried + roundStates} crash states of runtimes, and as many of journals and of event stores`,
  );
}
if (kills > 0) {
  const { acknowledged, checked } = await killLoop({ seed: firstSeed, rounds: kills, hosts });
  console.log(
    `${kills} processes killed: ${acknowledged} edits acknowledged, books looked at ${checked} times`,
  );
}
