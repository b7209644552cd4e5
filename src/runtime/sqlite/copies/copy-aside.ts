import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { extname } from 'node:path';
import { listProgramArguments, realClock, shareCompileCache, type Timer, untilStarted } from '#base';
import { startOwn } from '#work';
import { NotADatabaseError } from './copy-database.ts';
import { removeDatabase } from '../database-files.ts';

/** How often the progress of a copy is checked. */
const lookMs = 200;

export interface DatabaseCopyOptions {
  /** Called periodically with the bytes copied so far. */
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Like `copyDatabase`, in a process of its own: on a large file SQLite works for minutes without a pause, and only the
 * end of its process stops it.
 */
export async function copyDatabaseAside(
  from: string,
  to: string,
  options: DatabaseCopyOptions = {},
): Promise<void> {
  const { onBytes = () => {}, signal } = options;
  const module = new URL(`./copy-process${extname(import.meta.filename)}`, import.meta.url);
  const child = startOwn(() =>
    spawn(process.execPath, [...listProgramArguments([], module), from, to], {
      env: shareCompileCache(),
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      killSignal: 'SIGKILL',
    }),
  );
  await untilStarted(child);
  let failure: unknown;
  child.once('error', (error) => (failure = error));
  // Also after an error: until the process has ended it may still write.
  const { promise: ended, resolve: end } = Promise.withResolvers<number | null>();
  child.once('close', end);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
  }
  let timer: Timer | undefined;
  const look = (): void => {
    onBytes(statSync(to, { throwIfNoEntry: false })?.size ?? 0);
    timer = realClock.setTimer(realClock.now() + lookMs, look, 'housekeeping');
  };
  look();
  try {
    const code = await ended;
    if (failure !== undefined) throw failure;
    if (said.stdout !== '') throw new NotADatabaseError(from, said.stdout);
    if (code !== 0) throw new Error(`the copy of ${from} ended with code ${code}: ${said.stderr}`);
  } catch (error) {
    removeDatabase(to);
    throw error;
  } finally {
    timer?.cancel();
  }
}
