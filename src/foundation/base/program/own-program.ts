/**
 * What this program consists of: its files, and how other processes and threads of it are started. In a clone and in a
 * package they are files that Node runs. In the single executable they are inside of the file that runs: there is no Node
 * beside it, and what stands below `/dev/null` is read from memory (`package/executable.ts`).
 */
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

/** The key of a file of ours inside the executable. */
function keyOf(url: URL): string {
  return url.href.slice(programRoot.href.length);
}

export function readOwnFile(url: URL): Buffer {
  return isExecutable ? Buffer.from(getAsset(keyOf(url))) : readFileSync(url);
}

/** The names of the files in a folder of ours; none if there is no such folder. */
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

/** What follows `process.execPath` to run a module of ours with flags of Node. */
export function listProgramArguments(flags: readonly string[], module: URL): string[] {
  const file = fileURLToPath(module);
  if (!isExecutable) return [...flags, file];
  // The executable takes every other argument for its own.
  return flags.length === 0 ? [file] : [`--node-options=${flags.join(' ')}`, file];
}

/** A thread that runs a module of ours. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (!isExecutable) return new Worker(module, options);
  return new Worker(getAsset('executable.cjs', 'utf8'), { ...options, eval: true, argv: [module.href] });
}
