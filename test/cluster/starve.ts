/**
 * A cluster of three hosts on a machine whose cores other processes keep busy: `npm run verify -- starve`, or `npm run verify -- starve 30` for
 * 30 minutes instead of ten. No host may lose its lease, no caller may get an error, and no counter may miss a call.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { leaseMsDefault } from '../../src/runtime/cluster/limits.ts';
import { ChildHost } from './history/child-host.ts';
import { PostgresServer } from './postgres-server.ts';

const minutesDefault = 10;
const hostCount = 3;
const clientCount = 6;
const objectCount = 24;
/** For each core, so that other processes have to wait for it. */
const burnersPerCore = 2;

const minutes = Number(process.argv[2] ?? minutesDefault);
const server = await PostgresServer.start();
const url = await server.createDatabase();
const database = new URL(url).pathname.slice(1);
const hosts: ChildHost[] = [];
const burners: ChildProcess[] = [];
const errors = new Map<string, number>();
const counts = new Map<string, number>();
let numbers = 0;
const over = new AbortController();

const parentGone = '"disconnect", () => process.exit()';
function startBurner(): ChildProcess {
  // In turns, so that it notices when this process exits.
  const program = `process.on(${parentGone}); (function burn() { for (let i = 0; i < 1e8; i++); setImmediate(burn); })()`;
  return spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

async function callOn(client: number): Promise<void> {
  for (let turn = client; !over.signal.aborted; turn++) {
    const object = `${turn % 2 === 0 ? 'kv' : 'sql'} ${turn % objectCount}`;
    const answer = await hosts[turn % hostCount]!.ask({ number: ++numbers, kind: 'increment', object });
    const error = answer === undefined ? 'the host has ended' : 'error' in answer ? answer.error : undefined;
    if (error === undefined) counts.set(object, (counts.get(object) ?? 0) + 1);
    else errors.set(error, (errors.get(error) ?? 0) + 1);
  }
}

try {
  for (let i = 0; i < hostCount; i++)
    hosts.push(
      await ChildHost.start({
        urls: [url],
        path: server.socketPath,
        leaseMs: leaseMsDefault,
        plant: 'none',
      }),
    );
  for (let i = 0; i < burnersPerCore * availableParallelism(); i++) burners.push(startBurner());
  const clients = Array.from({ length: clientCount }, (_, client) => callOn(client));
  await delay(minutes * 60_000);
  over.abort();
  await Promise.all(clients);
  let missing = 0;
  for (const [object, count] of counts) {
    const answer = await hosts[0]!.ask({ number: ++numbers, kind: 'read', object });
    if (answer === undefined || !('value' in answer) || (answer.value as number) < count) missing++;
  }
  const lost = (await server.execute('SELECT id FROM gatehouse.host WHERE dead', database)).length;
  const calls = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `${minutes} minutes, ${hostCount} hosts, ${burners.length} busy processes on ${availableParallelism()} cores: ${calls} calls, ${failed} errors, ${lost} leases lost, ${missing} counters that miss calls`,
  );
  for (const [error, count] of errors) console.log(`${count} x ${error}`);
  if (failed + lost + missing > 0) process.exitCode = 1;
} finally {
  over.abort();
  for (const burner of burners) burner.kill('SIGKILL');
  await Promise.all(hosts.map((host) => host.kill()));
  await server.stop();
}
