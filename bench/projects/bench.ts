/**
 * How long a developer waits for `gatehouse dev`: from the command to the first answer, and from a saved file to the first
 * answer of the new code.
 *
 *     node bench/projects/bench.ts --small
 *     node bench/projects/bench.ts --built projects/built/react-router
 *
 * The project is small: a router from npm, an object, three files of TypeScript. Times are medians; the processor time is that of
 * all processes of the program, the bundler's included. The page of the objects is off: it takes as long to load as the rest.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stopped } from '../../conformance/child.ts';
import { readOptions } from '../../tools/read-options.ts';
import { median } from '../result.ts';

const usage = `usage: node bench/projects/bench.ts [options]

Measures the start and the reload of a small project under gatehouse dev.

  --small          3 starts and reloads instead of 10
  --built FOLDER   only the first answer of a project that its framework has built, under gatehouse dev and run
  --help           this text`;
const options = readOptions(usage, {
  small: { type: 'boolean', default: false },
  built: { type: 'string', default: '' },
});
const rounds = options.small ? 3 : 10;
const root = join(import.meta.dirname, '..', '..');

function versionModule(version: number): string {
  return `export const version: number = ${version};\n`;
}

const files = {
  'wrangler.jsonc': `{ "name": "small", "main": "src/index.ts", "compatibility_date": "2026-10-01",
    "durable_objects": { "bindings": [{ "name": "COUNTERS", "class_name": "Counter" }] },
    "migrations": [{ "tag": "v1", "new_sqlite_classes": ["Counter"] }] }`,
  'src/index.ts': `import { Hono } from 'hono';
import { version } from './version';
export { Counter } from './counter';
const app = new Hono<{ Bindings: { COUNTERS: any } }>();
app.get('/', async (c) => c.json({ version, count: await c.env.COUNTERS.getByName('a').add() }));
export default app;`,
  'src/counter.ts': `import { DurableObject } from 'cloudflare:workers';
export class Counter extends DurableObject {
  async add(): Promise<number> {
    const count = ((await this.ctx.storage.get<number>('count')) ?? 0) + 1;
    await this.ctx.storage.put('count', count);
    return count;
  }
}`,
  'src/version.ts': versionModule(0),
};

/** Processor time of a process and those that it has started. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  const own = (Number(fields[11]) + Number(fields[12])) * 10;
  return children.filter((each) => each !== '').reduce((sum, each) => sum + processorMs(Number(each)), own);
}

/** A call that a reload resets is made again, as a client would. */
async function ask(url: string): Promise<{ readonly version: number; readonly count: number }> {
  for (;;) {
    const response = await fetch(url);
    if (response.ok) return (await response.json()) as { version: number; count: number };
    await response.text();
  }
}

interface Program {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const startDev = (directory: string): Promise<Program> =>
  start(['dev', directory, '--port', '0', '--quiet', '--dashboard-port', 'off']);

/** Resolves as soon as the program has printed its address. */
async function start(args: readonly string[]): Promise<Program> {
  const child = spawn(join(root, 'gatehouse'), args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  const ready = Promise.withResolvers<string>();
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    const url = /(http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
    if (url !== undefined) ready.resolve(url);
  });
  child.on('exit', () => ready.reject(new Error(`gatehouse ${args[0]} ended: ${said}`)));
  return { url: await ready.promise, pid: child.pid!, stop: () => stopped(child, 'SIGTERM') };
}

async function measure(directory: string): Promise<Record<string, number[]>> {
  const times: Record<string, number[]> = { start: [], startCpu: [], reload: [], reloadCpu: [] };
  let count = 0;
  for (let round = 1; round <= rounds; round++) {
    const before = performance.now();
    const program = await startDev(directory);
    try {
      let answer = await ask(program.url);
      times['start']!.push(performance.now() - before);
      times['startCpu']!.push(processorMs(program.pid));
      if (answer.count <= count) throw new Error(`a start lost the state of the object: ${answer.count}`);
      const cpuBefore = processorMs(program.pid);
      const saved = performance.now();
      writeFileSync(join(directory, 'src/version.ts'), versionModule(round));
      while (answer.version !== round) answer = await ask(program.url);
      times['reload']!.push(performance.now() - saved);
      times['reloadCpu']!.push(processorMs(program.pid) - cpuBefore);
      count = answer.count;
    } finally {
      await program.stop();
    }
  }
  return times;
}

/** The first answer of a project that is built, with an empty data directory each time. */
async function measureBuilt(folder: string, scratch: string): Promise<void> {
  console.log('| first answer of a built project | time | processor time | target |\n|---|---|---|---|');
  for (const command of ['dev', 'run']) {
    const times: number[] = [];
    const processor: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const data = join(scratch, `${command}-${round}`);
      const place = command === 'dev' ? ['--persist-to', data, '--dashboard-port', 'off'] : ['--data', data];
      const before = performance.now();
      const program = await start([command, folder, '--port', '0', ...place]);
      try {
        while (!(await fetch(program.url)).ok);
        times.push(performance.now() - before);
        processor.push(processorMs(program.pid));
      } finally {
        await program.stop();
      }
    }
    const show = (values: readonly number[]): string => `${median(values).toFixed(0)} ms`;
    console.log(`| \`gatehouse ${command}\` | ${show(times)} | ${show(processor)} | under 1,500 ms |`);
  }
}

const directory = mkdtempSync(join(tmpdir(), 'gatehouse-bench-projects-'));
try {
  if (options.built !== '') await measureBuilt(resolve(options.built), directory);
  else await measureSmall();
} finally {
  rmSync(directory, { recursive: true, force: true });
}

async function measureSmall(): Promise<void> {
  mkdirSync(join(directory, 'src'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  const times = await measure(directory);
  const show = (name: string): string => `${median(times[name]!).toFixed(0)} ms`;
  console.log('| | time | processor time | target |\n|---|---|---|---|');
  console.log(
    `| from the command to the first answer, without the page of the objects | ${show('start')} | ${show('startCpu')} | under 1,000 ms |`,
  );
  console.log(
    `| from a saved file to the new answer | ${show('reload')} | ${show('reloadCpu')} | under 200 ms |`,
  );
}
