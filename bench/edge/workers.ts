/**
 * What worker processes of the edge cost and bring: CPU per request and requests per second with 0 (in the process of the
 * API), 1 and 2 workers, and the time from a stopped worker to the first answer of its successor.
 *
 *     node bench/edge/workers.ts [requests]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const requests = Number(process.argv[2] ?? 5_000);
const clients = 16;
const main = join(import.meta.dirname, '../../src/cli/main.ts');

interface Ready {
  readonly api: string;
  readonly edge: string;
  readonly token: string;
  readonly zones: readonly { readonly id: string; readonly name: string }[];
}

const origin = createServer((_request, response) => response.end('ok'));
await once(origin.listen(0, '127.0.0.1'), 'listening');
const originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;

console.log(
  '| workers | requests/s | CPU of Gatehouse per request | CPU of the load and the origin per request | replaced after |',
);
console.log('|---|---|---|---|---|');
for (const workers of [0, 1, 2]) console.log(await measure(workers));
origin.close();
origin.closeAllConnections();

async function measure(workers: number): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const file = join(directory, 'ready.json');
  const flags = {
    data: join(directory, 'data'),
    port: '0',
    'ready-file': file,
    'edge-workers': String(workers),
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const server = spawn(process.execPath, [main, 'serve', ...args, '--allow-private-origins', 'true'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  try {
    while (!existsSync(file)) await delay(20);
    const ready = JSON.parse(readFileSync(file, 'utf8')) as Ready;
    const { id, name } = ready.zones[0]!;
    await fetch(`${ready.api}/zones/${id}/edge`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ origin: { url: originUrl } }),
    });
    while (listChildren(server.pid!).length < workers) await delay(20);
    await load(ready.edge, name, 1_000);
    const pids = [server.pid!, ...listChildren(server.pid!)];
    const before = sumCpuMs(pids);
    const ownBefore = process.cpuUsage();
    const startMs = performance.now();
    await load(ready.edge, name, requests);
    const passedMs = performance.now() - startMs;
    const cpu = ((sumCpuMs(pids) - before) / requests) * 1_000;
    const { user, system } = process.cpuUsage(ownBefore);
    const replacedMs = workers === 0 ? '–' : `${await stopAll(server.pid!, ready.edge, name)} ms`;
    const rate = Math.round((requests / passedMs) * 1_000);
    return `| ${workers} | ${rate} | ${Math.round(cpu)} µs | ${Math.round((user + system) / requests)} µs | ${replacedMs} |`;
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Stops every worker, and returns how long a visitor waits. */
async function stopAll(pid: number, edge: string, host: string): Promise<number> {
  for (const child of listChildren(pid)) process.kill(child, 'SIGSTOP');
  const startMs = performance.now();
  for (;;) {
    // What a stopped worker has accepted is cut when it is ended.
    const isAnswered = await send(edge, host, new Agent()).then(
      () => true,
      () => false,
    );
    if (isAnswered) return Math.round(performance.now() - startMs);
  }
}

async function load(edge: string, host: string, count: number): Promise<void> {
  let sent = 0;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (sent++ < count) await send(edge, host, agent);
      agent.destroy();
    }),
  );
}

async function send(edge: string, host: string, agent: Agent): Promise<void> {
  const outgoing = request(edge, { agent, headers: { host } }).end();
  const [incoming] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
  incoming.resume();
  await once(incoming, 'end');
}

function listChildren(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** CPU time of processes so far; a tick of Linux is 10 ms. */
function sumCpuMs(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks * 10;
}
