/**
 * Runs test files while random processes of theirs are stopped for a moment and continued, as on a busy machine: a test
 * that waits for a fixed time, reads only once, or compares with the clock fails sooner or later.
 *
 *     npm run verify -- jitter --times 5 --seed 7 test/edge/workers.test.ts test/cluster/*.test.ts
 *
 * Only descendants of the runs themselves are stopped; those that outlive their parents are recognised by their
 * environment. Each is continued before it ends. If a test stops a process itself, this tool may continue it: check
 * such a failure twice.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Random } from '../test/faults/random.ts';
import { refuseOptions } from './read-options.ts';

/** The time between two stops. */
const betweenMs = 15;
/** Listing processes takes longer than stopping one. */
const turnsPerLook = 3;
/** The shortest stop. Longer than most pauses on a machine with four times as many busy processes as cores. */
const stopMsMin = 20;
const stopMsMax = 600;
/** After a stop, a process runs for about this long, so that the run can finish. */
const runMs = 100;
const together = 3;

const usage = `usage: npm run verify -- jitter [--times N] [--seed N] FILE …

Runs test files while their processes are stopped and continued at random.`;
const root = join(import.meta.dirname, '..');

/** No process stays stopped when this program is asked to end. */
const ending = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ending.abort());

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
  /** Identifies a process together with its number, because numbers are reused. */
  readonly since: string;
}

function readProcess(pid: number): Process | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { pid, state: fields[0]!, parent: Number(fields[1]), since: fields[19]! };
  } catch {
    return undefined;
  }
}

class Jitter {
  readonly #runner: number;
  readonly #mark: string;
  readonly #random: Random;
  /** Processes of this run, with the start time of each. */
  readonly #known = new Map<number, string>();
  readonly #stranger = new Map<number, string>();
  readonly #stoppedUntil = new Map<number, number>();
  readonly #runsUntil = new Map<number, number>();
  stops = 0;

  constructor(runner: ChildProcess, { mark, random }: { mark: string; random: Random }) {
    this.#runner = runner.pid!;
    this.#mark = mark;
    this.#random = random;
  }

  async goOn(over: AbortSignal): Promise<void> {
    for (let turn = 0; !over.aborted; turn++) {
      const now = performance.now();
      for (const [pid, until] of this.#stoppedUntil) if (until <= now) this.#continue(pid);
      if (turn % turnsPerLook === 0) this.#lookForProcesses();
      this.#stopOne(now);
      await delay(betweenMs);
    }
    for (const pid of this.#stoppedUntil.keys()) this.#continue(pid);
  }

  #lookForProcesses(): void {
    const all = readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1)
      .map(readProcess)
      .filter((each) => each !== undefined);
    const now = new Map(all.map(({ pid, since }) => [pid, since]));
    for (const [pid, since] of this.#known) if (now.get(pid) !== since) this.#known.delete(pid);
    // Parents have smaller numbers than their children, except when numbers wrap around.
    for (const { pid, parent, since } of all) {
      if (parent === this.#runner || this.#known.has(parent)) this.#known.set(pid, since);
      else if (parent === 1 && !this.#known.has(pid) && this.#stranger.get(pid) !== since) {
        if (this.#isMarked(pid)) this.#known.set(pid, since);
        else this.#stranger.set(pid, since);
      }
    }
  }

  #isMarked(pid: number): boolean {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(this.#mark);
    } catch {
      return false;
    }
  }

  #stopOne(now: number): void {
    const free = [...this.#known.keys()].filter(
      (pid) => !this.#stoppedUntil.has(pid) && (this.#runsUntil.get(pid) ?? 0) <= now,
    );
    const pid = this.#random.pick(free);
    // A process that a test has stopped stays stopped.
    if (pid === undefined || 'TtZX'.includes(this.#find(pid)?.state ?? 'X')) return;
    const ms = stopMsMin * (stopMsMax / stopMsMin) ** (this.#random.below(1_000) / 1_000);
    if (!signal(pid, 'SIGSTOP')) return;
    this.#stoppedUntil.set(pid, now + ms);
    this.stops++;
  }

  #continue(pid: number): void {
    this.#stoppedUntil.delete(pid);
    this.#runsUntil.set(pid, performance.now() + this.#random.below(2 * runMs));
    if (this.#find(pid) !== undefined) signal(pid, 'SIGCONT');
  }

  #find(pid: number): Process | undefined {
    const found = readProcess(pid);
    return found?.since === this.#known.get(pid) ? found : undefined;
  }
}

function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Returns whether the file has passed. */
async function run(file: string, seed: number): Promise<boolean> {
  const mark = `GATEHOUSE_JITTER=${process.pid}-${seed}-${file}`;
  const [name, value] = mark.split('=') as [string, string];
  const args = [
    '--import',
    './tools/before-tests.ts',
    '--test',
    '--test-timeout=600000',
    '--test-reporter=spec',
  ];
  const runner = spawn(process.execPath, [...args, file], {
    cwd: root,
    env: { ...process.env, [name]: value },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ending.signal.addEventListener('abort', () => runner.kill());
  const over = new AbortController();
  const jitter = new Jitter(runner, { mark, random: new Random(seed) });
  const jittering = jitter.goOn(AbortSignal.any([over.signal, ending.signal]));
  const said = await text(runner.stdout);
  over.abort();
  await jittering;
  const hasPassed = /^ℹ fail 0$/m.test(said) && /^ℹ cancelled 0$/m.test(said);
  console.log(`${hasPassed ? 'passed' : 'FAILED'} ${file}, seed ${seed}, ${jitter.stops} stops`);
  if (!hasPassed) console.log(said.slice(said.indexOf('✖ failing tests:')));
  return hasPassed;
}

const { times, seed, files } = readCommand();
const runs = Array.from({ length: times }, (_, index) =>
  files.map((file) => ({ file, seed: seed + index })),
).flat();
const count = runs.length;
let failures = 0;
await Promise.all(
  Array.from({ length: together }, async () => {
    for (let next = runs.shift(); next !== undefined && !ending.signal.aborted; next = runs.shift())
      if (!(await run(next.file, next.seed))) failures++;
  }),
);
console.log(`${failures} of ${count} runs failed`);
if (failures > 0) process.exitCode = 1;

function readCommand(): { times: number; seed: number; files: readonly string[] } {
  const options = { times: { type: 'string', default: '1' }, seed: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [first, start] = [Number(values.times), Number(values.seed ?? Date.now() % 1_000_000)];
    if (positionals.length === 0 || !Number.isSafeInteger(first) || !Number.isSafeInteger(start))
      return refuseOptions(usage, 'name the files, and numbers for --times and --seed');
    return { times: first, seed: start, files: positionals };
  } catch (error) {
    return refuseOptions(usage, (error as Error).message);
  }
}
