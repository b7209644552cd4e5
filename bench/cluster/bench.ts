/**
 * Objects on a cluster, beside the same objects in a directory:
 *
 *     node bench/cluster/bench.ts [--small]
 *
 * The database is a real PostgreSQL on this machine, with syncs to disk; everything shares its cores.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { joinCluster } from '../../src/runtime/cluster.ts';
import { type Runtime, createRuntime } from '../../src/runtime/objects.ts';
import { PostgresServer } from '../../test/cluster/postgres-server.ts';
import { type Counter, type HostOptions, type Work, type WorkDone, classes } from './host.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const seconds = options.small ? 0.5 : 10;
const activeObjects = options.small ? 500 : 10_000;
const kills = options.small ? 2 : 50;
const callsAlone = options.small ? 200 : 5_000;
const callsInFlight = options.small ? 1_000 : 50_000;
const commitsAsked = 12_000;
const failoverSecondsAsked = 5;

const scratch = mkdtempSync(join(tmpdir(), 'gatehouse-bench-cluster-'));
let directories = 0;

class Host {
  readonly process: ChildProcess;

  private constructor(child: ChildProcess) {
    this.process = child;
  }

  static async start(own: Omit<HostOptions, 'directory'> = {}): Promise<Host> {
    const directory = join(scratch, String(++directories));
    const child = fork(join(import.meta.dirname, 'host.ts'), [JSON.stringify({ ...own, directory })]);
    await once(child, 'message');
    return new Host(child);
  }

  async work(work: Work): Promise<WorkDone> {
    const done = once(this.process, 'message');
    this.process.send(work);
    return ((await done) as [WorkDone])[0];
  }

  async close(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.send('close');
    await exited;
  }

  async kill(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }
}

async function measureCommits(url: string | undefined, count: number): Promise<void> {
  const where =
    url === undefined ? 'directory, 1 process' : `cluster, ${count} host${count === 1 ? '' : 's'}`;
  const hosts: Host[] = [];
  for (let i = 0; i < count; i++) hosts.push(await Host.start(url === undefined ? {} : { url }));
  const one = await hosts[0]!.work({ prefix: 'one', objects: 1, inFlight: 1, seconds });
  const each = Math.floor(activeObjects / count);
  const all = await Promise.all(
    hosts.map((host, index) =>
      host.work({ prefix: `many ${index}`, objects: each, inFlight: each, seconds }),
    ),
  );
  const rate = all.reduce((sum, { commits, seconds: taken }) => sum + commits / taken, 0);
  const cpu = all.reduce((sum, { processorUs }) => sum + processorUs, 0) / all.length;
  const target = url === undefined ? '' : `≥ ${commitsAsked} ${rate >= commitsAsked ? '✓' : '✗'}`;
  console.log(
    `| ${where} | ${one.medianUs.toFixed(0)} µs | ${Math.round(rate).toLocaleString('en')} | ${target} | ${cpu.toFixed(0)} µs |`,
  );
  await Promise.all(hosts.map((host) => host.close()));
}

/** Linux counts hundredths of a second, of the program and of the kernel for it. */
function processorUs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * 10_000;
}

async function openHere(url: string): Promise<Runtime> {
  const cluster = await joinCluster({ url, listen: {} });
  return await createRuntime({ cluster, directory: join(scratch, String(++directories)), classes });
}

/** An object that another process has. */
async function findElsewhere(runtime: Runtime, prefix: string): Promise<{ name: string; pid: number }> {
  for (let i = 0; ; i++) {
    const name = `${prefix} ${i}`;
    const pid = await runtime.namespace<Counter>('Counter').getByName(name).where();
    if (pid !== process.pid) return { name, pid };
    await sleep(100);
  }
}

async function measureCalls(url: string): Promise<void> {
  const runtime = await openHere(url);
  const host = await Host.start({ url, listen: true });
  const { name, pid } = await findElsewhere(runtime, 'called');
  const near = runtime.namespace<Counter>('Counter').getByName(name);
  const callMany = async (calls: number, atOnce: number): Promise<void> => {
    let left = calls;
    const callOn = async (): Promise<void> => {
      while (left-- > 0) await near.where();
    };
    await Promise.all(Array.from({ length: atOnce }, callOn));
  };
  await callMany(callsAlone, 1);
  const begun = performance.now();
  await callMany(callsAlone, 1);
  const aloneUs = ((performance.now() - begun) * 1_000) / callsAlone;
  const before = processorUs([process.pid, pid]);
  await callMany(callsInFlight, 32);
  const cpuUs = (processorUs([process.pid, pid]) - before) / callsInFlight;
  console.log(
    '\n| call through another host, encrypted | one at a time | CPU of both with 32 in flight |\n|---|---:|---:|',
  );
  console.log(`| a method without storage | ${aloneUs.toFixed(0)} µs | ${cpuUs.toFixed(1)} µs |`);
  await host.close();
  await runtime.close();
}

/** From the kill of a host to the first response of one of its objects on another host. */
async function measureFailover(url: string): Promise<void> {
  const runtime = await openHere(url);
  const hosts = new Map<number, Host>();
  const startHost = async (): Promise<void> => {
    const host = await Host.start({ url, listen: true });
    hosts.set(host.process.pid!, host);
  };
  await startHost();
  const times: number[] = [];
  for (let round = 0; round < kills; round++) {
    await startHost();
    const { name, pid } = await findElsewhere(runtime, `failover ${round}`);
    const counters = runtime.namespace<Counter>('Counter');
    const before = await counters.getByName(name).increment();
    const killedAt = performance.now();
    await hosts.get(pid)!.kill();
    hosts.delete(pid);
    let value = 0;
    while (value === 0)
      value = await counters
        .getByName(name)
        .increment()
        .catch(() => 0);
    times.push((performance.now() - killedAt) / 1_000);
    if (value !== before + 1) throw new Error(`the counter was ${before} and is ${value} after a kill`);
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  const isMet = at(0.95) < failoverSecondsAsked;
  console.log('\n| kills of a host | median | 95 % | longest | target |\n|---:|---:|---:|---:|---|');
  console.log(
    `| ${kills} | ${at(0.5).toFixed(2)} s | ${at(0.95).toFixed(2)} s | ${sorted.at(-1)!.toFixed(2)} s | 95 % < ${failoverSecondsAsked} s ${isMet ? '✓' : '✗'} |`,
  );
  for (const host of hosts.values()) await host.close();
  await runtime.close();
}

const server = await PostgresServer.start({ isDurable: true });
try {
  console.log(
    `| durable counters, ${activeObjects.toLocaleString('en')} active objects | one at a time | commits/s in all | target | CPU of a host for each |\n|---|---:|---:|---|---:|`,
  );
  await measureCommits(undefined, 1);
  for (const count of [1, 2, 3]) await measureCommits(await server.createDatabase(), count);
  await measureCalls(await server.createDatabase());
  await measureFailover(await server.createDatabase());
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}
