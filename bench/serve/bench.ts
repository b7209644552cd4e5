/**
 * The listener of `gatehouse dev` beside that of @hono/node-server, both over the same Worker, in one run: the
 * processor time that a request takes, which counts the same on a busy machine. They take turns, and the best turn of
 * each counts. The answers of both are compared first.
 *
 *     npm run bench -- --only serve
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { stopped } from '../../conformance/child.ts';

const { values: options } = parseArgs({ options: { small: { type: 'boolean', default: false } } });
const durationMs = options.small ? 300 : 2_000;
const turns = options.small ? 1 : 5;
const connections = 32;

interface Listener {
  readonly name: string;
  readonly child: ChildProcess;
  readonly url: string;
}

interface Workload {
  readonly name: string;
  readonly path: string;
  readonly body?: string;
}

const item = { id: 7, name: 'a name', tags: ['a', 'b'], open: true };
const workloads: readonly Workload[] = [
  { name: 'GET, 5 bytes', path: '/' },
  {
    name: 'POST, JSON of 600 bytes echoed',
    path: '/echo',
    body: JSON.stringify({ items: Array(11).fill(item) }),
  },
  { name: 'GET, a stream of 16 × 1 KiB', path: '/stream' },
];

async function startListener(name: string, directory: string): Promise<Listener> {
  const args = [join(import.meta.dirname, 'listener.ts'), name, join(directory, name)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { name, child, url: `http://127.0.0.1:${Number(port)}` };
}

async function answerOf({ url }: Listener, { path, body }: Workload): Promise<string> {
  const response = await fetch(url + path, body === undefined ? {} : { method: 'POST', body });
  return `${response.status} ${await response.text()}`;
}

/** Microseconds of the listener's processor time for one request. */
async function costOf({ url, child }: Listener, { path, body }: Workload): Promise<number> {
  const bodyArgs = body === undefined ? [] : ['--body', body];
  const load = join(import.meta.dirname, '..', 'load.ts');
  const args = [load, ...bodyArgs, String(connections), String(durationMs), url + path];
  const before = processorMs(child.pid!);
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { answered } = JSON.parse(stdout) as { answered: number };
  return ((processorMs(child.pid!) - before) * 1000) / answered;
}

/** Linux counts hundredths of a second, of the program and of the kernel for it. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function compare(workload: Workload, [ours, hono]: readonly [Listener, Listener]): Promise<string> {
  if ((await answerOf(ours, workload)) !== (await answerOf(hono, workload))) {
    throw new Error(`${workload.name}: the two answer differently`);
  }
  const best = { ours: Infinity, hono: Infinity };
  for (let turn = 0; turn < turns; turn++) {
    best.ours = Math.min(best.ours, await costOf(ours, workload));
    best.hono = Math.min(best.hono, await costOf(hono, workload));
  }
  const cells = [
    workload.name,
    best.ours.toFixed(1),
    best.hono.toFixed(1),
    `${(best.hono / best.ours).toFixed(2)}×`,
  ];
  return `| ${cells.join(' | ')} |`;
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-serve-'));
const listeners = [await startListener('ours', directory), await startListener('hono', directory)] as const;
try {
  console.log('| µs per request | Gatehouse | @hono/node-server | ratio |\n|---|---:|---:|---:|');
  for (const workload of workloads) console.log(await compare(workload, listeners));
} finally {
  await Promise.all(listeners.map(({ child }) => stopped(child, 'SIGTERM')));
  rmSync(directory, { recursive: true, force: true });
}
