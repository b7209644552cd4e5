/**
 * A process with objects, on a cluster or in a directory, that drives them for the benchmark of clusters:
 *
 *     node bench/cluster/host.ts '{"directory":"/tmp/a","url":"postgres://…","listen":true}'
 */
import { joinCluster } from '../../src/runtime/cluster.ts';
import { DurableObject, createRuntime } from '../../src/runtime/objects.ts';

export interface HostOptions {
  readonly directory: string;
  /** Of the database; without it the objects are in the directory. */
  readonly url?: string;
  /** Whether other hosts call its objects, and vice versa. */
  readonly listen?: boolean;
}

/** Increments objects of these names, with this many concurrent calls, for this time. */
export interface Work {
  readonly prefix: string;
  readonly objects: number;
  readonly inFlight: number;
  readonly seconds: number;
}

export interface WorkDone {
  readonly commits: number;
  readonly seconds: number;
  /** Of this process, for each commit. */
  readonly processorUs: number;
  /** Of one call, if one was made after the other. */
  readonly medianUs: number;
  readonly sum: number;
}

export class Counter extends DurableObject {
  async increment(): Promise<number> {
    const value = ((await this.ctx.storage.get<number>('value')) ?? 0) + 1;
    await this.ctx.storage.put('value', value);
    return value;
  }

  where(): number {
    return process.pid;
  }
}

export const classes = { Counter: { class: Counter } } as const;

async function work(
  increment: (name: string) => Promise<number>,
  { prefix, objects, inFlight, seconds }: Work,
): Promise<WorkDone> {
  const names = Array.from({ length: objects }, (_, index) => `${prefix} ${index}`);
  const last = new Map<string, number>();
  for (let at = 0; at < names.length; at += 256)
    await Promise.all(names.slice(at, at + 256).map(async (name) => last.set(name, await increment(name))));
  const before = [...last.values()].reduce((sum, value) => sum + value, 0);
  const times: number[] = [];
  const begun = performance.now();
  const cpu = process.cpuUsage();
  const end = begun + seconds * 1_000;
  let next = 0;
  const callOn = async (): Promise<void> => {
    while (performance.now() < end) {
      const name = names[next++ % names.length]!;
      const sentAt = performance.now();
      const value = await increment(name);
      if (inFlight === 1) times.push(performance.now() - sentAt);
      last.set(name, Math.max(value, last.get(name)!));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, callOn));
  const elapsed = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const sum = [...last.values()].reduce((total, value) => total + value, 0);
  const commits = sum - before;
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
  return { commits, seconds: elapsed, processorUs: (user + system) / commits, medianUs: median * 1_000, sum };
}

if (import.meta.main) {
  const { directory, listen = false, url } = JSON.parse(process.argv[2]!) as HostOptions;
  const cluster =
    url === undefined ? undefined : await joinCluster({ url, ...(listen ? { listen: {} } : {}) });
  const runtime = await createRuntime({ directory, classes, ...(cluster === undefined ? {} : { cluster }) });
  const counters = runtime.namespace<Counter>('Counter');
  const report = (done: WorkDone): boolean => process.send!(done);
  process.on('message', (message: Work | 'close') => {
    if (message === 'close') void runtime.close().then(() => process.exit());
    else void work((name) => counters.getByName(name).increment(), message).then(report);
  });
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}
