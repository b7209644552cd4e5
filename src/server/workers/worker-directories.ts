/** The directories of uploaded Workers, each with the objects of one and a socket for operators. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Log, type PrivateListener, realFileSystem } from '#base';
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

export class WorkerDirectories {
  readonly #folder: string;
  readonly #log: Log;

  constructor(data: string, log: Log) {
    this.#folder = join(data, workersFolder);
    this.#log = log;
  }

  claim(id: string): string {
    const directory = this.#pathOf(id);
    claimDataDirectory(directory, 'Worker');
    // Its process cannot look above it.
    for (const above of [this.#folder, dirname(this.#folder)]) realFileSystem.fsyncDirectorySync(above);
    return directory;
  }

  /** A folder in it for files that are needed for a while; what an interruption has left there goes. */
  openScratch(id: string): string {
    const directory = this.#pathOf(id);
    for (const name of readdirSync(directory))
      if (name.startsWith(scratchMark)) rmSync(join(directory, name), { recursive: true, force: true });
    return mkdtempSync(join(directory, scratchMark));
  }

  remove(id: string): void {
    rmSync(this.#pathOf(id), { recursive: true, force: true });
  }

  /** Removes those of Workers that were deleted when the program ended. */
  removeAllBut(ids: ReadonlySet<string>): void {
    if (!existsSync(this.#folder)) return;
    for (const name of readdirSync(this.#folder)) {
      const id = name.slice(idMark.length);
      if (name.startsWith(idMark) && !ids.has(id)) this.remove(id);
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

  #pathOf(id: string): string {
    return join(this.#folder, directoryNameOf(id));
  }
}
