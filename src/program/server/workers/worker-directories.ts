/**
 * The directories of uploaded Workers, each with the objects of one and a socket for operators. One is removed only if its
 * Worker is deleted over the API: a mark in it says so before the account does. A directory that the account does not name
 * and that has no mark stays: the account may have gone back to an earlier time, and can come forward again.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createPrivateFile, type Log, makeDirectory, type PrivateListener, realFileSystem } from '#base';
import { fault, workerCodes } from '#contract';
import { openDoor } from '#operator';
import { claimDataDirectory } from '../data-directory.ts';
import { workersFolder } from './zone-workers.ts';

/** What their names begin with; names of Workers of the configuration do not. */
const idMark = '@';
const scratchMark = 'transfer-';

/** The directory of an uploaded Worker, in that of all Workers. */
export function directoryNameOf(id: string): string {
  return `${idMark}${id}`;
}
/** In the directory of a Worker that is being deleted. */
const removalMark = 'removed';

export class WorkerDirectories {
  readonly #folder: string;
  readonly #log: Log;

  constructor(data: string, log: Log) {
    this.#folder = join(data, workersFolder);
    this.#log = log;
  }

  claim(id: string): string {
    const directory = this.#pathOf(id);
    try {
      makeDirectory(this.#folder);
      claimDataDirectory(directory, 'Worker', this.#log.warn);
      // Its process cannot look above it, and the one that made it may have been killed before its name was on disk.
      realFileSystem.fsyncDirectorySync(this.#folder);
      return directory;
    } catch (error) {
      const fill = { part: directory, reason: (error as Error).message };
      throw fault(workerCodes.outOfService, { fill });
    }
  }

  /** A folder in it for files that are needed for a while; what an interruption has left there goes. */
  openScratch(id: string): string {
    const directory = this.#pathOf(id);
    for (const name of readdirSync(directory))
      if (name.startsWith(scratchMark)) rmSync(join(directory, name), { recursive: true, force: true });
    return mkdtempSync(join(directory, scratchMark));
  }

  /** To be called before the account lets go of the Worker; `remove` follows, or `keep` if it does not. */
  markRemoval(id: string): void {
    if (existsSync(this.#pathOf(id))) createPrivateFile(this.#markOf(id), '');
  }

  keep(id: string): void {
    rmSync(this.#markOf(id), { force: true });
  }

  remove(id: string): void {
    rmSync(this.#pathOf(id), { recursive: true, force: true });
  }

  /** Finishes deletions that the end of the program has interrupted; what nothing is known about stays. */
  finishRemovals(ids: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const id = name.slice(idMark.length);
      if (!name.startsWith(idMark)) continue;
      if (ids.has(id)) this.keep(id);
      else if (existsSync(this.#markOf(id))) this.remove(id);
      else
        this.#log.warn('the account has no Worker for a directory; it stays as it is', {
          directory: this.#pathOf(id),
          advice: 'remove it when nothing is missing',
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
