/** A real `gatehouse serve` with HTTPS on a free port of the loopback interface, and calls to its API. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiName } from './tunnel.ts';

const readyMsMax = 60_000;
const readyPollMs = 50;

interface ReadyFacts {
  readonly api: string;
  readonly api_https: string;
  readonly edge: string;
  readonly ca_file: string;
  readonly token: string;
  readonly account_id: string;
}

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the call
  readonly result: any;
  readonly errors: readonly { readonly code: number; readonly message: string }[];
}

export type Plan = 'free' | 'pro' | 'business' | 'enterprise';

export interface Zone {
  readonly id: string;
  readonly name: string;
}

export class GatehouseServer implements AsyncDisposable {
  readonly facts: ReadyFacts;
  readonly #process: ChildProcess;
  #zones = 0;

  private constructor(process: ChildProcess, facts: ReadyFacts) {
    this.#process = process;
    this.facts = facts;
  }

  static async start(directory: string, more: readonly string[] = []): Promise<GatehouseServer> {
    mkdirSync(directory, { recursive: true });
    const ready = join(directory, 'ready.json');
    const main = join(import.meta.dirname, '..', 'src', 'program', 'cli', 'main.ts');
    const args = ['--data', 'data', '--port', '0', '--https-port', '0', '--ready-file', 'ready.json'];
    // The suite is one user that makes more calls than a person.
    const options = ['--tls-names', apiName, '--rate-limit', 'false', '--edge-port', '0'];
    const child = spawn(process.execPath, [main, 'serve', ...args, ...options, ...more], {
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaints = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
    for (const deadline = Date.now() + readyMsMax; !existsSync(ready); await sleep(readyPollMs)) {
      if (child.exitCode === null && Date.now() < deadline) continue;
      child.kill('SIGKILL');
      throw new Error(`gatehouse serve did not start:\n${complaints}`);
    }
    return new GatehouseServer(child, JSON.parse(readFileSync(ready, 'utf8')) as ReadyFacts);
  }

  async call(operation: string, body?: unknown): Promise<Answer> {
    const [method, path] = operation.split(' ');
    const response = await fetch(this.facts.api + path, {
      method: method!,
      headers: { authorization: `Bearer ${this.facts.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { result, errors } = (await response.json()) as Omit<Answer, 'status'>;
    return { status: response.status, result, errors };
  }

  /** A separate zone for each case, so that none sees data of another. */
  async createZone(plan: Plan): Promise<Zone> {
    const name = `case-${++this.#zones}.example`;
    const { result, errors } = await this.call('POST /zones', { name });
    if (errors.length > 0) throw new Error(`could not create the zone ${name}: ${JSON.stringify(errors)}`);
    const { id } = result as Zone;
    if (plan !== 'free') {
      const edited = await this.call(`PATCH /zones/${id}`, { plan: { id: plan } });
      if (edited.status !== 200)
        throw new Error(`could not set the plan of ${name}: ${JSON.stringify(edited.errors)}`);
    }
    return { id, name };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const exited = once(this.#process, 'exit');
    this.#process.kill('SIGTERM');
    await exited;
  }
}
