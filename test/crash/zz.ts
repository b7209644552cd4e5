import { exploreRuntime } from './explorations.ts';
const t = Date.now();
const [seed = '1', states = '50', againShare = '0', faults = ''] = process.argv.slice(2);
await exploreRuntime({
  seed: Number(seed),
  states: Number(states),
  againShare: Number(againShare),
  faults: faults !== '',
});
console.log('ok', Date.now() - t);
