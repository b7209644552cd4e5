/**
 * The program's own files, and how to start its other processes and threads. In a clone and in a package they are files
 * that Node runs. In the single executable they are embedded in the executable file: there is no separate Node, and
 * paths below `/dev/null` are read from memory (`package/executable.ts`).
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getAsset, getAssetKeys, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** The folder of `package.json`: in a clone this file is four folders below it, in a package it is in `dist` as well. */
export const programRoot = new URL(
  import.meta.url.endsWith('.ts') ? '../../../../' : '../../../../../',
  import.meta.url,
);

export const isExecutable = isSea();

/** The key of one of the program's files inside the executable. */
function keyOf(url: URL): string {
  return url.href.slice(programRoot.href.length);
}

export function readOwnFile(url: URL): Buffer {
  return isExecutable ? Buffer.from(getAsset(keyOf(url))) : readFileSync(url);
}

/** The names of the files in one of the program's folders; empty if it does not exist. */
export function listOwnFiles(folder: URL): string[] {
  if (isExecutable) {
    const key = keyOf(folder);
    return getAssetKeys()
      .filter((each) => each.startsWith(key))
      .map((each) => each.slice(key.length))
      .filter((name) => !name.includes('/'));
  }
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** The arguments of `process.execPath` that run one of the program's modules with flags of Node. */
export function listProgramArguments(flags: readonly string[], module: URL): string[] {
  const file = fileURLToPath(module);
  if (!isExecutable) return [...flags, file];
  // The executable treats every other argument as its own.
  return flags.length === 0 ? [file] : [`--node-options=${flags.join(' ')}`, file];
}

/** Starts a thread that runs one of the program's modules. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (!isExecutable) return new Worker(module, options);
  return new Worker(getAsset('executable.cjs', 'utf8'), { ...options, eval: true, argv: [module.href] });
}

/**
 * Rejects if the process could not be started: without a free descriptor, Node returns one without pipes, and reports
 * the reason later. Call this in the same turn as `spawn`.
 */
export async function untilStarted<Child extends ChildProcess>(child: Child): Promise<Child> {
  if (child.pid !== undefined) return child;
  const [error] = (await once(child, 'error')) as [Error];
  throw error;
}

/**
 * The environment of the program when it started. A process that runs deployed code empties its own before it loads
 * that code: variables that the program needs later, for itself or for child processes, are kept here.
 */
export const programEnvironment: NodeJS.ProcessEnv = { ...process.env };

/** For child processes, which may run user code: settings can be credentials, so a child gets only what it needs. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('GATEHOUSE_')));
}
