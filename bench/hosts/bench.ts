/**
 * The cost of a call to an object in a host process, beside one in this process:
 *
 *     node bench/hosts/bench.ts [--small]
 *
 * Alone: the time of one call after the other. In flight: the CPU time of all processes that take part.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createHosts } from '../../src/runtime/hosts.ts';
import { type DurableObjectNamespace, createRuntime } from '../../src/runtime/objects.ts';
import { classes } from './objects.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const callsAlone = options.small ? 1_000 : 10_000;
const callsInFlight = options.small ? 10_000 : 100_000;
const inFlight = 32;

/** Linux counts hundredths of a second, of the program and of the kernel for it. */
function processorUs(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) * 10_000;
}

/** The argument, which is also the result. */
const values = { 'a number': 7, 'a small object': { id: 42, name: 'a name', tags: ['a', 'b'] } } as const;

async function measure(
  name: string,
  namespace: DurableObjectNamespace,
  pids: readonly number[],
): Promise<void> {
  for (const [what, value] of Object.entries(values))
    await measureWith(`${name}, ${what}`, value, namespace, pids);
}

async function measureWith(
  name: string,
  value: unknown,
  namespace: DurableObjectNamespace,
  pids: readonly number[],
): Promise<void> {
  const stub = namespace.getByName('a');
  const callMany = async (calls: number, atOnce: number): Promise<void> => {
    let left = calls;
    const callOn = async (): Promise<void> => {
      while (left-- > 0) await stub.echo(value);
    };
    await Promise.all(Array.from({ length: atOnce }, callOn));
  };
  await callMany(callsAlone, 1);
  const start = performance.now();
  await callMany(callsAlone, 1);
  const aloneUs = ((performance.now() - start) * 1000) / callsAlone;
  const before = processorUs(pids);
  await callMany(callsInFlight, inFlight);
  const cpuUs = (processorUs(pids) - before) / callsInFlight;
  console.log(`| ${name} | ${aloneUs.toFixed(0)} µs | ${cpuUs.toFixed(1)} µs |`);
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-hosts-'));
try {
  console.log(`| call to an object | one at a time | CPU with ${inFlight} in flight |\n|---|---|---|`);
  await using runtime = await createRuntime({ directory: join(directory, 'runtime'), classes });
  await measure('in this process', runtime.namespace('Echo'), [process.pid]);
  await using hosts = await createHosts({
    directory: join(directory, 'hosts'),
    hosts: 1,
    module: new URL('./objects.ts', import.meta.url),
  });
  await measure('in a host', hosts.namespace('Echo'), [process.pid, hosts.pids[0]!]);
} finally {
  rmSync(directory, { recursive: true });
}
