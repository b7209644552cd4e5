/** A running `gatehouse serve` or `gatehouse edge`, as a pipeline starts one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { killWith, makeDirectory } from '../../src/program/cli/watched/testing.ts';
import { findTestCluster } from '../cluster/test-cluster.ts';

const main = fileURLToPath(new URL('../../src/program/cli/main.ts', import.meta.url));

export interface ReadyFacts {
  readonly api: string;
  readonly api_https?: string;
  readonly ca_file?: string;
  readonly admin?: string;
  readonly email: string;
  readonly token?: string;
  readonly key?: string;
  readonly account_id: string;
  readonly zones: readonly { readonly id: string; readonly name: string; readonly plan: string }[];
}

export function temporary(t: TestContext): string {
  return makeDirectory(t, 'gatehouse-serve-');
}

export interface Start {
  /** `serve` by default. */
  readonly command?: 'serve' | 'edge' | 'run' | 'dev';
  readonly directory: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** How many files and connections each of its processes may have open; as many as this process by default. */
  readonly descriptors?: number;
  /** The command line of another version. */
  readonly program?: string;
}

export class Gatehouse {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';

  /** Data and ready file are in the directory, which is also where it runs. */
  constructor(
    t: TestContext,
    { command = 'serve', directory, args = [], environment = {}, descriptors, program: module = main }: Start,
  ) {
    // Off for most tests, because processes take time to start: `npm run verify -- test:workers` sets the one, `npm run
    // verify -- test:hosts` the other. Without a watchdog, the started process is the one that serves.
    const { PATH = '', GATEHOUSE_EDGE_WORKERS = '0', GATEHOUSE_OBJECT_HOSTS = '1' } = process.env;
    // How it finds its code quickly: `tools/before-tests.ts`.
    const { NODE_COMPILE_CACHE = '', NODE_OPTIONS = '' } = process.env;
    const settings = { GATEHOUSE_EDGE_WORKERS, GATEHOUSE_OBJECT_HOSTS, GATEHOUSE_WATCHDOG: 'false' };
    const program = [process.execPath, module, command, ...args];
    const limited = ['/bin/sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh'];
    const [file, ...rest] = descriptors === undefined ? program : [...limited, ...program];
    this.process = spawn(file!, rest, {
      cwd: directory,
      env: { PATH, NODE_COMPILE_CACHE, NODE_OPTIONS, ...settings, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    killWith(t, this.process);
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => (this.stdout += text));
    this.process.stderr!.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.exited = once(this.process, 'close').then(([code]) => code as number | null);
  }

  /** Starts on free ports and waits until it is ready. */
  static async start(t: TestContext, start: Start): Promise<{ server: Gatehouse; ready: ReadyFacts }> {
    const file = join(start.directory, 'ready.json');
    const anyPort = start.command === 'edge' ? '--edge-port' : '--port';
    const args = ['--data', 'data', anyPort, '0', '--ready-file', 'ready.json', ...(start.args ?? [])];
    const environment = { ...(await findDatabase(t, start)), ...start.environment };
    const appeared = fileWritten(file);
    const server = new Gatehouse(t, { ...start, args, environment });
    const ended = server.exited.then((code) => {
      throw new Error(`it ended with ${code}:\n${server.stdout}${server.stderr}`);
    });
    await Promise.race([appeared, ended]);
    return { server, ready: JSON.parse(readFileSync(file, 'utf8')) as ReadyFacts };
  }

  /** Waits until it has written a text to standard error. */
  async said(pattern: RegExp): Promise<void> {
    let hasEnded = false;
    const ended = this.exited.then(() => (hasEnded = true));
    while (!pattern.test(this.stderr)) {
      if (hasEnded) throw new Error(`it ended:\n${this.stdout}${this.stderr}`);
      await Promise.race([once(this.process.stderr!, 'data'), ended]);
    }
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.process.kill(signal);
    return this.exited;
  }
}

const databases = new Map<string, string>();

/** With `npm run test:cluster`, each directory is that of a host of a separate cluster. */
async function findDatabase(
  t: TestContext,
  { command = 'serve', directory }: Start,
): Promise<Readonly<Record<string, string>>> {
  if (command !== 'serve') return {};
  let url = databases.get(directory);
  if (url === undefined) {
    const cluster = await findTestCluster();
    if (cluster === undefined) return {};
    t.after(() => cluster.remove());
    url = cluster.url;
    databases.set(directory, url);
  }
  // No other host exists that could declare it dead; the successor of a killed host waits for its lease.
  return { GATEHOUSE_CLUSTER: url, GATEHOUSE_CLUSTER_LEASE: '5s' };
}

/** Resolves when the file is renamed to its place, not if it existed before. */
function fileWritten(file: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const name = file.slice(file.lastIndexOf('/') + 1);
  const before = stampOf(file);
  // A server that exits before it writes the file must not keep the test waiting.
  const watcher = watch(join(file, '..'), { persistent: false }, (_event, changed) => {
    const stamp = stampOf(file);
    if (changed !== name || stamp === undefined || stamp === before) return;
    watcher.close();
    resolve();
  });
  return promise;
}

function stampOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
