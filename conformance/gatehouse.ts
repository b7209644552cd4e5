/** Gatehouse as a child process: `gatehouse dev` on a wrangler file, killed as a crash would kill it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastText, stopped } from './child.ts';

export interface Gatehouse {
  readonly url: string;
  readonly pid: number;
  kill(): Promise<void>;
}

const READY_MS_MAX = 60_000;
const READY_POLL_MS = 20;

export async function startGatehouse(options: {
  wranglerPath: string;
  directory: string;
  /** In how many processes the objects are. */
  hosts: number;
  /** The database of the cluster that keeps them; undefined for a directory. */
  cluster?: string | undefined;
}): Promise<Gatehouse> {
  mkdirSync(options.directory, { recursive: true });
  const readyPath = join(options.directory, 'ready.json');
  rmSync(readyPath, { force: true });
  const executable = join(import.meta.dirname, '..', 'gatehouse');
  const data = join(options.directory, 'data');
  const args = [
    'dev',
    options.wranglerPath,
    '--no-watch',
    '--quiet',
    '--port',
    '0',
    '--persist-to',
    data,
    '--ready-file',
    readyPath,
    ...(options.cluster === undefined ? ['--hosts', String(options.hosts)] : []),
    ...(options.cluster === undefined ? [] : ['--cluster', options.cluster]),
  ];
  const child = spawn(executable, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const complaints = lastText(child.stderr);
  let ended: string | undefined;
  child.on('error', (error) => (ended = error.message));
  child.on('exit', (code, signal) => (ended = `it ended with ${signal ?? code}`));

  const deadline = Date.now() + READY_MS_MAX;
  while (!existsSync(readyPath)) {
    if (ended !== undefined) throw new Error(`gatehouse dev did not start: ${ended}\n${complaints()}`);
    if (Date.now() > deadline) {
      await stopped(child, 'SIGKILL');
      throw new Error(`gatehouse dev did not start: no ready file within ${READY_MS_MAX} ms`);
    }
    await sleep(READY_POLL_MS);
  }
  const { url } = JSON.parse(readFileSync(readyPath, 'utf8')) as { url: string };
  return { url, pid: child.pid!, kill: () => stopped(child, 'SIGKILL') };
}
