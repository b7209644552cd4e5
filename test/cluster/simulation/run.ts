/**
 * Runs simulated clusters with many seeds: `npm run verify -- simulate`, or `npm run verify -- simulate 100000` for
 * that many, or `npm run verify -- simulate 7 8` for the seeds from 7 up to 8. Prints results that clients must not
 * see, with the seed that reproduces them.
 */
import { simulate } from './simulate.ts';

const seedsDefault = 1_000;

const [first = seedsDefault, last] = process.argv.slice(2).map(Number);
const [from, to] = last === undefined ? [1, first] : [first, last];
let acknowledged = 0;
let failed = 0;
for (let seed = from; seed <= to; seed++) {
  const run = await simulate(seed);
  acknowledged += run.acknowledged;
  if (run.problems.length === 0) continue;
  failed++;
  console.log(`seed ${seed}: ${run.problems.slice(0, 3).join('; ')}`);
}
console.log(`${to - from + 1} seeds, ${acknowledged} answers, ${failed} seeds with problems`);
if (failed > 0) process.exitCode = 1;
