/**
 * The directories of uploaded Workers, each with the objects of one and a socket for operators. A directory is deleted
 * only if its Worker is deleted over the API: it is marked before the account deletes the Worker. A directory without a
 * mark that the account does not know is kept: the account may have been restored to an earlier time, and can be
 * restored to a later one again.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#base';
import { createPrivateFile, makeDirectory, realFileSystem } from '#files';
import type { PrivateListener } from '#listeners';
import { fault, workerCodes } from '#contract';
import { openDoor } from '#operator';
import { workersFolder } from './folders.ts';

/** The prefix of their names; names of Workers of the configuration do not have it. */
const idMark = '@';
const scratchMark = 'transfer-';

/** The directory of an uploaded Worker, within that of all Workers. */
export function directoryNameOf(id: string): string {
  return `${idMark}${id}`;
}
/** A file in the directory of a Worker that is being deleted. */
const removalMark = 'removed';

export class WorkerDirectories {
  readonly #folder: string;
  readonly #log: Log;

  readonly #claim: (directory: string) => void;

  constructor(
    data: string,
    { log, claim }: { readonly log: Log; readonly claim: (directory: string) => void },
  ) {
    this.#folder = join(data, workersFolder);
    this.#log = log;
    this.#claim = claim;
  }

  claim(id: string): string {
    const directory = this.#pathOf(id);
    try {
      makeDirectory(this.#folder);
      this.#claim(directory);
      // Its process cannot access the parent folder, and the process that created it may have been killed before the
      // name was on disk.
      realFileSystem.fsyncDirectorySync(this.#folder);
      return directory;
    } catch (error) {
      const fill = { part: directory, reason: (error as Error).message };
      throw fault(workerCodes.outOfService, { fill });
    }
  }

  /** A folder in it for temporary files; remains of an interruption are deleted. */
  openScratch(id: string): string {
    const directory = this.#pathOf(id);
    for (const name of readdirSync(directory))
      if (name.startsWith(scratchMark)) rmSync(join(directory, name), { recursive: true, force: true });
    return mkdtempSync(join(directory, scratchMark));
  }

  /** Must be called before the account deletes the Worker; followed by `remove`, or by `keep` if the deletion fails. */
  markRemoval(id: string): void {
    if (existsSync(this.#pathOf(id))) createPrivateFile(this.#markOf(id), '');
  }

  keep(id: string): void {
    rmSync(this.#markOf(id), { force: true });
  }

  remove(id: string): void {
    rmSync(this.#pathOf(id), { recursive: true, force: true });
  }

  /** Finishes deletions that were interrupted when the program ended; unknown directories are kept. */
  finishRemovals(ids: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const id = name.slice(idMark.length);
      if (!name.startsWith(idMark)) continue;
      if (ids.has(id)) this.keep(id);
      else if (existsSync(this.#markOf(id))) this.remove(id);
      else
        this.#log.warn('the account has no Worker for a directory; keeping the directory', {
          directory: this.#pathOf(id),
          advice: 'remove it once nothing is missing',
        });
    }
  }

  openDoor(directory: string): Promise<PrivateListener | undefined> {
    return openDoor({
      directory,
      handlers: {},
      hasWorker: true,
      onError: (error) => this.#log.error('a request of an operator failed', { error }),
      warn: (message) => this.#log.warn(message),
    });
  }

  #markOf(id: string): string {
    return join(this.#pathOf(id), removalMark);
  }

  #pathOf(id: string): string {
    return join(this.#folder, directoryNameOf(id));
  }
}
