/** A reporter of Vitest that records the result of each test, and the time until a file started. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the last `globalSetup` finds the function to call. */
export const endOfSetup = Symbol.for('gatehouse.end-of-setup');

export interface ReportedTest {
  readonly name: string;
  readonly state: string;
  readonly durationMs: number;
  readonly errors: readonly string[];
}

export interface Report {
  readonly files: ReadonlyArray<{
    readonly name: string;
    /**
     * From the end of the file before to the first test; for the first file from the start of the run, or the end of its
     * `globalSetup`, which is the project's own and the same whatever runs the tests.
     */
    readonly startMs: number;
    readonly isFirst: boolean;
    /** The processor time of all processes of the run in that time. */
    readonly startCpuMs: number;
    readonly tests: readonly ReportedTest[];
    readonly errors: readonly string[];
  }>;
  /** Those that belong to no test. */
  readonly errors: readonly string[];
}

interface Failed {
  readonly message?: string;
  readonly cause?: Failed;
}

interface TestCase {
  readonly fullName: string;
  result(): { readonly state: string; readonly errors?: readonly Failed[] };
  diagnostic(): { readonly duration: number } | undefined;
}

interface Vitest {
  readonly projects: ReadonlyArray<{ readonly config: { globalSetup: string[] | string } }>;
}

interface TestModule {
  readonly relativeModuleId: string;
  readonly children: { allTests(): Iterable<TestCase> };
  errors(): readonly Failed[];
}

export default class GatehouseReporter {
  readonly #started = new Map<string, Taken & { readonly isFirst: boolean }>();
  #last = readClocks();

  onInit({ projects }: Vitest): void {
    Object.assign(globalThis, { [endOfSetup]: () => void (this.#last = readClocks()) });
    for (const { config } of projects) {
      if (config.globalSetup.length > 0)
        config.globalSetup = [config.globalSetup, join(import.meta.dirname, 'end-of-setup.ts')].flat();
    }
  }

  onTestRunStart(): void {
    this.#last = readClocks();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    const { ms, cpuMs } = readClocks();
    this.#started.set(relativeModuleId, {
      ms: ms - this.#last.ms,
      cpuMs: cpuMs - this.#last.cpuMs,
      isFirst: this.#started.size === 0,
    });
  }

  onTestModuleEnd(): void {
    this.#last = readClocks();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly Failed[]): void {
    const report: Report = {
      files: modules.map((module) => ({
        name: module.relativeModuleId,
        startMs: this.#started.get(module.relativeModuleId)?.ms ?? NaN,
        isFirst: this.#started.get(module.relativeModuleId)?.isFirst ?? false,
        startCpuMs: this.#started.get(module.relativeModuleId)?.cpuMs ?? NaN,
        tests: Array.from(module.children.allTests(), (test) => ({
          name: test.fullName,
          state: test.result().state,
          durationMs: test.diagnostic()?.duration ?? 0,
          errors: (test.result().errors ?? []).map(describe),
        })),
        errors: module.errors().map(describe),
      })),
      errors: errors.map(describe),
    };
    writeFileSync(process.env['GATEHOUSE_REPORT']!, JSON.stringify(report));
  }
}

function describe({ message = 'it failed', cause }: Failed): string {
  return cause?.message === undefined ? message : `${message}: ${cause.message}`;
}

interface Taken {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Linux counts the time of processes in hundredths of a second. */
const msPerTick = 10;

function readClocks(): Taken {
  const { user, system } = process.cpuUsage();
  const { ended } = readTicks(process.pid);
  const ticks = ended + sum(listChildren(process.pid).map(countTicks));
  return { ms: performance.now(), cpuMs: (user + system) / 1_000 + ticks * msPerTick };
}

/** Of a process and all that it has started. */
function countTicks(pid: number): number {
  const { own, ended } = readTicks(pid);
  return own + ended + sum(listChildren(pid).map(countTicks));
}

/** What a process has used, and those that it has started and that have ended; nothing, where there is no /proc. */
function readTicks(pid: number): { readonly own: number; readonly ended: number } {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user, system, endedUser, endedSystem] = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { own: user! + system!, ended: endedUser! + endedSystem! };
  } catch {
    return { own: 0, ended: 0 };
  }
}

function listChildren(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
