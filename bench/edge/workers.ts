/**
 * The cost and benefit of worker processes of the edge: CPU per request and requests per second with 0 (in the process
 * of the API), 1 and 2 workers, how long a start takes, and how long a visitor waits when all workers hang or are
 * killed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { cpuMsOf } from './children.ts';
import { target, type Table } from './report.ts';

const clients = 16;

/** The standby process has loaded its code by then. */
const settledMs = 1_000;

const main = join(import.meta.dirname, '../../src/program/cli/main.ts');

interface Ready {
  readonly api: string;
  readonly edge: string;
  readonly edge_https?: string;
  readonly token: string;
  readonly zones: readonly { readonly id: string; readonly name: string }[];
}

interface Measured {
  readonly workers: number;
  readonly startMs: number;
  readonly perSecond: number;
  /** For each request: of Gatehouse, and of the load with the origin, which are in this process. */
  readonly cpuMicroseconds: number;
  readonly loadMicroseconds: number;
  /** From all workers stopped (SIGSTOP), and killed, to the first answer. */
  readonly stoppedMs?: number;
  readonly killedMs?: number;
}

export async function benchWorkers(requests: number): Promise<Table> {
  const origin = createServer((_request, response) => response.end('ok'));
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const originUrl = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const measured: Measured[] = [];
  try {
    for (const workers of [0, 1, 2]) measured.push(await measure(workers, originUrl, requests));
  } finally {
    origin.close();
    origin.closeAllConnections();
  }
  return tableOf(measured);
}

function tableOf(measured: readonly Measured[]): Table {
  const [none, one] = [measured[0]!, measured[1]!];
  const inMs = (ms: number | undefined): string =>
    ms === undefined ? '–' : target(`${ms} ms (≤ 1,000)`, ms <= 1_000);
  return {
    title: 'Worker processes',
    header: [
      'workers',
      'ready after',
      'requests/s',
      'CPU of Gatehouse per request',
      'CPU of the load and the origin per request',
      'all workers stopped, to the first answer',
      'all workers killed, to the first answer',
    ],
    rows: measured.map((each) => {
      const start = `${each.startMs} ms`;
      const rate = Math.round(each.perSecond).toLocaleString('en');
      const ratio = each.perSecond / one.perSecond;
      return [
        String(each.workers),
        each.workers === 0 ? start : target(`${start} (≤ 1.1 × without)`, each.startMs <= 1.1 * none.startMs),
        each.workers === 2 ? target(`${rate}, ${ratio.toFixed(2)} × one (≥ 1.5)`, ratio >= 1.5) : rate,
        `${Math.round(each.cpuMicroseconds)} µs`,
        `${Math.round(each.loadMicroseconds)} µs`,
        inMs(each.stoppedMs),
        inMs(each.killedMs),
      ];
    }),
  };
}

async function measure(workers: number, originUrl: string, requests: number): Promise<Measured> {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  try {
    // The first start of a directory creates an account; the second is an ordinary one.
    await using first = await serve(directory, workers);
    const { id } = first.ready.zones[0]!;
    await fetch(`${first.ready.api}/zones/${id}/edge`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${first.ready.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ origin: { url: originUrl } }),
    });
    await first.stop();
    await using second = await serve(directory, workers);
    return { workers, startMs: second.startMs, ...(await measureServed(second, requests)) };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface Served extends AsyncDisposable {
  readonly pid: number;
  readonly ready: Ready;
  readonly workers: number;
  readonly startMs: number;
  stop(): Promise<void>;
}

export async function serve(
  directory: string,
  workers: number,
  further: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const file = join(directory, 'ready.json');
  const flags = {
    ...further,
    data: join(directory, 'data'),
    port: '0',
    'ready-file': file,
    'edge-workers': String(workers),
    'allow-private-origins': 'true',
    // Without it, the process that is started is the program, and the workers are its children.
    watchdog: 'false',
  };
  const args = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value]);
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const startedMs = performance.now();
  const server = spawn(process.execPath, [main, 'serve', ...args], { stdio: 'ignore' });
  const exited = once(server, 'exit');
  const stop = async (): Promise<void> => {
    server.kill('SIGTERM');
    await exited;
  };
  const read = (): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  while (read() === before || read() === '') await delay(5);
  const startMs = Math.round(performance.now() - startedMs);
  const ready = JSON.parse(read()) as Ready;
  return { pid: server.pid!, ready, workers, startMs, stop, [Symbol.asyncDispose]: stop };
}

async function measureServed(
  { pid, ready, workers }: Served,
  requests: number,
): Promise<Omit<Measured, 'workers' | 'startMs'>> {
  const { edge, zones } = ready;
  const { name } = zones[0]!;
  while (listWorkers(pid).length < workers) await delay(20);
  await load(edge, name, requests / 5);
  const pids = [pid, ...listChildren(pid)];
  const before = sumCpuMs(pids);
  const ownBefore = process.cpuUsage();
  const startMs = performance.now();
  await load(edge, name, requests);
  const passedMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(ownBefore);
  const costs = {
    perSecond: (requests / passedMs) * 1_000,
    cpuMicroseconds: ((sumCpuMs(pids) - before) / requests) * 1_000,
    loadMicroseconds: (user + system) / requests,
  };
  if (workers === 0) return costs;
  const stoppedMs = await strike(pid, { edge, name, workers, signal: 'SIGSTOP' });
  const killedMs = await strike(pid, { edge, name, workers, signal: 'SIGKILL' });
  return { ...costs, stoppedMs, killedMs };
}

/** Sends every worker a signal, and returns how long a visitor waits. */
async function strike(
  pid: number,
  { edge, name, workers, signal }: { edge: string; name: string; workers: number; signal: NodeJS.Signals },
): Promise<number> {
  // The usual state of the program: all workers running, and one on standby.
  while (listWorkers(pid).length < workers || listChildren(pid).length <= workers) await delay(20);
  await delay(settledMs);
  for (const worker of listWorkers(pid)) process.kill(worker, signal);
  const startMs = performance.now();
  for (;;) {
    // Connections that a stopped worker has accepted are cut when it is killed.
    const isAnswered = await send(edge, name, new Agent()).then(
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

/** Without the standby. */
export function listWorkers(pid: number): number[] {
  return listChildren(pid).filter((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'latin1').startsWith('gatehouse: edge worker '),
  );
}

function sumCpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuMsOf(pid), 0);
}
