/** `gatehouse serve` or `gatehouse edge` for long runs: starts, calls, monitors and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { type Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Facts {
  readonly api: string;
  readonly edge: string;
  readonly token: string;
  readonly account_id: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: string }[];
}

export interface StartOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

const readyMsMax = 120_000;
const readyPollMs = 50;

export class RunningProgram implements AsyncDisposable {
  readonly facts: Facts;
  readonly directory: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, directory: string, facts: Facts) {
    this.#child = child;
    this.directory = directory;
    this.facts = facts;
  }

  /** In a separate directory. Its output goes into `program.log` there. */
  static async start(
    command: 'serve' | 'edge',
    directory: string,
    { args = [], environment = {} }: StartOptions = {},
  ): Promise<RunningProgram> {
    mkdirSync(directory, { recursive: true });
    const main = join(import.meta.dirname, '..', '..', 'src', 'program', 'cli', 'main.ts');
    const ready = join(directory, 'ready.json');
    const fixed = ['--data', 'data', '--ready-file', 'ready.json', '--allow-private-origins', 'true'];
    const own = command === 'serve' ? ['--port', '0', '--rate-limit', 'false'] : ['--edge-port', '0'];
    const child = spawn(process.execPath, [main, command, ...fixed, ...own, ...args], {
      cwd: directory,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (said = (said + piece).slice(-20_000)));
    for (const deadline = Date.now() + readyMsMax; !existsSync(ready); await sleep(readyPollMs)) {
      if (child.exitCode === null && Date.now() < deadline) continue;
      child.kill('SIGKILL');
      throw new Error(`gatehouse ${command} did not start:\n${said}`);
    }
    return new RunningProgram(child, directory, JSON.parse(readFileSync(ready, 'utf8')) as Facts);
  }

  get zone(): Facts['zones'][number] {
    return this.facts.zones.find(({ plan }) => plan === 'enterprise')!;
  }

  get edgePort(): number {
    return Number(new URL(this.facts.edge).port);
  }

  /** Resolves to the result. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the call
  async call(route: string, body?: unknown): Promise<any> {
    const [method, path] = route.split(' ');
    const answer = await fetch(this.facts.api + path, {
      method: method!,
      headers: { authorization: `Bearer ${this.facts.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { success, result, errors } = (await answer.json()) as Record<string, unknown>;
    if (success !== true) throw new Error(`${route} answered ${answer.status}: ${JSON.stringify(errors)}`);
    return result;
  }

  putRules(phase: string, rules: readonly object[]): Promise<unknown> {
    return this.call(`PUT /zones/${this.zone.id}/rulesets/phases/${phase}/entrypoint`, { rules });
  }

  /** Of the program and its processes, in megabytes. */
  readResidentMegabytes(): number {
    const pids = [this.#child.pid!, ...listDescendants(this.#child.pid!)];
    const pages = pids.map((pid) => {
      try {
        return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
      } catch {
        return 0;
      }
    });
    return (pages.reduce((sum, count) => sum + count, 0) * 4_096) / 1e6;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}

function listDescendants(pid: number): number[] {
  const path = `/proc/${pid}/task`;
  const children = existsSync(path)
    ? readdirSync(path).flatMap((task) => {
        try {
          return readFileSync(`${path}/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
        } catch {
          return [];
        }
      })
    : [];
  return [...children, ...children.flatMap(listDescendants)];
}

export interface Visit {
  readonly port: number;
  readonly path: string;
  readonly method?: string;
  readonly headers: OutgoingHttpHeaders;
  readonly agent?: Agent | false;
  readonly body?: string;
}

export interface Visited {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export async function visit({ body, ...options }: Visit): Promise<Visited> {
  const { promise, resolve, reject } = Promise.withResolvers<Visited>();
  const outgoing = request({ host: '127.0.0.1', ...options }, (answer) => {
    text(answer).then(
      (read) => resolve({ status: answer.statusCode!, headers: answer.headers, body: read }),
      reject,
    );
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
