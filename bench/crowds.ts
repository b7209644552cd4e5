/** Very many objects in one directory, and ten thousand in memory at once. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { below, type Result } from './result.ts';
import type { Server } from './servers.ts';

interface ManyObjects {
  readonly createSeconds: number;
  readonly residentMbSeen: readonly number[];
  readonly residentMb: number;
  readonly reopenMs: number;
  readonly readMicroseconds: number;
  readonly verified: number;
}

/** Only Gatehouse: the original creates a file, and on first use a database, for each. */
export async function benchManyObjects(directory: string, small: boolean): Promise<Result[]> {
  const count = small ? 5000 : 1_000_000;
  const args = [
    join(import.meta.dirname, 'many-objects.ts'),
    join(directory, 'many-objects'),
    String(count),
    '2000',
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const lines = stdout.trim().split('\n');
  const made = Object.assign({}, ...lines.map((line) => JSON.parse(line) as object)) as ManyObjects;
  const objects = `${count.toLocaleString('en')} key-value objects`;
  const memory = made.residentMbSeen.map((mb) => mb.toFixed(0)).join(' ');
  const check = `${made.verified} read back`;
  return [
    { name: `${objects}: created`, unit: '/s', gatehouse: count / made.createSeconds, check },
    {
      name: `${objects}: memory at the end`,
      unit: 'MB',
      gatehouse: made.residentMb,
      check: `on the way: ${memory}`,
    },
    { name: `${objects}: reopened, first read`, unit: 'ms', gatehouse: made.reopenMs, check },
    { name: `${objects}: random first read`, unit: 'µs', gatehouse: made.readMicroseconds, check },
  ];
}

const BATCH = 500;
const SAMPLE_MS = 100;

/** All objects are created, then all get a call that takes a while: memory is read when all are in it. */
export async function benchLiveObjects(
  servers: readonly [Server, Server],
  small: boolean,
): Promise<Result[]> {
  const [count, holdMs] = small ? [500, 2000] : [10_000, 30_000];
  const name = `${count.toLocaleString('en')} live SQL objects: memory`;
  const [workerd, gatehouse] = servers;
  const ours = await liveMegabytes(gatehouse, count, holdMs);
  try {
    const theirs = await liveMegabytes(workerd, count, holdMs);
    return [below(2500, { name, unit: 'MB', workerd: theirs, gatehouse: ours, check: 'all answered' })];
  } catch {
    // With three open files for each object it runs out of them long before ten thousand.
    return [below(2500, { name, unit: 'MB', gatehouse: ours, check: 'all answered; not all in workerd' })];
  }
}

async function liveMegabytes(server: Server, count: number, holdMs: number): Promise<number> {
  await server.restart();
  const batches = Array.from({ length: count / BATCH }, (_, i) => ({
    class: 'SQL',
    name: `live-${i}`,
    n: BATCH,
  }));
  for (const batch of batches) await server.ask('/touch', batch);
  return heldMegabytes(server, batches, count, holdMs);
}

async function heldMegabytes(
  server: Server,
  batches: readonly Record<string, string | number>[],
  count: number,
  holdMs: number,
): Promise<number> {
  let bytesMax = 0;
  const sample = setInterval(() => (bytesMax = Math.max(bytesMax, server.residentBytes())), SAMPLE_MS);
  try {
    const start = performance.now();
    const answers = await Promise.all(batches.map((batch) => server.ask('/hold', { ...batch, ms: holdMs })));
    const answered = answers.reduce((sum, answer) => sum + Number(answer), 0);
    if (answered !== count) throw new Error(`${server.name}: ${answered} of ${count} objects answered`);
    const wakeMs = performance.now() - start - holdMs;
    if (wakeMs >= holdMs)
      throw new Error(`${server.name}: not all objects were alive at once, waking took ${wakeMs} ms`);
  } finally {
    clearInterval(sample);
  }
  return bytesMax / 1e6;
}
