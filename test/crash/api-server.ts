/** A server process on a directory that survives it, and a client that notices when the server is killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../src/program/cli/main.ts');

interface Ready {
  readonly api: string;
  readonly token: string;
  readonly account_id: string;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
  readonly result: any;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

export class ApiServer {
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #ready: Ready;
  /** Requests that were answered. */
  answered = 0;
  isKilled = false;

  private constructor(child: ChildProcess, exited: Promise<unknown>, ready: Ready) {
    this.#child = child;
    this.#exited = exited;
    this.#ready = ready;
  }

  /** With the URL of a database, it is a host of a cluster. */
  static async start(directory: string, url?: string): Promise<ApiServer> {
    const file = join(directory, 'ready.json');
    const flags = ['--data', join(directory, 'data'), '--port', '0', '--ready-file', file];
    const child = spawn(process.execPath, [main, 'serve', ...flags, '--rate-limit', 'false'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        PATH: process.env['PATH'] ?? '',
        GATEHOUSE_LOG_LEVEL: 'error',
        GATEHOUSE_OBJECT_HOSTS: '1',
        GATEHOUSE_EDGE_WORKERS: '0',
        GATEHOUSE_WATCHDOG: 'false',
        ...(url === undefined ? {} : { GATEHOUSE_CLUSTER: url }),
      },
    });
    const exited = once(child, 'exit');
    // It is ready when the ready file exists.
    const greeted = once(child.stdout, 'data').then(() => true);
    if ((await Promise.race([greeted, exited])) !== true) throw new Error('the server did not start');
    child.stdout.resume();
    return new ApiServer(child, exited, JSON.parse(readFileSync(file, 'utf8')) as Ready);
  }

  get accountId(): string {
    return this.#ready.account_id;
  }

  /** Undefined if the server was killed: it is unknown whether the call was done. */
  async call(route: string, body?: unknown): Promise<Answer | undefined> {
    const [method, path] = route.split(' ') as [string, string];
    try {
      const response = await fetch(`${this.#ready.api}${path}`, {
        method,
        headers: { authorization: `Bearer ${this.#ready.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const { result, errors } = (await response.json()) as Answer;
      this.answered++;
      return { status: response.status, result, errors };
    } catch (error) {
      if (this.isKilled) return undefined;
      throw error;
    }
  }

  /** Stops a server without killing it. */
  async ask(route: string, body?: unknown): Promise<Answer> {
    const answer = await this.call(route, body);
    if (answer === undefined) throw new Error(`${route}: the server is gone`);
    return answer;
  }

  /** Without a warning. */
  async kill(): Promise<void> {
    this.isKilled = true;
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
