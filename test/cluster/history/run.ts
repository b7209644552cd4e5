/**
 * Histories of real processes, with many faults: `npm run history`, or `npm run history -- 100` for that many faults. With
 * `npm run history -- 10 no-deadline` the hosts have a fault, which must be found.
 */
import { PostgresServer } from '../postgres-server.ts';
import { type Fault, recordHistory } from './history.ts';

const faultsDefault = 20;
const kinds: readonly Fault[] = ['kill', 'stop', 'kill', 'restart-database', 'stop'];

const [given = faultsDefault, plant = 'none'] = process.argv.slice(2) as [string?, ('none' | 'no-deadline')?];
const count = Number(given);
const faults = Array.from({ length: count }, (_, index) => kinds[index % kinds.length]!);
const server = await PostgresServer.start();
try {
  const { problems, acknowledged, unknown } = await recordHistory({ server, faults, leaseMs: 1_000, plant });
  for (const problem of problems) console.log(problem);
  console.log(`${count} faults, ${acknowledged} answers, ${unknown} without: ${problems.length} problems`);
  if (problems.length > 0 !== (plant !== 'none')) process.exitCode = 1;
} finally {
  await server.stop();
}
