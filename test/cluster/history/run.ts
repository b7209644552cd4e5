/**
 * Histories of real processes, with many faults: `npm run verify -- history`, or `npm run verify -- history 100` for that many faults, or
 * `npm run verify -- history 100 failover,lose-commits` for those kinds. With `npm run verify -- history 10 stop no-deadline` the hosts have
 * a fault, which must be found. With `npm run verify -- history 24 all none serializable` the database isolates transactions fully, as
 * CockroachDB and YugabyteDB can.
 */
import { PostgresServer } from '../postgres-server.ts';
import { type Fault, faultKinds, recordHistory } from './history.ts';
import type { ChildOptions } from './host-child.ts';

const faultsDefault = 24;

const [given = faultsDefault, chosen = 'all', plant = 'none', isolation] = process.argv.slice(2) as [
  string?,
  string?,
  ChildOptions['plant']?,
  'serializable'?,
];
const count = Number(given);
const kinds = chosen === 'all' ? Object.keys(faultKinds) : chosen.split(',');
for (const kind of kinds) {
  if (Object.hasOwn(faultKinds, kind)) continue;
  console.error(`there is no fault "${kind}": choose from ${Object.keys(faultKinds).join(', ')}`);
  process.exit(2);
}
const faults = Array.from({ length: count }, (_, index) => kinds[index % kinds.length] as Fault);
const server = await PostgresServer.start();
if (isolation !== undefined) {
  await server.execute(`ALTER SYSTEM SET default_transaction_isolation = '${isolation}'`);
  await server.execute('SELECT pg_reload_conf()');
}
try {
  const { problems, acknowledged, unknown } = await recordHistory({ server, faults, leaseMs: 1_000, plant });
  for (const problem of problems) console.log(problem);
  console.log(`${count} faults, ${acknowledged} answers, ${unknown} without: ${problems.length} problems`);
  if (problems.length > 0 !== (plant !== 'none')) process.exitCode = 1;
} finally {
  await server.stop();
}
