/** Runs a command of `gatehouse` that is killed by SIGKILL at one of its steps, and inspects the resulting state. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '../../src/program/cli/watched/testing.ts';
import { ServeHost } from '../cluster/serve-host.ts';
import type { Step } from './steps.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));
const preload = new URL('./end-at-step.ts', import.meta.url).href;

/** The state that a server shows: the expressions of a zone, or why it did not start. */
export type State = readonly string[] | { readonly refused: string };

export interface Outcome {
  /** Null if it was killed. */
  readonly code: number | null;
  readonly said: string;
}

export interface RunOptions {
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The first step that is not done. */
  readonly endAt?: Step;
  readonly stepsFile?: string;
  /** A file that the command writes when it is done, if it keeps running: then it is killed. */
  readonly doneFile?: string;
  /** The actions once that file exists; only steps from then on count. Rejects if the command exits meanwhile. */
  readonly whenReady?: () => Promise<unknown>;
}

export async function runCommand(directory: string, options: RunOptions): Promise<Outcome> {
  const { args, doneFile, endAt, environment = {}, stepsFile, whenReady } = options;
  if (doneFile !== undefined) rmSync(doneFile, { force: true });
  const { NODE_COMPILE_CACHE = '', NODE_OPTIONS = '', PATH = '' } = process.env;
  const settings = { GATEHOUSE_EDGE_WORKERS: '0', GATEHOUSE_OBJECT_HOSTS: '1', GATEHOUSE_WATCHDOG: 'false' };
  const child = spawn(process.execPath, ['--import', preload, main, ...args], {
    cwd: directory,
    env: {
      ...{ NODE_COMPILE_CACHE, NODE_OPTIONS, PATH },
      ...settings,
      ...environment,
      ...(endAt === undefined
        ? {}
        : {
            KILL_AT_STEP: endAt.pattern.source,
            KILL_AT_TEXT: endAt.text ?? '',
            KILL_AT_OCCURRENCE: String(endAt.occurrence),
          }),
      ...(stepsFile === undefined ? {} : { KILL_STEPS_FILE: stepsFile }),
      ...(doneFile === undefined
        ? {}
        : { [whenReady === undefined ? 'KILL_STEPS_UNTIL' : 'KILL_STEPS_SINCE']: doneFile }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  let isDone = false;
  const finish = async (): Promise<void> => {
    try {
      await whenReady?.();
      isDone = child.exitCode === null && child.signalCode === null;
    } catch (error) {
      said += String(error);
    }
    child.kill('SIGKILL');
  };
  const looking =
    doneFile === undefined
      ? undefined
      : setInterval(() => {
          if (!existsSync(doneFile)) return;
          clearInterval(looking);
          void finish();
        }, 20);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(looking);
  return { code: isDone ? 0 : code, said };
}

interface Look {
  /** Holds `data`. */
  readonly folder?: string;
  readonly url?: string;
  /** An expression that is added before. */
  readonly add?: string;
  readonly token?: string;
  /** The data to inspect; by default the expressions of the filters of its zone. */
  readonly read?: (host: ServeHost) => Promise<readonly string[]>;
}

/** A data directory with a zone that has a filter, to be copied for each run. */
export class Template {
  readonly directory: string;
  readonly token: string;
  readonly zone: string;
  /** Processes that its objects are in. */
  readonly hosts: number;

  private constructor(directory: string, hosts: number, { ready }: ServeHost) {
    this.directory = directory;
    this.hosts = hosts;
    this.token = ready.token!;
    this.zone = ready.zones.find(({ name }) => name === 'enterprise.example')!.id;
  }

  static async create(t: TestContext, hosts: number): Promise<Template> {
    const directory = createFolder(t);
    const { host, program } = await ServeHost.start(t, undefined, undefined, {
      directory,
      flags: { 'object-hosts': String(hosts) },
    });
    const template = new Template(directory, hosts, host);
    await host.insist(`POST /zones/${template.zone}/filters`, [{ expression: expressions[0] }]);
    await program.stop();
    return template;
  }

  /** Its data directory becomes `data` in a folder. */
  copyTo(folder: string, name = 'data'): string {
    const data = join(folder, name);
    cpSync(join(this.directory, 'data'), data, { recursive: true });
    return data;
  }

  /** The state that a server shows when started on the folder that contains `data`, or on a cluster. */
  async look(t: TestContext, { folder, url, add, token = this.token, read }: Look): Promise<State> {
    let started: Awaited<ReturnType<typeof ServeHost.start>>;
    try {
      const directory = folder ?? createFolder(t);
      // A cluster has no processes of objects.
      const flags = url === undefined ? { 'object-hosts': String(this.hosts) } : {};
      started = await ServeHost.start(t, url, token, { directory, flags });
    } catch (error) {
      return { refused: (error as Error).message };
    }
    const { host, program } = started;
    try {
      if (add !== undefined) await host.insist(`POST /zones/${this.zone}/filters`, [{ expression: add }]);
      return await (read?.(host) ?? this.#readFilters(host));
    } finally {
      await program.stop();
    }
  }

  async #readFilters(host: ServeHost): Promise<readonly string[]> {
    const { body, status } = await host.call(`GET /zones/${this.zone}/filters`);
    if (status !== 200) return [`the zone is not there: ${status}`];
    const filters = body.result as Array<{ readonly expression: string }>;
    return filters.map(({ expression }) => expression).toSorted();
  }
}

/** Of the template, and of later writes. */
export const expressions = ['ip.src eq 192.0.2.1', 'ip.src eq 192.0.2.2'] as const;

export function createFolder(t: TestContext): string {
  return makeDirectory(t, 'gatehouse-kill-');
}
